import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { TestHost } from '../support/daemon-process.js';
import { until } from '../support/until.js';

const run = promisify(execFile);

let host: TestHost;
afterEach(() => host[Symbol.asyncDispose]());

/** The processes that carry a session's output to its fifo. */
async function carriers(): Promise<number[]> {
  const { stdout } = await run('ps', ['-o', 'pid=,comm=', '--ppid', String(await host.tmuxPid())]);
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, name]) => name === 'cat')
    .map(([pid]) => Number(pid));
}

const input = (id: string, text: string) => host.call('POST', `/api/sessions/${id}/input`, { text, submit: true });

test('a pipe that somebody ends is armed afresh: what was printed before and after is there once, under a new epoch', async () => {
  host = await TestHost.started();
  const { id } = await host.create({ command: 'seq -f "before-%04g" 1 200; exec cat' });
  await host.shows(id, 'before-0200');
  const before = (await host.sidecar(id)).epoch as number;
  for (let round = 1; round <= 3; round += 1) {
    const [carrier] = await until('the pipe', async () => {
      const found = await carriers();
      return found.length === 1 ? found : undefined;
    });
    if (carrier === undefined) throw new Error('no pipe was found');
    process.kill(carrier, 'SIGKILL');
    await until('a new epoch', async () => (await host.sidecar(id)).epoch === before + round);
    await until('a new pipe', async () => (await carriers()).some((pid) => pid !== carrier));
    await input(id, `after-${round}`);
  }
  const words = await until('all of it', async () => {
    const all = (await host.scrollback(id)).toString();
    return all.includes('after-3') ? all : undefined;
  });
  for (let n = 1; n <= 200; n += 1) expect(words.split(`before-${String(n).padStart(4, '0')}`)).toHaveLength(2);
  for (const round of [1, 2]) expect(words.split(`after-${round}\r\n`).length - 1).toBeGreaterThanOrEqual(2);
  const fifos = (await readdir(join(host.state, 'run', 'pty'))).filter((name) => name.startsWith(id));
  expect(fifos).toEqual([`${id}.${before + 3}.fifo`]);
  expect((await host.session(id)).status).toBe('running');
});

test('every one of a hundred sessions has its first words, and after many restarts of the daemon each is still followed', async () => {
  host = await TestHost.started();
  const ids = await Promise.all(
    Array.from({ length: 100 }, async (_, n) => (await host.create({ command: `echo mark-${n}-; exec cat` })).id),
  );
  for (let restart = 0; restart < 3; restart += 1) await host.restart();
  await Promise.all(ids.map((id, n) => input(id, `word-${n}-`)));
  for (const [n, id] of ids.entries()) {
    const words = await until(`word-${n}`, async () => {
      const all = (await host.scrollback(id)).toString();
      return all.includes(`word-${n}-`) ? all : undefined;
    });
    expect(words.split(`mark-${n}-`)).toHaveLength(2);
  }
}, 120_000);
