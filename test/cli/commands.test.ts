import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Session } from '../../src/protocol/index.js';
import { FakeDaemon, fakeSession } from '../support/fake-daemon.js';
import { type Ran, type RunOptions, runMaestro } from '../support/run-maestro.js';

let fake: FakeDaemon;
beforeEach(async () => {
  fake = await FakeDaemon.start();
});
afterEach(() => fake[Symbol.asyncDispose]());

function maestro(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return runMaestro(words, { ...options, env: { MAESTRO_STATE_DIR: fake.state, ...options.env } });
}

/** Lists `sessions`, and answers every action on one of them with it. */
function serve(...sessions: Session[]): void {
  fake.routes = ({ method, path, body }) => {
    if (path === '/api/sessions') return { json: method === 'POST' ? fakeSession(body as Partial<Session>) : sessions };
    const session = sessions.find(({ id }) => path.includes(id));
    return session === undefined ? undefined : { json: session };
  };
}

const requests = () => fake.asked.map(({ method, path }) => `${method} ${path}`);

describe('without a daemon', () => {
  test.each([
    ['ls'],
    ['status'],
    ['down'],
    ['presets'],
    ['agents'],
    ['explain', 'x'],
    ['conversations', 'x'],
    ['new', '--', 'cat'],
    ['resume', '--all'],
    ['kill', 'x'],
    ['send', 'x', 'y'],
    ['read', 'x'],
    ['rename', 'x', 'y'],
    ['diff', 'x'],
    ['worktree', 'ls'],
    ['salvage', 'ls'],
    ['projects', '-q'],
    ['trust', '--list'],
  ])('%s %s tells how to start one, with exit code 3', async (...words) => {
    await fake.stop();
    expect(await maestro(words)).toEqual({
      code: 3,
      stdout: '',
      stderr: `maestro: no Maestro daemon on ${fake.state}; start it with: maestro up --detach\n`,
    });
  });

  test('--json has the error on standard output in the form of the API', async () => {
    await fake.stop();
    const { stdout, code } = await maestro(['--json', 'ls']);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toEqual({ error: { code: 'daemon_not_running', message: expect.stringContaining(fake.state) } });
  });

  test('doctor says so and does not fail for it', async () => {
    await fake.stop();
    const { stdout, code } = await maestro(['doctor', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      findings: expect.arrayContaining([expect.objectContaining({ check: 'daemon', status: 'warn' })]),
    });
    expect(code).toBe(0);
  });
});

describe('usage', () => {
  test('no command, --help and --version are no failure', async () => {
    const [none, help, version] = await Promise.all([maestro([]), maestro(['--help']), maestro(['--version'])]);
    expect(none).toEqual(help);
    expect(help).toMatchObject({ code: 0, stdout: expect.stringMatching(/attach.*Exit codes:.*3 {2}the daemon is not running/s) });
    expect(version).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' });
  });

  test.each([
    [['lss'], 'Did you mean ls?'],
    [['ls', '--bogus'], "unknown option '--bogus'"],
    [['ls', '--status', 'sleepy'], 'Allowed choices are running, dormant, dead'],
    [['attach'], "missing required argument 'session'"],
    [['new'], 'nothing to run'],
    [['new', '--env', 'MISSING', '--', 'cat'], 'MISSING is not set here'],
    [['new', '--size', 'big', '--', 'cat'], 'COLSxROWS'],
    [['send', 'x'], 'nothing to send'],
    [['send', 'x', 'y', '--stdin'], 'not both'],
    [['read', 'x', '--history', 'many'], 'whole number'],
    [['read', 'x', '--history', '1', '--scrollback'], 'not both'],
    [['read', 'x', '--tail', '9'], 'give --scrollback as well'],
    [['resume'], 'or give --all'],
    [['resume', 'x', '--all'], 'or give --all'],
    [['resume', 'x', 'y', '--conversation', 'z'], 'belongs to one session'],
    [['resume', '--all', '--conversation', 'z'], 'belongs to one session'],
    [['explain'], "missing required argument 'session'"],
    [['attach', 'x', '--json'], 'has no --json'],
    [['new', '--base', 'main', '--', 'cat'], 'give --worktree'],
    [['diff', 'x', '--against', 'yesterday'], 'Allowed choices are base, head'],
    [['diff', 'x', '-U', 'all'], 'whole number'],
    [['diff', 'x', 'a.txt', '--commits'], 'not both'],
    [['trust', '--list', '/srv'], 'give it alone'],
    [['trust', '--revoke', '--base', 'main'], 'leave --base out'],
  ])('%j exits with 2 and says what is wrong', async (words, told) => {
    const { code, stderr, stdout } = await maestro(words);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(told) });
    expect(stderr).toMatch(/^maestro: /);
    if (!words.includes('--json')) expect(stdout).toBe('');
    expect(fake.asked).toEqual([]);
  });

  test('a wrong usage is told as JSON too', async () => {
    expect(JSON.parse((await maestro(['ls', '--bogus', '--json'])).stdout)).toEqual({
      error: { code: 'usage', message: "unknown option '--bogus'" },
    });
  });
});

describe('new', () => {
  test('sends what was typed, from the directory the shell is in, and says how to see it', async () => {
    serve();
    const words = ['new', '--name', 'api', '-e', 'A=1', '-e', 'B', '--', 'echo', 'a b', '--json'];
    const { code, stdout } = await maestro(words, { cwd: fake.dir, env: { B: '2', PWD: join(fake.dir, '.') } });
    expect(fake.asked[0]?.body).toEqual({
      cwd: join(fake.dir),
      command: "echo 'a b' --json",
      metadata: { name: 'api' },
      env: { A: '1', B: '2' },
    });
    expect(stdout).toMatch(/^started api \([0-9a-f]{8}\) in .*\nmaestro attach api shows it\n$/);
    expect(code).toBe(0);
  });

  test('prints the id alone, or the session as JSON', async () => {
    serve();
    expect((await maestro(['new', '-q', '--', 'cat'])).stdout).toMatch(/^[0-9a-f-]{36}\n$/);
    expect(JSON.parse((await maestro(['new', '--json', '-p', 'claude'])).stdout)).toMatchObject({ preset: 'claude' });
  });

  test('a refusal is told with its code', async () => {
    fake.routes = () => ({ status: 409, json: { error: { code: 'cwd_missing', message: 'no such directory: /x\x1b[2J' } } });
    expect(await maestro(['new', '--', 'cat'])).toEqual({ code: 1, stdout: '', stderr: 'maestro: no such directory: /x\\x1b[2J\n' });
    expect(JSON.parse((await maestro(['new', '--json', '--', 'cat'])).stdout)).toMatchObject({ error: { code: 'cwd_missing' } });
  });

  test('--attach needs a terminal before anything is made', async () => {
    serve();
    expect(await maestro(['new', '--attach', '--', 'cat'])).toMatchObject({ code: 1, stderr: expect.stringContaining('needs a terminal') });
    expect(fake.asked).toEqual([]);
  });
});

describe('ls', () => {
  test('lists, filters, and prints ids or JSON', async () => {
    const [running, dormant] = [fakeSession({ metadata: { name: 'one' } }), fakeSession({ status: 'dormant', warning: 'look\x07' })];
    serve(dormant, running);
    const all = await maestro(['ls']);
    expect(all.stdout.split('\n')).toHaveLength(4);
    expect(all.stderr).toBe(`warning: ${dormant.id.slice(0, 8)}: look\\x07\n`);
    expect((await maestro(['ls', '-q'])).stdout).toBe(`${running.id}\n${dormant.id}\n`);
    expect((await maestro(['ls', '-q', '-s', 'dormant'])).stdout).toBe(`${dormant.id}\n`);
    expect(JSON.parse((await maestro(['ls', '--json'])).stdout)).toEqual([running, dormant]);
  });

  test('with no session prints nothing but an empty list', async () => {
    serve();
    expect(await maestro(['ls'])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await maestro(['ls', '--json'])).stdout).toBe('[]\n');
  });
});

describe('send and read', () => {
  test('text, Enter and keys go out in that order', async () => {
    const session = fakeSession({ metadata: { name: 'api' } });
    fake.routes = ({ path }) => (path === '/api/sessions' ? { json: [session] } : { json: { delivered: true } });
    await maestro(['send', 'api', 'hello', 'there', '--enter', '-k', 'C-c', '-k', 'Up']);
    await maestro(['send', 'api', '--enter']);
    await maestro(['send', 'api', '--stdin'], { input: 'a\nb\n' });
    expect(fake.asked.flatMap(({ method, body }) => (method === 'POST' ? [body] : []))).toEqual([
      { text: 'hello there', submit: true },
      { keys: ['C-c', 'Up'] },
      { keys: ['Enter'] },
      { text: 'a\nb\n' },
    ]);
  });

  test('a prompt that the agent has not begun with is said to be so, with what to do', async () => {
    const session = fakeSession({ metadata: { name: 'api' } });
    fake.routes = ({ path }) => (path === '/api/sessions' ? { json: [session] } : { json: { delivered: true, begun: false } });
    const { code, stderr } = await maestro(['send', 'api', 'go', '--enter']);
    expect(code).toBe(0);
    expect(stderr).toContain('maestro send api --enter');
    expect(JSON.parse((await maestro(['send', 'api', 'go', '--enter', '--json'])).stdout)).toMatchObject({ delivered: true, begun: false });
  });

  test('a screen comes as it is into a pipe', async () => {
    const session = fakeSession();
    fake.routes = ({ path }) => (path === '/api/sessions' ? { json: [session] } : { raw: 'a\x1b[1mb\n\n\n' });
    expect((await maestro(['read', session.id, '--ansi', '--history', '9'])).stdout).toBe('a\x1b[1mb\n');
    expect(requests()[1]).toBe(`GET /api/sessions/${session.id}/screen?format=ansi&history=9`);
    expect(JSON.parse((await maestro(['read', session.id, '--json'])).stdout)).toEqual({ id: session.id, screen: 'a\x1b[1mb\n\n\n' });
  });

  test('scrollback comes byte for byte, also of a session that does not run; its screen does not', async () => {
    const session = fakeSession({ status: 'dormant' });
    fake.routes = ({ path }) => (path === '/api/sessions' ? { json: [session] } : { raw: '\x1b]0;x\x07é\r\n' });
    expect((await maestro(['read', session.id, '--scrollback'])).stdout).toBe('\x1b]0;x\x07é\r\n');
    expect(JSON.parse((await maestro(['read', session.id, '--scrollback', '--json'])).stdout)).toEqual({
      id: session.id,
      scrollback_base64: Buffer.from('\x1b]0;x\x07é\r\n').toString('base64'),
    });
    await maestro(['read', session.id, '--scrollback', '--tail', '4096']);
    expect(requests().at(-1)).toBe(`GET /api/sessions/${session.id}/scrollback?tail=4096`);
    expect(await maestro(['read', session.id])).toMatchObject({ code: 1, stderr: expect.stringContaining('--scrollback') });
  });
});

describe('several sessions', () => {
  test('each is done or told; one failure does not keep the others from it', async () => {
    const [a, b] = [fakeSession({ status: 'dormant', metadata: { name: 'a' } }), fakeSession({ status: 'dormant' })];
    fake.routes = ({ path }) => {
      if (path === '/api/sessions') return { json: [a, b, fakeSession(), fakeSession({ status: 'dead' })] };
      return path.includes(a.id) ? { json: a } : { status: 409, json: { error: { code: 'cwd_missing', message: 'gone' } } };
    };
    expect(await maestro(['resume', 'nope', 'a', b.id, a.id])).toEqual({
      code: 1,
      stdout: 'resumed a\n',
      stderr: 'maestro: no session is called nope; maestro ls shows all\nmaestro: gone\n',
    });
    const both = await maestro(['resume', 'a', b.id, '--json']);
    expect(JSON.parse(both.stdout)).toEqual([
      { id: a.id, ok: true, result: a },
      { target: b.id, ok: false, error: { code: 'cwd_missing', message: 'gone' } },
    ]);
    expect(both.code).toBe(1);
  });

  test('one that is not found, or not the only one, exits with 4', async () => {
    const twins = [fakeSession({ metadata: { name: 'twin' } }), fakeSession({ metadata: { name: 'twin' } })];
    serve(...twins);
    for (const target of ['nope', 'twin']) expect((await maestro(['stop', target])).code).toBe(4);
    fake.routes = ({ path }) => (path === '/api/sessions' ? { json: twins } : undefined);
    expect((await maestro(['stop', twins[0]?.id ?? ''])).code).toBe(4);
  });

  test('kill tells what became of the worktree, and asks nobody where there is no terminal', async () => {
    const session = fakeSession({ metadata: { name: 'api' } });
    const result = { removed: true, worktree: 'removed', branch_kept: 'maestro/x', salvage_ref: 'refs/maestro/salvage/1' };
    fake.routes = ({ path }) => ({ json: path === '/api/sessions' ? [session] : result });
    expect((await maestro(['kill', 'api', '--force', '--keep-worktree'])).stdout).toBe(
      'killed api; its worktree was removed; branch maestro/x was kept; unsaved work was saved as refs/maestro/salvage/1; ' +
        `maestro salvage restore ${session.id.slice(0, 8)} brings it back\n`,
    );
    expect(requests().at(-1)).toBe(`DELETE /api/sessions/${session.id}?force=true&keep_worktree=true`);
  });
});

test('rename sends the name, or takes it away', async () => {
  const session = fakeSession({ metadata: { name: 'old' } });
  serve(session);
  await maestro(['rename', 'old', 'new name']);
  await maestro(['rename', 'old', '']);
  expect(fake.asked.flatMap(({ method, body }) => (method === 'PATCH' ? [body] : []))).toEqual([
    { metadata: { name: 'new name' } },
    { metadata: { name: null } },
  ]);
});

test('a reader that has seen enough is no error', async () => {
  const { spawn } = await import('node:child_process');
  serve(...Array.from({ length: 3000 }, () => fakeSession()));
  const bin = join(import.meta.dirname, '../../bin/maestro.js');
  const child = spawn('/bin/sh', ['-c', `"${process.execPath}" "${bin}" ls | head -1`], {
    env: { PATH: process.env.PATH ?? '', MAESTRO_STATE_DIR: fake.state },
  });
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  await new Promise((resolve) => child.once('close', resolve));
  expect(stderr).toBe('');
});
