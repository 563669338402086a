import { afterAll, describe, expect, test } from 'vitest';
import type { Agents } from './agent-suite.js';
import type { RealAgent } from './real-agent.js';

export function beginningTests(agent: RealAgent, agents: Agents): void {
  describe('a start', () => {
    afterAll(() => agents().clear());

    test('reaches the prompt without a dialog, and is idle', async () => {
      const session = await agents().begin();
      const { agent_session: chosen } = await session.now();
      await agents().timed('start', session.isReady());
      await session.shows(agent.readyText);
      // Codex shows itself working for a moment.
      expect((await session.course()).filter((state) => state.startsWith('waiting'))).toEqual([]);
      const { agent_session, activity } = await session.now();
      expect(activity?.done).not.toBe(true);
      if (agent.knowsConversation === 'at the start') expect(agent_session).toMatch(/^[0-9a-f-]{36}$/);
      if (agent.knowsConversation === 'at the start') expect(agent_session).toBe(chosen);
    });
  });
}

/** Behind all others: an agent may write down in its settings what it is to trust. */
export function dialogTests(agent: RealAgent, agents: Agents): void {
  describe('a start', () => {
    afterAll(() => agents().clear());

    test.skipIf(agent.trustDialog === undefined)('with a dialog is waiting for it, and takes no prompt until it is answered', async () => {
      const session = await agents().begin({ directory: 'strange' });
      await session.shows(agent.trustDialog?.text ?? '', 60_000);
      await agents().timed('dialog noticed', session.becomes('waiting', 'dialog', 90_000));
      const { status, body } = await session.offer('say nothing');
      expect({ status, code: body.error?.code }).toEqual({ status: 409, code: 'waiting' });
      await session.press(agent.trustDialog?.accept ?? []);
      await session.isReady();
      await session.hears('trusted');
      expect(agents().model.turns('say nothing')).toEqual([]);
    });
  });
}
