import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { PtyViewer } from '../support/pty-viewer.js';
import { until } from '../support/until.js';
import type { AgentSession } from './agent-session.js';
import type { Agents } from './agent-suite.js';
import { fresh } from './fresh-word.js';
import type { RealAgent } from './real-agent.js';

/** Longer than any work that counts for nothing. */
const LASTING_MS = 500;

async function refuses(session: AgentSession): Promise<void> {
  const { status, body } = await session.offer('say that it was not refused');
  expect({ status, code: body.error?.code }).toEqual({ status: 409, code: 'waiting' });
}

export function turnTests(agent: RealAgent, agents: Agents): void {
  describe('a turn', () => {
    afterAll(() => agents().clear());

    test('is work until its answer is there, then done until it is seen, and belongs to the known conversation', async () => {
      const { host, model } = agents();
      const session = await agents().idle();
      const mark = await session.mark();
      const answer = fresh('answer');
      const held = model.hold(answer);
      await session.prompt(`say ${answer}`);
      await held.reached;
      const { since } = await session.becomes('working');
      // What is over at once is not told as done: some agents seem to work for a moment when they start.
      await until('the work to have lasted', () => Date.now() - Date.parse(since) > LASTING_MS);
      held.release();
      expect(await session.becomes('idle')).toMatchObject({ done: true });
      await session.shows(`${answer}`);
      expect(await session.course(mark)).toEqual(['working', 'idle']);
      const conversation = await session.conversation();
      if (agent.asksByConversation) expect(model.turns(answer)).toMatchObject([{ conversation }]);
      await host.call('POST', `/api/sessions/${session.id}/seen`);
      await until('the end of the work to be seen', async () => (await session.now()).activity?.done !== true);
    });

    test('has a prompt of two lines where a line feed was typed, as Shift+Enter on the page does', async () => {
      const { host, model } = agents();
      const session = await agents().idle();
      const mark = await session.mark();
      const [first, second] = [fresh('first'), fresh('second')];
      await using viewer = await PtyViewer.open(host, session.id);
      for (const typed of [`say ${first}`, '\n', second]) {
        viewer.type(typed);
        await session.shows(typed.trim());
      }
      await session.press(['Enter']);
      await session.settles(mark);
      expect(model.turns(first)[0]?.body).toMatch(new RegExp(`${first}(?:\\\\n|\\s)+${second}`));
      expect(model.turns(second)).toHaveLength(1);
    });

    test('waits for a permission, refuses text, and goes on when it is given', async () => {
      const { model } = agents();
      const session = await agents().idle();
      const mark = await session.mark();
      const file = fresh('allowed');
      const command = `printenv MAESTRO_SESSION_ID > ${file}`;
      const held = model.hold(`finished bash ${command}`);
      await session.prompt(`bash ${command}`);
      await agents().timed('permission', session.becomes('waiting', 'permission'));
      if (agent.tells?.command) await session.tells(command);
      await refuses(session);
      await session.shows(agent.permissionText);
      await session.answer(agent.keys.allow);
      await held.reached;
      await session.becomes('working');
      held.release();
      await session.becomes('idle');
      expect(await session.course(mark)).toEqual(['working', 'waiting permission', 'working', 'idle']);
      expect(await readFile(join(agents().directory('work'), file), 'utf8')).toBe(`${session.id}\n`);
      expect(model.turns('it was not refused')).toEqual([]);
    });

    test('waits for the answer to a question, refuses text, and goes on when it is given', async () => {
      const { model } = agents();
      const session = await agents().idle();
      if (agent.keys.askingMode) await session.press(agent.keys.askingMode);
      const mark = await session.mark();
      const held = model.hold('finished ask');
      await session.prompt('ask');
      await session.becomes('waiting', 'question');
      if (agent.tells !== undefined) await session.tells(agent.tells.question);
      await refuses(session);
      await session.shows('Blue');
      await session.answer(agent.keys.choose);
      await held.reached;
      await session.becomes('working');
      held.release();
      await session.becomes('idle');
      expect(await session.course(mark)).toEqual(['working', 'waiting question', 'working', 'idle']);
      expect(model.turns('ask').at(-1)?.body).toContain('Red');
    });

    test('that is interrupted is over within seconds', async () => {
      const { model } = agents();
      const session = await agents().idle();
      const mark = await session.mark();
      const answer = fresh('never');
      const held = model.hold(answer);
      await session.prompt(`say ${answer}`);
      await held.reached;
      await session.becomes('working');
      await session.press(agent.keys.interrupt);
      if (agent.keys.interruptAgain !== undefined) {
        await session.shows(agent.keys.interruptAgain);
        await session.press(agent.keys.interrupt);
      }
      await agents().timed('interrupt', session.becomes('idle'));
      await until('the agent to hang up', () => model.turns(answer)[0]?.state === 'left');
      expect(await session.course(mark)).toEqual(['working', 'idle']);
    });

    test('whose request is declined is over within seconds', async () => {
      const session = await agents().idle();
      const mark = await session.mark();
      const file = fresh('declined');
      await session.prompt(`bash touch ${file}`);
      await session.becomes('waiting', 'permission');
      await session.shows(agent.permissionText);
      await agents().timed('decline', session.answer(agent.keys.decline));
      await session.becomes('idle');
      // Some say that they go on, to stop at once.
      const course = await session.course(mark);
      expect([course.slice(0, 2), course.at(-1)]).toEqual([['working', 'waiting permission'], 'idle']);
      expect(existsSync(join(agents().directory('work'), file))).toBe(false);
    });

    test.skipIf(agent.failedTurn === undefined)('that the model fails is over, and failed where the agent tells', async () => {
      const session = await agents().idle();
      const mark = await session.mark();
      await session.prompt('fail 400');
      expect(await session.settles(mark)).toEqual(['working', agent.failedTurn]);
      expect((await session.now()).activity?.failed === true).toBe(agent.failedTurn === 'idle failed');
      expect(await session.hears(fresh('better'))).toEqual(['working', 'idle']);
      expect((await session.now()).activity).not.toHaveProperty('failed');
    });

    test.skipIf(!agent.hasSubAgents)('goes on while a sub-agent works, and through its end', async () => {
      const { model } = agents();
      const session = await agents().idle();
      const mark = await session.mark();
      const aside = fresh('aside');
      const [inner, outer] = [model.hold(aside), model.hold(`finished agent say ${aside}`)];
      await session.prompt(`agent say ${aside}`);
      await inner.reached;
      await session.becomes('working');
      const conversation = await session.conversation();
      inner.release();
      await outer.reached;
      await session.becomes('working');
      outer.release();
      await session.becomes('idle');
      expect(await session.course(mark)).toEqual(['working', 'idle']);
      expect((await session.now()).agent_session).toBe(conversation);
    });

    test('in a new conversation is followed there', async () => {
      const { model } = agents();
      const session = await agents().idle();
      const before = fresh('before');
      await session.hears(before);
      await session.shows(before);
      const former = await session.conversation();
      await session.enter(agent.newConversation);
      if (agent.tellsNewConversation) await session.conversation(former);
      await until('the former conversation to leave the screen', async () => !(await session.screen()).includes(before));
      await session.becomes('idle');
      const after = fresh('after');
      await session.hears(after);
      await session.shows(after);
      const conversation = await session.conversation(former);
      expect(model.turns(after)[0]?.body).not.toContain(before);
      if (agent.asksByConversation) expect(model.turns(after)).toMatchObject([{ conversation }]);
    });
  });
}
