import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Session } from '../../src/protocol/index.js';
import type { TestHost } from '../support/daemon-process.js';
import { AgentTerminal, activityOf, hostWithAgents } from '../support/fake-agents.js';
import { type Ran, runMaestro } from '../support/run-maestro.js';

const CONVERSATION = '33333333-3333-4333-8333-333333333333';

let host: TestHost;
beforeAll(async () => {
  host = await hostWithAgents();
});
afterAll(() => host[Symbol.asyncDispose]());
beforeEach(async () => {
  for (const { id } of await host.sessions()) await host.kill(id);
});

const maestro = (...words: string[]): Promise<Ran> => runMaestro(words, { env: host.env });

async function claude(name: string): Promise<{ session: Session; terminal: AgentTerminal }> {
  const session = await host.create({ preset: 'claude', metadata: { name } });
  const terminal = new AgentTerminal(host, session.id);
  await terminal.ready();
  return { session, terminal };
}

/** As Claude Code stores it. */
async function storeConversation({ cwd }: Session): Promise<void> {
  const directory = join(host.home, '.claude', 'projects', cwd.replaceAll(/[^A-Za-z0-9]/g, '-'));
  const line = { type: 'user', sessionId: CONVERSATION, cwd, message: { role: 'user', content: 'mend the login' } };
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, `${CONVERSATION}.jsonl`), `${JSON.stringify(line)}\n`);
}

test('ls, explain and send tell of an agent that waits, and why it is said to', async () => {
  const { session, terminal } = await claude('api');
  const hook = (hook_event_name: string, more: object) => terminal.hook({ hook_event_name, session_id: session.agent_session, ...more });
  await hook('SessionStart', { source: 'startup' });
  await hook('UserPromptSubmit', { prompt_id: 'p1', prompt: 'go' });
  await hook('PermissionRequest', { prompt_id: 'p1', tool_name: 'Bash', tool_input: { command: 'rm -rf build' } });
  await activityOf(host, session.id, { state: 'waiting' });
  expect((await maestro('ls')).stdout).toMatch(/api +◐ waiting \(permission\)/);
  const { stdout } = await maestro('explain', 'api');
  expect(stdout).toMatch(/^api \([0-9a-f]{8}\) is waiting \(permission\), for \d+s\n.*\n {2}because +hook: PermissionRequest Bash\n/);
  expect(stdout).toContain(`  conversation  ${session.agent_session}\n  heard         hook\n`);
  expect(stdout.match(/(?:idle|working|waiting \(permission\)) +hook +\w+/g)).toHaveLength(3);
  expect(await maestro('send', 'api', 'hello', '--enter')).toMatchObject({ code: 1, stderr: expect.stringContaining('waits') });
});

test('a conversation of the agent’s own store is listed, and a resume goes on with it', async () => {
  const { session, terminal } = await claude('api');
  await storeConversation(session);
  await host.call('POST', `/api/sessions/${session.id}/stop`);
  const listed = await maestro('conversations', 'api');
  expect(listed.stdout).toMatch(new RegExp(`^${CONVERSATION} +\\d+s +- +mend the login$`, 'm'));
  expect(listed.stderr).toBe("to go on with one that is no session's: maestro resume api --conversation ID\n");
  expect(await maestro('resume', 'api', '--conversation', 'nope')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('`maestro conversations'),
  });
  expect(await maestro('resume', 'api', '--conversation', CONVERSATION)).toEqual({ code: 0, stdout: 'resumed api\n', stderr: '' });
  expect(await terminal.ready()).toEqual(expect.arrayContaining(['--resume', CONVERSATION]));
  expect((await maestro('conversations', 'api')).stdout).toMatch(/this one +mend the login/);
});

test('resume --all tells of each session, and fails when one does', async () => {
  const gone = join(host.dir, 'gone');
  await mkdir(gone);
  const sessions = [
    await host.create({ command: 'cat', metadata: { name: 'one' } }),
    await host.create({ command: 'cat', metadata: { name: 'two' }, cwd: gone }),
  ];
  await host.killTmux();
  for (const { id } of sessions) await host.reaches(id, 'dormant');
  await rm(gone, { recursive: true });
  const { code, stdout, stderr } = await maestro('resume', '--all');
  expect(code).toBe(1);
  expect(stdout).toMatch(/^resumed one \([12] of 2\)\nresumed 1 session; 1 of 2 failed\n$/);
  expect(stderr).toMatch(/^maestro: two was not resumed \([12] of 2\): .*gone/);
  await mkdir(gone);
  expect(await maestro('resume', '--all')).toEqual({ code: 0, stdout: 'resumed two (1 of 1)\nresumed 1 session\n', stderr: '' });
});

test('agents lists what is installed, and tells all of one', async () => {
  expect((await maestro('agents')).stdout).toMatch(/^claude +Claude Code +yes.* live /m);
  expect((await maestro('agents', 'claude')).stdout).toMatch(/Maestro adds, to each process alone:\n {4}--session-id/);
});
