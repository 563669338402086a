import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ProcfsProcesses, parseStat, tagIn } from '../../../src/daemon/panes/procfs-processes.js';

describe.runIf(process.platform === 'linux')('the processes of this system', () => {
  test('are listed with this one, its parent and its environment', async () => {
    const entries = await new ProcfsProcesses().list();
    const own = entries.find(({ pid }) => pid === process.pid);
    expect(own).toMatchObject({ parent: process.ppid, stopped: false, tag: process.env.MAESTRO_SESSION_ID });
    expect(entries.some(({ pid }) => pid === 1)).toBe(true);
    expect(new Set(entries.map(({ pid }) => pid)).size).toBe(entries.length);
  });

  test('tell who leads a process session, who is stopped, and an id behind a long environment', async () => {
    const env = { PATH: process.env.PATH, BIG: 'x'.repeat(120_000), HUGE: 'y'.repeat(120_000), MAESTRO_SESSION_ID: 'of child' };
    const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore', env });
    await once(child, 'spawn');
    const find = async () => (await new ProcfsProcesses().list()).find(({ pid }) => pid === child.pid);
    try {
      expect(await find()).toMatchObject({ name: 'sleep', leads: true, session: String(child.pid), stopped: false, tag: 'of child' });
      child.kill('SIGSTOP');
      await expect.poll(async () => (await find())?.stopped).toBe(true);
    } finally {
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    }
    expect(await find()).toBeUndefined();
  });
});

describe.runIf(process.platform === 'linux')('a system', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'm-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  async function add(pid: number, start = 7): Promise<string> {
    const directory = join(root, String(pid));
    await mkdir(directory);
    await writeFile(join(directory, 'stat'), `${pid} (x) S 1 ${pid} ${pid} 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 ${start} 4096 1`);
    return join(directory, 'environ');
  }

  test('is listed although a process comes and goes, and has files that are no processes', async () => {
    await writeFile(await add(5), 'A=1\0MAESTRO_SESSION_ID=five\0');
    await mkdir(join(root, '6'));
    await add(7);
    await mkdir(join(root, 'self'));
    const entries = await new ProcfsProcesses({ root }).list();
    const tags = new Map(entries.map(({ pid, tag }) => [pid, tag]));
    expect(tags).toEqual(
      new Map([
        [5, 'five'],
        [7, undefined],
      ]),
    );
  });

  test('is listed although an environment cannot be read for as long as its process hangs, which is tried once', async () => {
    const fifo = await add(5);
    execFileSync('mkfifo', [fifo]);
    await writeFile(await add(6), 'MAESTRO_SESSION_ID=six\0');
    const processes = new ProcfsProcesses({ root, waitMs: 1500 });
    const tags = async () => new Map((await processes.list()).map(({ pid, tag }) => [pid, tag]));
    try {
      for (let round = 0; round < 6; round += 1)
        expect(await tags()).toEqual(
          new Map([
            [5, undefined],
            [6, 'six'],
          ]),
        );
    } finally {
      const writer = await open(fifo, 'w');
      await writer.write('MAESTRO_SESSION_ID=five\0');
      await writer.close();
    }
    await rm(fifo);
    await writeFile(fifo, 'MAESTRO_SESSION_ID=five\0');
    await expect.poll(tags).toEqual(
      new Map([
        [5, 'five'],
        [6, 'six'],
      ]),
    );
  });

  test('that cannot be read is an error', async () => {
    await expect(new ProcfsProcesses({ root: join(root, 'none') }).list()).rejects.toThrow('ENOENT');
    await rm(await add(5), { force: true });
    await mkdir(join(root, '5', 'environ'));
    await expect(new ProcfsProcesses({ root }).list()).rejects.toThrow('EISDIR');
  });
});

describe('a line of /proc/PID/stat', () => {
  const line = (name: string, state: string, threads = 1) =>
    `41 (${name}) ${state} 7 41 41 34816 41 4194304 1 0 0 0 0 0 0 0 20 0 ${threads} 0 987654 2 3 4`;

  test('is read whatever the program is called', () => {
    for (const name of ['sleep', 'a b', ') S 1 (', 'x) R 9 9 9', '']) {
      expect(parseStat(line(name, 'S'))).toEqual({
        ...{ pid: 41, name, parent: 7, session: '41', leads: true, stopped: false, startedAt: '987654', isKernel: false },
      });
    }
  });

  test('tells who is stopped or traced', () => {
    expect(['R', 'S', 'D', 'T', 't', 'I'].map((state) => parseStat(line('x', state))?.stopped)).toEqual([
      false,
      false,
      false,
      true,
      true,
      false,
    ]);
  });

  test('tells the kernel’s own processes, which have no memory', () => {
    expect(parseStat(line('kworker/0:1', 'I').replace('987654 2', '987654 0'))?.isKernel).toBe(true);
  });

  test('of a zombie counts as none, unless other threads of the program go on', () => {
    expect(parseStat(line('x', 'Z'))).toBeUndefined();
    expect(parseStat(line('x', 'X'))).toBeUndefined();
    expect(parseStat(line('x', 'Z', 3))?.pid).toBe(41);
  });
});

test('the id is a variable of that very name', () => {
  const of = (...entries: string[]) => tagIn(Buffer.from(entries.map((entry) => `${entry}\0`).join('')));
  expect(of('MAESTRO_SESSION_ID=a')).toBe('a');
  expect(of('A=1', 'MAESTRO_SESSION_ID=a b=ü', 'B=')).toBe('a b=ü');
  expect(of('X_MAESTRO_SESSION_ID=x', 'A=MAESTRO_SESSION_ID=y', 'MAESTRO_SESSION_ID=z')).toBe('z');
  expect(of('MAESTRO_SESSION_IDS=x', 'A=MAESTRO_SESSION_ID=y')).toBeUndefined();
  expect(tagIn(Buffer.from('MAESTRO_SESSION_ID=cut'))).toBe('cut');
  expect(of()).toBeUndefined();
});
