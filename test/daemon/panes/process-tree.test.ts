import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ProcessRef } from '../../../src/daemon/panes/process-table.js';
import { ProcessTree } from '../../../src/daemon/panes/process-tree.js';
import { systemProcesses } from '../../../src/daemon/panes/system-processes.js';
import { identify } from '../../../src/daemon/process-identity.js';

const run = promisify(execFile);
const PATH = process.env.PATH ?? '/usr/bin:/bin';
const NODE = process.execPath;

/** Longer than the test may take: what waits for it in vain makes the test fail. */
const FOREVER_MS = 600_000;

let directory: string;
let sessionId: string;
/** Whatever a test started, to be ended if the code under test does not. */
let started: number[];
const tree = new ProcessTree({ servers: () => [] });

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'm-'));
  sessionId = randomUUID();
  started = [];
});
afterEach(async () => {
  for (const pid of new Set(started)) if (await identify(pid)) process.kill(pid, 'SIGKILL');
  await rm(directory, { recursive: true });
});

interface StartOptions {
  readonly env?: Record<string, string>;
  /** How many pids the script writes to `$PIDS`. */
  readonly pids?: number;
}

/** Runs a script as a pane runs its wrapper: leader of its own process session, with the session's id in its environment. */
async function start(
  script: string,
  { env = { MAESTRO_SESSION_ID: sessionId }, pids = 0 }: StartOptions = {},
): Promise<{ root: number; pids: number[]; file: string }> {
  const file = join(directory, randomUUID());
  const child = spawn('/bin/sh', ['-c', script], {
    detached: true,
    stdio: 'ignore',
    env: { PATH, NODE, PIDS: file, DIR: directory, ...env },
  });
  const root = await pidOf(child);
  const found = await vi.waitFor(
    async () => {
      const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').slice(0, -1).map(Number);
      expect(lines.length).toBeGreaterThanOrEqual(pids);
      return lines;
    },
    { timeout: 20_000, interval: 5 },
  );
  started.push(...found);
  return { root, pids: found, file };
}

async function pidOf(child: ChildProcess): Promise<number> {
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  if (child.pid === undefined) throw new Error('no pid');
  started.push(child.pid);
  return child.pid;
}

async function living(pids: readonly number[]): Promise<number[]> {
  const identities = await Promise.all(pids.map(identify));
  return pids.filter((_, index) => identities[index] !== undefined);
}

async function received(): Promise<string> {
  return readFile(join(directory, 'got'), 'utf8').catch(() => '');
}

const DEAF_NODE = `"$NODE" -e '["SIGHUP", "SIGTERM", "SIGINT"].forEach((name) => process.on(name, () => {})); setInterval(() => {}, 1000);
  require("fs").appendFileSync(process.env.PIDS, process.pid + "\\n")' &`;
const DETACHED_NODE = `"$NODE" -e 'const child = require("child_process").spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
  child.unref(); require("fs").appendFileSync(process.env.PIDS, child.pid + "\\n")'`;

describe('L2: the whole tree is gone after a kill, also', () => {
  test.each([
    ['a plain child', 1, 'sleep 60 & echo $! >>$PIDS; wait'],
    ['a child that nohup shields', 1, 'nohup sleep 60 >/dev/null & echo $! >>$PIDS; wait'],
    ['a leader that ignores SIGHUP, and its child', 1, 'trap "" HUP; sleep 60 & echo $! >>$PIDS; wait'],
    ['a node that ignores SIGHUP, SIGTERM and SIGINT', 1, `${DEAF_NODE} wait`],
    ['a daemon with a process session of its own', 1, "setsid sh -c 'echo $$ >>$PIDS; sleep 60' & sleep 60"],
    ['a child that node detached, whose parent has ended', 1, `${DETACHED_NODE}; sleep 60`],
    ['a double fork that left the process session, found by the id it carries', 1, "setsid sh -c 'sleep 60 & echo $! >>$PIDS'; sleep 60"],
    ['a child whose environment is clean', 1, 'env -i sleep 60 & echo $! >>$PIDS; wait'],
    ['an orphan whose environment is clean, found by its process session', 1, '(env -i sleep 60 & echo $! >>$PIDS); sleep 60'],
    [
      'a grandchild with a clean environment in a process session of its own',
      1,
      "setsid sh -c 'env -i sleep 60 & echo $! >>$PIDS; wait' & sleep 60",
    ],
    ['one that was stopped', 1, 'sleep 60 & echo $! >>$PIDS; kill -STOP $!; wait'],
    ['one that is stopped and catches the signals', 1, `sh -c 'trap "exit 0" HUP; echo $$ >>$PIDS; kill -STOP $$; sleep 60' & wait`],
    ['one that ignores all but SIGKILL and is stopped', 1, `sh -c 'trap "" HUP TERM; echo $$ >>$PIDS; kill -STOP $$; sleep 60' & wait`],
    [
      'what a program starts only when it is asked to end',
      1,
      `echo $$ >>$PIDS; trap 'nohup sleep 60 >/dev/null & echo $! >>$PIDS; exit' HUP; while :; do sleep 0.01; done`,
    ],
  ])('%s', async (_, pids, script) => {
    const { root, file } = await start(script, { pids });
    const { ended, survivors } = await tree.endTree({ sessionId, root, graceMs: 400 });
    expect(survivors).toEqual([]);
    expect(ended).toBeGreaterThanOrEqual(2);
    const written = (await readFile(file, 'utf8')).split('\n').slice(0, -1).map(Number);
    started.push(...written);
    expect(await living([root, ...written])).toEqual([]);
  });

  test('a crowd that forks while it is being ended', async () => {
    const script = `crowd() { trap "" HUP TERM; while :; do sh -c 'trap "" HUP TERM; sleep 1' & sleep 0.02; done; }; crowd & crowd & echo $! >>$PIDS; wait`;
    const { root } = await start(script, { pids: 1 });
    expect(await tree.endTree({ sessionId, root, graceMs: 100 })).toMatchObject({ survivors: [] });
    expect(await tree.snapshot({ sessionId })).toEqual([]);
  });
});

describe('L2: the order of signals', () => {
  test('is SIGHUP and no more when that is enough, and nothing is waited for then', async () => {
    const { root } = await start(
      'trap "echo HUP >>$DIR/got; exit" HUP; trap "echo TERM >>$DIR/got; exit" TERM; echo $$ >>$PIDS; while :; do sleep 0.01; done',
      {
        pids: 1,
      },
    );
    expect(await tree.endTree({ sessionId, root, graceMs: FOREVER_MS })).toMatchObject({ survivors: [] });
    expect(await received()).toBe('HUP\n');
  });

  test('goes on to SIGTERM, and once only, when SIGHUP had its time', async () => {
    const { root } = await start(
      'trap "echo HUP >>$DIR/got" HUP; trap "echo TERM >>$DIR/got; exit" TERM; echo $$ >>$PIDS; while :; do sleep 0.01; done',
      {
        pids: 1,
      },
    );
    expect(await tree.endTree({ sessionId, root, graceMs: 300 })).toMatchObject({ survivors: [] });
    expect(await received()).toBe('HUP\nTERM\n');
  });

  test('leaves a program the time to end in its own way, and alone what it starts for that', async () => {
    const { root } = await start('trap "sleep 0.3 && echo saved >>$DIR/got; exit" HUP; echo $$ >>$PIDS; while :; do sleep 0.01; done', {
      pids: 1,
    });
    await tree.endTree({ sessionId, root, graceMs: FOREVER_MS });
    expect(await received()).toBe('saved\n');
  });

  test('ends when the caller gives up', async () => {
    const { root } = await start('trap "echo HUP >>$DIR/got" HUP; echo $$ >>$PIDS; while :; do sleep 0.01; done', { pids: 1 });
    const stop = new AbortController();
    const ending = tree.endTree({ sessionId, root, graceMs: FOREVER_MS, signal: stop.signal });
    await vi.waitFor(async () => expect(await received()).toBe('HUP\n'), { timeout: 10_000 });
    stop.abort(new Error('no longer'));
    await expect(ending).rejects.toThrow('no longer');
    expect(await living([root])).toEqual([root]);
    await tree.endTree({ sessionId, root, graceMs: 100 });
  });
});

describe('K1: nothing else is touched', () => {
  async function bystander(env: Record<string, string>): Promise<ProcessRef> {
    const { root } = await start('echo $$ >>$PIDS; exec sleep 60', { env, pids: 1 });
    const entry = (await systemProcesses()()).find(({ pid }) => pid === root);
    if (entry === undefined) throw new Error('it is not listed');
    return entry;
  }

  test('no process without the id, with another id, or with an id that only begins alike', async () => {
    const others = [
      await bystander({}),
      await bystander({ MAESTRO_SESSION_ID: randomUUID() }),
      await bystander({ MAESTRO_SESSION_ID: `${sessionId}0` }),
      await bystander({ X_MAESTRO_SESSION_ID: sessionId, OTHER: `MAESTRO_SESSION_ID=${sessionId}` }),
    ].map(({ pid }) => pid);
    const { root } = await start('sleep 60 & wait');
    await tree.endTree({ sessionId, root });
    await tree.endTree({ sessionId });
    expect(await living([root, ...others])).toEqual(others);
  });

  test('no process that has the pid of a wrapper that ended long ago', async () => {
    const unmarked = await bystander({});
    const marked = await bystander({ MAESTRO_SESSION_ID: randomUUID() });
    for (const { pid } of [unmarked, marked]) {
      expect(await tree.snapshot({ sessionId, root: pid })).toEqual([]);
      expect(await tree.endTree({ sessionId, root: pid })).toEqual({ ended: 0, survivors: [] });
    }
    expect(await living([unmarked.pid, marked.pid])).toHaveLength(2);
  });

  test('no process that has the pid of one that was found earlier', async () => {
    const other = await bystander({});
    const former = { ...other, startedAt: `${other.startedAt}0` };
    await tree.endTree({ sessionId, known: [former] });
    expect(await living([other.pid])).toEqual([other.pid]);
    await tree.endTree({ sessionId, known: [other] });
    expect(await living([other.pid])).toEqual([]);
  });
});

describe('R10: without a pane', () => {
  test('the processes of a former life are found by the id they carry, with what hangs on them', async () => {
    const { root, pids } = await start("setsid sh -c 'sleep 60 & echo $! >>$PIDS; env -i sleep 60 & echo $! >>$PIDS; wait' & wait", {
      pids: 2,
    });
    process.kill(root, 'SIGKILL');
    await vi.waitFor(async () => expect(await living([root])).toEqual([]), { timeout: 10_000 });
    const found = (await tree.snapshot({ sessionId })).map(({ pid }) => pid);
    expect(found).toEqual(expect.arrayContaining(pids));
    expect(await tree.endTree({ sessionId })).toEqual({ ended: found.length, survivors: [] });
    expect(await living(pids)).toEqual([]);
  });

  test('an orphan that only the process session ties to the wrapper is found while another one of it carries the id', async () => {
    const { root, pids } = await start('(env -i sleep 60 & echo $! >>$PIDS); sleep 60 & echo $! >>$PIDS; wait', { pids: 2 });
    process.kill(root, 'SIGKILL');
    await vi.waitFor(async () => expect(await living([root])).toEqual([]), { timeout: 10_000 });
    await tree.endTree({ sessionId, root });
    expect(await living(pids)).toEqual([]);
  });

  test('what a snapshot found is ended although the ties are gone', async () => {
    const { root, pids } = await start('env -i setsid sleep 60 & wait $!', { pids: 0 });
    const known = await vi.waitFor(
      async () => {
        const found = await tree.snapshot({ sessionId, root });
        expect(found.map(({ name }) => name)).toContain('sleep');
        return found;
      },
      { timeout: 10_000 },
    );
    started.push(...known.map(({ pid }) => pid));
    process.kill(root, 'SIGKILL');
    await tree.endTree({ sessionId, known });
    expect(await living([...pids, ...known.map(({ pid }) => pid)])).toEqual([]);
  });

  test('there is nothing to do when there is nobody', async () => {
    expect(await tree.snapshot({ sessionId })).toEqual([]);
    expect(await tree.endTree({ sessionId, graceMs: FOREVER_MS })).toEqual({ ended: 0, survivors: [] });
  });
});

test('what does not even end on SIGKILL is reported and not waited for', async () => {
  const stuck = { pid: 2 ** 30, startedAt: '1', name: 'stuck', parent: 1, session: '7', leads: false, stopped: false, tag: sessionId };
  const own = new ProcessTree({ servers: () => [], list: async () => [stuck] });
  const { ended, survivors } = await own.endTree({ sessionId, graceMs: 30, killWaitMs: 30 });
  expect({ ended, survivors }).toEqual({ ended: 0, survivors: [{ pid: 2 ** 30, startedAt: '1', name: 'stuck' }] });
});

test('a system that cannot be looked at is an error, not an end', async () => {
  const own = new ProcessTree({ servers: () => [], list: () => Promise.reject(new Error('EMFILE')) });
  await expect(own.endTree({ sessionId })).rejects.toThrow('EMFILE');
});

test('many kills at once share their looks at the system, and each ends its own', async () => {
  const list = vi.fn(systemProcesses());
  const own = new ProcessTree({ servers: () => [], list });
  const ids = Array.from({ length: 30 }, () => randomUUID());
  const roots = await Promise.all(ids.map(async (id) => (await start('sleep 60 & wait', { env: { MAESTRO_SESSION_ID: id } })).root));
  const results = await Promise.all(ids.map((id, index) => own.endTree({ sessionId: id, root: roots[index] })));
  expect(results.map(({ survivors }) => survivors)).toEqual(ids.map(() => []));
  expect(await living(roots)).toEqual([]);
  // Each looks before it signals and behind it, at least.
  expect(list.mock.calls.length).toBeLessThan(2 * ids.length);
});

describe('under a real tmux', () => {
  let socket: string;
  const tmux = async (...args: string[]) => (await run('tmux', ['-S', socket, ...args], { env: { PATH } })).stdout.trim();

  beforeEach(() => {
    socket = join(directory, 's');
  });
  afterEach(async () => {
    const server = await tmux('display-message', '-p', '#{pid}').catch(() => undefined);
    if (server === undefined) return;
    await tmux('kill-server');
    await vi.waitFor(async () => expect(await living([Number(server)])).toEqual([]), { timeout: 10_000 });
  });

  test('L2: a pane’s tree is ended, and neither the server nor another pane with it', async () => {
    await run('tmux', ['-S', socket, '-f', '/dev/null', 'new-session', '-d', '-s', 'other', 'sleep', '60'], { env: { PATH } });
    const script = 'trap "" HUP; setsid sleep 60 & nohup sleep 60 >/dev/null & sleep 60';
    await tmux('new-session', '-d', '-s', 'mine', '-e', `MAESTRO_SESSION_ID=${sessionId}`, 'sh', '-c', script);
    const server = Number(await tmux('display-message', '-p', '#{pid}'));
    const [other, root] = await Promise.all(
      ['=other:', '=mine:'].map(async (pane) => Number(await tmux('list-panes', '-t', pane, '-F', '#{pane_pid}'))),
    );
    if (other === undefined || root === undefined) throw new Error('no panes');
    const own = new ProcessTree({ servers: () => [server] });
    const found = await vi.waitFor(
      async () => {
        const all = (await own.snapshot({ sessionId, root })).map(({ pid }) => pid);
        expect(all).toHaveLength(4);
        return all;
      },
      { timeout: 10_000 },
    );
    started.push(...found);
    expect(await own.endTree({ sessionId, root, graceMs: 300 })).toEqual({ ended: 4, survivors: [] });
    expect(await living([server, other, ...found])).toEqual([server, other]);
  });
});
