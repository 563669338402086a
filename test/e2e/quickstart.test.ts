import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Host, Session } from '../../src/protocol/index.js';
import { TmuxTerminal } from '../cli/attach/tmux-terminal.js';
import { isAlive, TestHost } from '../support/daemon-process.js';
import { until } from '../support/until.js';

const run = promisify(execFile);
const MAESTRO = join(import.meta.dirname, '../../bin/maestro.js');

let host: TestHost;
beforeEach(async () => {
  host = await TestHost.create();
});
afterEach(() => host[Symbol.asyncDispose]());

/** Runs the command as a user would; rejects with its status as `code`. */
async function maestro(...words: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [MAESTRO, ...words], { env: host.env, cwd: host.dir });
  return stdout;
}

const json = async <T>(...words: string[]): Promise<T> => JSON.parse(await maestro(...words, '--json')) as T;
const statusOf = (words: string[]): Promise<number> =>
  maestro(...words).then(
    () => 0,
    (error: { code?: number }) => error.code ?? -1,
  );

async function terminal(words: string): Promise<TmuxTerminal> {
  return TmuxTerminal.open(`trap : INT; cd '${host.dir}'; '${process.execPath}' '${MAESTRO}' ${words}; echo "status:$?"; exec cat`, {
    dir: host.dir,
    env: { ...host.env, TERM: 'screen' },
    size: { cols: 100, rows: 30 },
  });
}

test('a day with Maestro: start, work, attach, lose the daemon, lose tmux, and find everything again', async () => {
  await using console = await terminal('up');
  await console.shows('Maestro runs: http://127.0.0.1:');
  await console.shows('Next:');

  await maestro('new', '--name', 'demo', '--', 'echo "life $MAESTRO_RUN"; exec cat');
  const [demo] = await json<Session[]>('ls');
  expect(demo).toMatchObject({ status: 'running', metadata: { name: 'demo' }, cwd: host.dir });
  const { id } = demo as Session;

  await console.tmux('kill-server').catch(() => undefined);
  await until('the daemon to have gone with its terminal', async () => (await statusOf(['status'])) === 3);
  await maestro('up', '--detach');

  {
    await using viewer = await terminal('attach demo');
    await viewer.shows('life 1');
    await viewer.type('typed-by-hand', 'Enter');
    await viewer.shows(/typed-by-hand\n[\s\S]*typed-by-hand/);
    await until('the session to have the size of the terminal', async () => (await json<Session[]>('ls'))[0]?.size.cols === 100);
    await viewer.type('C-b', 'd');
    await viewer.shows('detached from demo');
    await viewer.shows('status:0');
  }

  const { pid } = await json<Host>('status');
  process.kill(pid, 'SIGKILL');
  await until('the daemon to be gone', () => !isAlive(pid));
  expect(await statusOf(['ls'])).toBe(3);
  await maestro('up', '--detach');
  expect((await json<Session[]>('ls'))[0]).toMatchObject({ id, status: 'running' });
  expect(await maestro('read', 'demo')).toContain('typed-by-hand');

  await until('the words to be on disk', async () =>
    (await readFile(join(host.state, 'scrollback', `${id}.bin`))).includes('typed-by-hand'),
  );
  await host.killTmux();
  await until('the session to be dormant', async () => (await json<Session[]>('ls'))[0]?.status === 'dormant');
  expect(await statusOf(['read', 'demo'])).toBe(1);
  await maestro('resume', '--all');
  await until('the second life', async () => (await maestro('read', 'demo')).includes('life 2'));
  const scrollback = await maestro('read', 'demo', '--scrollback', '--raw');
  expect(scrollback.indexOf('life 1')).toBeGreaterThanOrEqual(0);
  expect(scrollback.indexOf('life 2')).toBeGreaterThan(scrollback.indexOf('typed-by-hand'));

  await maestro('stop', 'demo');
  await maestro('kill', '-y', 'demo');
  expect(await json<Session[]>('ls')).toEqual([]);
  await maestro('down');
  expect(await statusOf(['down'])).toBe(3);
}, 120_000);

test('Ctrl-C stops the daemon once, leaves the sessions running, and says so', async () => {
  await using console = await terminal('up');
  await console.shows('Next:');
  await maestro('new', '--name', 'stays', '--', 'exec sleep 1000');
  await console.type('C-c');
  await console.shows('1 session keeps running in tmux');
  await console.shows('status:0');
  expect(await host.panes()).toHaveLength(1);
  expect(await statusOf(['status'])).toBe(3);
});

test('the words behind -- reach the program exactly, and one word is shell text', async () => {
  await host.start();
  const words = ['a b', "it's", '$HOME', ';', '#(touch x)', '', '*', '"q"', '-n', '😀'];
  await maestro(
    'new',
    '--name',
    'exact',
    '--',
    process.execPath,
    '-e',
    'console.log(JSON.stringify(process.argv.slice(1))); setInterval(() => {}, 1e6)',
    '--',
    ...words,
  );
  await until('the words', async () => (await maestro('read', 'exact')).includes(JSON.stringify(words)));
  await maestro('new', '--name', 'shell', '--', 'echo $((6 * 7)) | tr 2 3; exec sleep 1000');
  await until('the shell', async () => (await maestro('read', 'shell')).includes('43'));
});

test('doctor finds a healthy host healthy, with and without a daemon', async () => {
  await maestro('up', '--detach');
  const checks = await json<{ findings?: unknown }>('doctor');
  expect(JSON.stringify(checks)).not.toContain('"fail"');
  await maestro('down');
  expect(await statusOf(['doctor'])).toBe(0);
});
