import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { until } from '../support/until.js';
import type { AgentSession } from './agent-session.js';
import type { Agents } from './agent-suite.js';
import { fresh } from './fresh-word.js';
import type { RealAgent } from './real-agent.js';

/** Has a turn, so that there is something to come back to; answers the text that is on the screen. */
export async function haveTurn(session: AgentSession): Promise<string> {
  const text = fresh('turn');
  await session.isReady();
  await session.hears(text);
  await session.shows(text);
  await session.conversation();
  return text;
}

/** The words of a process; nothing when it has ended. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trimEnd();
  } catch {
    return '';
  }
}

export function survivalTests(agent: RealAgent, agents: Agents): void {
  describe('a session', () => {
    afterAll(() => agents().clear());

    test('comes back with its own conversation when tmux is killed in the middle of a turn, beside another session in its directory', {
      timeout: 600_000,
    }, async () => {
      const { host, model } = agents();
      const sessions = [await agents().begin({ directory: 'shared' }), await agents().begin({ directory: 'shared' })] as const;
      const texts = [await haveTurn(sessions[0]), await haveTurn(sessions[1])] as const;
      const conversations = await Promise.all(sessions.map((session) => session.conversation()));
      expect(new Set(conversations).size).toBe(2);
      const cut = fresh('cut');
      const held = model.hold(cut);
      await sessions[0].prompt(`say ${cut}`);
      await held.reached;
      await sessions[0].becomes('working');
      await host.killTmux();
      for (const { id } of sessions) await host.reaches(id, 'dormant');
      held.release();
      for (const [index, session] of sessions.entries()) {
        expect(await session.resume()).toMatchObject({ status: 200, body: { id: session.id, agent_session: conversations[index] } });
        await agents().timed('resume', session.isReady());
        await session.shows(texts[index] ?? '');
      }
      for (const [index, session] of sessions.entries()) {
        const more = fresh('more');
        await session.hears(more);
        expect((await session.now()).agent_session).toBe(conversations[index]);
        const [turn] = model.turns(more);
        expect(turn?.body).toContain(texts[index]);
        expect(turn?.body).not.toContain(texts[1 - index]);
        if (agent.asksByConversation) expect(turn?.conversation).toBe(conversations[index]);
      }
    });

    test('that nobody ever spoke to starts again, with the conversation that was chosen for it where the agent allows', async () => {
      const { host } = agents();
      const session = await agents().begin();
      const { agent_session: chosen } = await session.now();
      await session.isReady();
      await host.killTmux();
      await host.reaches(session.id, 'dormant');
      expect((await session.resume()).status).toBe(200);
      await session.isReady();
      await session.shows(agent.readyText);
      await haveTurn(session);
      if (agent.keepsUnusedConversation) expect((await session.now()).agent_session).toBe(chosen);
    });

    test('that is killed while a command of its agent runs leaves no process behind', async () => {
      const { host } = agents();
      const session = await agents().begin();
      await session.isReady();
      // Nothing that an agent allows by itself, and no long sleep, which some refuse.
      await session.prompt(`bash tail -f /dev/null >> ${fresh('kept-open')}`);
      await session.becomes('waiting', 'permission');
      await session.shows(agent.permissionText);
      await session.answer(agent.keys.allow);
      await session.becomes('working');
      await until('the command to run', () => host.processes(session.id).some((pid) => commandOf(pid).startsWith('tail -f')));
      expect((await agents().timed('kill', host.kill(session.id))).status).toBe(200);
      expect(host.processes(session.id)).toEqual([]);
    });

    test("leaves the user's own settings as they were, and his own hooks run", async () => {
      const session = await agents().begin();
      await haveTurn(session);
      await agents().ownHookRan();
      expect(await agents().settings()).toEqual(agents().settingsBefore);
    });
  });
}
