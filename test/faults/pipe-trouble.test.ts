import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestHost } from '../support/daemon-process.js';
import { PtyViewer } from '../support/pty-viewer.js';
import { until } from '../support/until.js';

const run = promisify(execFile);

let host: TestHost;
beforeEach(async () => {
  host = await TestHost.started({ env: { MAESTRO_LIVENESS_INTERVAL: '50ms' } });
});
afterEach(async () => {
  await host[Symbol.asyncDispose]();
});

/** The processes that carry the sessions' output to their fifos. */
async function carriers(): Promise<number[]> {
  const { stdout } = await run('ps', ['-o', 'pid=,comm=', '--ppid', String(await host.tmuxPid())]);
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/));
  return rows.filter(([, name]) => name === 'cat').map(([pid]) => Number(pid));
}

const carrier = () => until('the pipe', async () => (await carriers())[0]);
const input = (id: string, text: string) => host.call('POST', `/api/sessions/${id}/input`, { text, submit: true });
const scrollbackHas = (id: string, text: string) => until(text, async () => (await host.scrollback(id)).includes(text));

test('T2: a pipe whose process is stopped is noticed by the output that is missing, and armed afresh; the viewer is told of a gap', async () => {
  const { id } = await host.create({ command: 'exec cat' });
  await using viewer = await PtyViewer.open(host, id);
  await input(id, 'before');
  await viewer.sees('before\r\nbefore');
  const stopped = await carrier();
  process.kill(stopped, 'SIGSTOP');
  const epoch = (await host.sidecar(id)).epoch as number;
  try {
    await until('words that tmux has', async () => {
      await input(id, 'during');
      return (await host.sidecar(id)).epoch === epoch + 1;
    });
    await input(id, 'after');
    await viewer.frame('gap');
    await viewer.sees('after');
    expect(viewer.shown.toString()).toMatch(/before[\s\S]*during[\s\S]*after/);
  } finally {
    process.kill(stopped, 'SIGCONT');
  }
  await scrollbackHas(id, 'after');
});

test('T2: a session that prints nothing, or prints without end, keeps its pipe and its epoch', async () => {
  const silent = await host.create({ command: 'exec cat' });
  const loud = await host.create({ command: 'while :; do echo words; sleep 0.01; done' });
  const lines = async () => (await host.scrollback(loud.id)).toString().split('words').length;
  await until('output that many looks at tmux have seen', async () => (await lines()) > 300);
  for (const { id } of [silent, loud]) expect((await host.sidecar(id)).epoch).toBe(1);
});

test('a deleted run/pty directory is made again when it is needed; sessions that run are not disturbed', async () => {
  const { id } = await host.create({ command: 'exec cat' });
  await input(id, 'read');
  await scrollbackHas(id, 'read');
  await rm(join(host.state, 'run', 'pty'), { recursive: true });
  await input(id, 'still-read');
  await scrollbackHas(id, 'still-read');
  process.kill(await carrier(), 'SIGKILL');
  await until('a new epoch', async () => (await host.sidecar(id)).epoch === 2);
  await input(id, 'again');
  await scrollbackHas(id, 'again');
  await host.create({ command: 'exec cat' });
  expect((await readdir(join(host.state, 'run', 'pty'))).filter((name) => name.startsWith(id))).toEqual([`${id}.2.fifo`]);
});

test('a deleted fifo is replaced once its process ends, and the output goes on', async () => {
  const { id } = await host.create({ command: 'exec cat' });
  await input(id, 'read');
  await scrollbackHas(id, 'read');
  const fifo = join(host.state, 'run', 'pty', `${id}.1.fifo`);
  await rm(fifo);
  await writeFile(fifo, 'no fifo');
  process.kill(await carrier(), 'SIGKILL');
  await until('a new epoch', async () => (await host.sidecar(id)).epoch === 2);
  await input(id, 'again');
  await scrollbackHas(id, 'again');
});

test('L3: a deleted run directory is made again: tmux is reached, pastes and new sessions work, and the daemon can be stopped', async () => {
  const { id } = await host.create({ command: 'exec cat' });
  await input(id, 'read');
  await scrollbackHas(id, 'read');
  const pid = await host.tmuxPid();
  await rm(join(host.state, 'run'), { recursive: true });
  await until('the sockets', () => ['maestro.sock', 'tmux.sock'].every((name) => existsSync(join(host.state, 'run', name))));
  await until('a paste', async () => (await input(id, 'pasted')).status === 200);
  await scrollbackHas(id, 'pasted');
  expect((await host.callLocal('GET', '/api/health')).status).toBe(200);
  expect((await host.create({ command: 'exec cat' })).status).toBe('running');
  expect(await host.refusal()).toMatchObject({ code: 'already_running' });
  await host.restart('SIGKILL');
  expect(await host.tmuxPid()).toBe(pid);
  expect((await host.session(id)).status).toBe('running');
});
