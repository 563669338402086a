import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { AgentHost } from './agent-host.js';
import { beginningTests, dialogTests } from './beginning.js';
import type { RealAgent } from './real-agent.js';
import { survivalTests } from './survival.js';
import { turnTests } from './turns.js';

/** The host of the tests of one file. */
export type Agents = () => AgentHost;

/** What every agent has to prove, and `more` of this one alone. */
export function describeAgent(agent: RealAgent, more?: (agents: Agents) => void): void {
  let host: AgentHost | undefined;
  const agents: Agents = () => {
    if (host === undefined) throw new Error('the host of the tests has not started');
    return host;
  };
  beforeAll(async () => {
    host = await AgentHost.start(agent);
  });
  afterAll(async () => {
    if (host !== undefined) console.log(`${agent.id}: ${host.times.join(' · ')}`);
    await host?.[Symbol.asyncDispose]();
  });
  beforeEach(({ onTestFailed }) => {
    onTestFailed(async () => console.log(await agents().report()));
  });
  describe(agent.id, () => {
    beginningTests(agent, agents);
    turnTests(agent, agents);
    survivalTests(agent, agents);
    more?.(agents);
    dialogTests(agent, agents);
  });
}
