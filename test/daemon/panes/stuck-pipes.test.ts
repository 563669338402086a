import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TmuxPanes } from '../../../src/daemon/panes/tmux-panes.js';
import { TmuxSandbox } from '../../support/tmux-server.js';
import { until } from '../../support/until.js';

let sandbox: TmuxSandbox;
let panes: TmuxPanes;

beforeEach(async () => {
  sandbox = await TmuxSandbox.create("it's #[x]");
  panes = await sandbox.start();
});

afterEach(() => sandbox[Symbol.asyncDispose]());

/** Shells that wait for a reader of a fifo. */
async function waiting(): Promise<number[]> {
  const all = await sandbox.processes();
  const lines = await Promise.all(all.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return all.filter((_, index) => lines[index]?.includes('\0exec cat >'));
}

/** A pane with a pipe whose reader went away before the shell opened it. */
async function startStuck(): Promise<void> {
  const fifo = await sandbox.fifo();
  fifo.close();
  const before = await waiting();
  await panes.newSessionPiped(sandbox.spec('exec sleep 100', fifo));
  await until('a shell to wait', async () => (await waiting()).length === before.length + 1);
}

test('pipe shells that wait for a reader are ended, those of a server that is gone too', async () => {
  await startStuck();
  const pid = panes.serverIdentity?.pid ?? 0;
  process.kill(pid, 'SIGKILL');
  await until('the server to be gone', () => panes.state === 'gone');
  await panes.ensureServer();
  await startStuck();
  expect(await waiting()).toHaveLength(2);
  expect(await panes.endStuckPipes(sandbox.fifoDir)).toBe(2);
  await until('them to be gone', async () => (await waiting()).length === 0);
  expect(await panes.endStuckPipes(sandbox.fifoDir)).toBe(0);
});

test('pipes that flow, other directories and shells that are not of tmux are left alone', async () => {
  const fifo = await sandbox.fifo();
  const pane = await panes.newSessionPiped(sandbox.spec('stty raw -echo; echo READY; exec cat', fifo));
  await fifo.until('READY');
  await startStuck();
  expect(await panes.endStuckPipes(join(sandbox.root, 'elsewhere'))).toBe(0);
  const env = { PATH: process.env.PATH ?? '', HOME: sandbox.home };
  const unread = await sandbox.fifo();
  unread.close();
  const command = `exec cat >'${unread.path.replaceAll("'", "'\\''").replaceAll('#', "#''")}'`;
  const own = spawn('sh', ['-c', command], { env, stdio: 'ignore', detached: true });
  await until('both to wait', async () => (await waiting()).length === 2);
  expect(await panes.endStuckPipes(sandbox.fifoDir)).toBe(1);
  await until('one to be gone', async () => (await waiting()).length === 1);
  expect(await waiting()).toEqual([own.pid]);
  await panes.sendBytes(pane, Buffer.from('still here'));
  await fifo.until('still here');
});
