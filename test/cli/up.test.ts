import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { daemonEnv } from '../../src/cli/daemon-process.js';
import { runMaestro } from '../support/run-maestro.js';
import { until } from '../support/until.js';

const DRIVER = join(import.meta.dirname, '../support/up-with-fake.mjs');

let dir: string;
let state: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'm-'));
  state = join(dir, 'state');
});
afterEach(async () => {
  const pid = await seen().then(
    (daemon) => daemon.pid,
    () => undefined,
  );
  if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGKILL');
  await rm(dir, { recursive: true, force: true });
});

interface Seen {
  readonly argv: string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly pid: number;
  readonly signals: string[];
}

async function seen(): Promise<Seen> {
  return JSON.parse(await readFile(join(state, 'seen.json'), 'utf8')) as Seen;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

interface Up {
  readonly child: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  readonly ended: Promise<number | NodeJS.Signals>;
}

function up(flags: readonly string[], env: Record<string, string> = {}): Up {
  const child = spawn(process.execPath, [DRIVER, state, ...flags], {
    env: { PATH: process.env.PATH ?? '', HOME: dir, ...env },
    detached: true,
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (text) => {
    output.stdout += text;
  });
  child.stderr.on('data', (text) => {
    output.stderr += text;
  });
  return { child, output, ended: new Promise((resolve) => child.once('close', (code, signal) => resolve(signal ?? code ?? 0))) };
}

const status = () => runMaestro(['status', '--state-dir', state]);

describe('up --detach', () => {
  test('returns once the daemon is ready, says where, and leaves it alone in a session of its own', async () => {
    const { output, ended } = up(['--detach', '--listen'], { MAESTRO_SESSION_ID: 'x', TMUX: 'y', MAESTRO_CONFIG: 'c.toml', KEPT: '1' });
    expect(await ended).toBe(0);
    const daemon = await seen();
    expect(output.stdout).toContain(`Maestro runs: http://127.0.0.1:7433 (pid ${daemon.pid}), state in ${state}`);
    expect(output.stdout).toMatch(/Taken back: 2 sessions.*Dormant: 1 session;.*Next: `maestro new/s);
    expect(output.stderr).toBe('warning: an odd thing\n');
    expect(daemon).toMatchObject({ argv: ['--listen', '127.0.0.1:0'], cwd: '/' });
    expect(daemon.env).toMatchObject({ KEPT: '1', MAESTRO_STATE_DIR: state, MAESTRO_CONFIG: join(process.cwd(), 'c.toml') });
    expect(Object.keys(daemon.env)).not.toContain('MAESTRO_SESSION_ID');
    const fields = (await readFile(`/proc/${daemon.pid}/stat`, 'latin1')).replace(/^.*\) /, '').split(' ');
    expect(Number(fields[3])).toBe(daemon.pid);
    expect(await status()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Maestro 0\.1\.0 on fake, pid \d+, up 1m.*2 running, 1 dormant, 0 dead/s),
    });
  });

  test('a second one says that it runs already: no error detached, an error in the foreground', async () => {
    await up(['--detach']).ended;
    const [second, third] = [up(['--detach', '--json']), up([])];
    expect(await Promise.all([second.ended, third.ended])).toEqual([0, 1]);
    expect(JSON.parse(second.output.stdout)).toMatchObject({ already_running: true, pid: (await seen()).pid, listen: '127.0.0.1:7433' });
    expect(third.output.stderr).toMatch(/Maestro already runs: http:\/\/127\.0\.0\.1:7433 \(pid \d+\); maestro down stops it/);
  });

  test('the log and the directory are private', async () => {
    await up(['--detach']).ended;
    expect((await stat(join(state, 'daemon.log'))).mode & 0o777).toBe(0o600);
    expect((await stat(state)).mode & 0o777).toBe(0o700);
  });

  test('a refused start tells the daemon’s reason', async () => {
    const { output, ended } = up(['--detach'], { FAKE: 'refuse' });
    expect(await ended).toBe(1);
    expect(output.stderr).toContain('maestro: config.toml:3: leader: expected a key\n');
  });

  test('a daemon that dies at once shows its last words', async () => {
    const { output, ended } = up(['--detach'], { FAKE: 'crash' });
    expect(await ended).toBe(1);
    expect(output.stderr).toMatch(/fatal cannot go on.*maestro: the daemon ended before it was ready \(code 70\)/s);
  });

  test('nothing is written to a directory that others may write', async () => {
    await mkdir(state);
    await chmod(state, 0o777);
    const { output, ended } = up(['--detach']);
    expect(await ended).toBe(1);
    expect(output.stderr).toContain(`maestro: other users may write to ${state}`);
    await expect(stat(join(state, 'daemon.log'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('without tmux it says how to get it', async () => {
    const { output, ended } = up(['--detach'], { PATH: dir });
    expect(await ended).toBe(1);
    expect(output.stderr).toMatch(/tmux is missing: Maestro needs tmux 3\.2 or newer; get it with: install tmux/);
  });
});

describe('up', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s to its whole process group stops the daemon once, in order', async (signal) => {
    const { child, output, ended } = up([], { FAKE: 'slow' });
    await until('the daemon to be ready', () => output.stdout.includes('Next:'));
    const { pid = 0 } = child;
    process.kill(-pid, signal);
    await until('the daemon to hear of it', async () => (await seen()).signals.length > 0);
    process.kill(-pid, signal);
    await writeFile(join(state, 'go'), '');
    expect(await ended).toBe(0);
    expect((await seen()).signals).toEqual(['SIGTERM']);
    expect(output.stdout).toContain('Maestro stopped; 2 sessions keep running in tmux. `maestro up` takes them back.');
    expect(output.stderr).toMatch(/\d info {2}starting.*\d info {2}stopped/s);
  });

  test('a daemon that is killed is told', async () => {
    const { output, ended } = up([], { FAKE: 'die' });
    expect(await ended).toBe(1);
    expect(output.stderr).toMatch(/maestro: the daemon ended unexpectedly \(SIGKILL\); its log: .*daemon\.log/);
  });

  test('a refused start ends it', async () => {
    const { output, ended } = up([], { FAKE: 'refuse' });
    expect(await ended).toBe(1);
    expect(output.stderr).toContain('maestro: config.toml:3: leader: expected a key\n');
  });

  test('one that is stopped or killed keeps no daemon from working', async () => {
    const { child, output, ended } = up([]);
    await until('the daemon to be ready', () => output.stdout.includes('Next:'));
    child.kill('SIGSTOP');
    expect((await status()).code).toBe(0);
    child.kill('SIGKILL');
    await ended;
    expect((await status()).code).toBe(0);
  });
});

describe('down', () => {
  test('stops the daemon, waits for its end, and says what goes on', async () => {
    await up(['--detach']).ended;
    const { pid } = await seen();
    const down = await runMaestro(['down', '--state-dir', state]);
    expect(down).toEqual({
      code: 0,
      stdout: 'Maestro stopped; 2 sessions keep running in tmux. `maestro up` takes them back.\n',
      stderr: '',
    });
    expect(isAlive(pid) && !(await isZombie(pid))).toBe(false);
    expect((await status()).code).toBe(3);
  });
});

async function isZombie(pid: number): Promise<boolean> {
  return /\) Z /.test(await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ''));
}

test('the daemon never believes to be in a session or in a tmux', () => {
  const env = {
    MAESTRO_SESSION_ID: 'a',
    MAESTRO_RUN: '1',
    MAESTRO_SOCKET: 'b',
    TMUX: 'c',
    TMUX_PANE: '%1',
    PATH: '/bin',
    GONE: undefined,
    MAESTRO_CONFIG: '/c',
  };
  expect(daemonEnv(env, '/s')).toEqual({ PATH: '/bin', MAESTRO_STATE_DIR: '/s', MAESTRO_CONFIG: '/c' });
});
