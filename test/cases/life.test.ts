import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ApiError, KillResult, Session } from '../../src/protocol/index.js';
import { TestHost } from '../support/daemon-process.js';
import { EventReader } from '../support/event-reader.js';
import { GitRepo } from '../support/git-repo.js';

let host: TestHost;
beforeAll(async () => {
  host = await TestHost.create({ env: { GIT_CONFIG_NOSYSTEM: '1', MAESTRO_LIVENESS_INTERVAL: '200ms' } });
  const bin = join(host.home, '.local', 'bin');
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, 'fake-agent'), '#!/bin/sh\necho "argv:$*"\nexec sleep 1000\n');
  await chmod(join(bin, 'fake-agent'), 0o755);
  await mkdir(join(host.home, '.config', 'maestro'), { recursive: true });
  const preset = (id: string) => `[[presets]]\nid = "${id}"\ncommand = "fake-agent"\nresume_command = "fake-agent ${id} {agent_session}"\n`;
  await writeFile(join(host.home, '.config', 'maestro', 'config.toml'), preset('one') + preset('two'));
  await host.start();
});
afterAll(() => host[Symbol.asyncDispose]());
afterEach(async () => {
  await Promise.all((await host.sessions()).map(({ id }) => host.kill(id, '?force=true')));
});

/** A session of an agent that has reported that it is in this conversation. */
async function inConversation(conversation: string, preset = 'one'): Promise<Session> {
  const { id } = await host.create({ preset } as never);
  return (await host.call<Session>('POST', `/api/sessions/${id}/activity`, { state: 'idle', agent_session: conversation })).body;
}

const stop = (id: string) => host.call('POST', `/api/sessions/${id}/stop`);
const resume = (id: string) => host.call<Session & ApiError>('POST', `/api/sessions/${id}/resume`);

describe('R10: one conversation', () => {
  test('that another session is in is not opened a second time: the refusal names who is in it', async () => {
    const [first, second] = [await inConversation('shared'), await inConversation('shared')];
    await stop(second.id);
    await host.call('PATCH', `/api/sessions/${first.id}`, { metadata: { name: 'the writer' } });
    const before = await host.session(second.id);
    const refused = await resume(second.id);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'already_running']);
    expect(refused.body.error.message).toContain('the writer');
    expect(await host.session(second.id)).toEqual(before);
    // It has left that conversation, as with /clear.
    await host.call('POST', `/api/sessions/${first.id}/activity`, { state: 'idle', agent_session: 'fresh' });
    expect((await resume(second.id)).status).toBe(200);
    await host.shows(second.id, 'argv:one shared');
  });

  test('is opened once when several come back to it at the same moment, and after a restart of the daemon', async () => {
    const sessions = await Promise.all(Array.from({ length: 4 }, () => inConversation('wanted')));
    for (const { id } of sessions) await stop(id);
    const answers = await Promise.all(sessions.map(({ id }) => resume(id)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    await host.restart('SIGKILL');
    const rest = (await host.sessions()).filter(({ status }) => status !== 'running');
    expect(rest).toHaveLength(3);
    for (const { id } of rest) expect((await resume(id)).status).toBe(409);
  });

  test('of another agent, or of none that can come back to it, is another matter', async () => {
    const [first, other] = [await inConversation('same-words'), await inConversation('same-words', 'two')];
    await stop(other.id);
    expect((await resume(other.id)).status).toBe(200);
    const { id } = await host.create({ command: 'exec sleep 1000' });
    await host.call('POST', `/api/sessions/${id}/activity`, { state: 'idle', agent_session: 'same-words' });
    expect((await host.call('POST', `/api/sessions/${id}/restart`)).status).toBe(200);
    expect((await host.call('POST', `/api/sessions/${first.id}/restart`)).status).toBe(200);
  });
});

test('L3: sessions do not change while others are made, ended and looked at on busy cores', async () => {
  const quiet = await Promise.all(Array.from({ length: 24 }, () => host.create({ command: 'echo up; exec sleep 1000' })));
  for (const { id } of quiet) await host.shows(id, 'up');
  const ids = new Set(quiet.map(({ id }) => id));
  const busy = await host.create({ command: 'for n in 1 2 3; do (while :; do :; done) & done; wait' });
  await using reader = await EventReader.open(host);
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      const { id } = await host.create({ command: 'echo made; exit 3' });
      await host.reaches(id, 'dead');
      await host.call('GET', '/api/sessions');
      await host.kill(id);
    }),
  );
  await host.kill(busy.id);
  const marker = await host.create({ command: 'true' });
  await reader.waitFor('of the last create', (event) => event.type === 'session' && event.session.id === marker.id);
  const changed = reader.events.flatMap(({ event }) => (event.type === 'session' && ids.has(event.session.id) ? [event.session] : []));
  expect(changed).toEqual([]);
});

test('L2, L3: a daemon that stood still goes on where it was: ends are seen with their status, nothing else changes', async () => {
  const lives = await host.create({ command: 'exec sleep 1000' });
  const ends = await host.create({ command: 'read -r _; exit 5' });
  const killed = await host.create({ command: 'read -r _; kill -9 $$' });
  const before = await host.session(lives.id);
  host.signalDaemon('SIGSTOP');
  const panes = (await host.tmux('list-panes', '-a', '-F', '#{@maestro_id} #{pane_id}')).split('\n').map((line) => line.split(' '));
  for (const { id } of [ends, killed]) {
    const pane = panes.find(([of]) => of === id)?.[1] ?? '';
    await host.tmux('send-keys', '-t', pane, 'x', 'Enter');
  }
  host.signalDaemon('SIGCONT');
  expect((await host.reaches(ends.id, 'dead')).exit).toMatchObject({ code: 5, reason: 'exited' });
  expect((await host.reaches(killed.id, 'dead')).exit).toMatchObject({ signal: 9 });
  expect(await host.session(lives.id)).toEqual(before);
});

test('K1: a worktree in which somebody else stands, or that is being read, goes with its session; whose it is not lives on', async () => {
  await using repo = await GitRepo.create();
  const made = await host.create({ command: 'exec sleep 1000', worktree: { base_repo: repo.path, branch: 'feat/one' } });
  const visitor = await host.create({ cwd: made.cwd, command: 'exec tail -f .git' });
  const killed = await host.call<KillResult>('DELETE', `/api/sessions/${made.id}`);
  expect(killed.body).toMatchObject({ removed: true, worktree: 'removed' });
  expect((await host.session(visitor.id)).status).toBe('running');
  await stop(visitor.id);
  expect((await resume(visitor.id)).body.error.code).toBe('cwd_missing');
});

test('words on the screen, however they look like an agent at work, are no activity', async () => {
  const text = '\u280b Thinking\u2026 (12s \u00b7 esc to interrupt)\\n\u2839 press esc to interrupt\\n> ';
  const { id } = await host.create({ preset: 'one', command: `printf '${text}'; exec cat` } as never);
  await host.shows(id, 'press esc');
  await host.call('POST', `/api/sessions/${id}/activity`, { state: 'idle' });
  await host.call('POST', `/api/sessions/${id}/input`, { text: text.replaceAll('\\n', '\n'), submit: true });
  await host.shows(id, 'esc to interrupt)\n');
  expect((await host.session(id)).activity?.state).toBe('idle');
});
