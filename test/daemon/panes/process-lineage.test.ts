import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ProcessLineage } from '../../../src/daemon/panes/process-lineage.js';
import { ProcessTable } from '../../../src/daemon/panes/process-table.js';
import { ProcessTree } from '../../../src/daemon/panes/process-tree.js';
import { ProcfsProcesses } from '../../../src/daemon/panes/procfs-processes.js';
import { systemProcesses } from '../../../src/daemon/panes/system-processes.js';
import { identify } from '../../../src/daemon/process-identity.js';
import { until } from '../../support/until.js';

const NONE = 2 ** 22 + 1;
const pidsOf = (refs: readonly { pid: number }[]) => refs.map(({ pid }) => pid);

describe.each([
  ['looking at each', new ProcessTree({ servers: () => [] })],
  ['one list of all', new ProcessTree({ servers: () => [], list: systemProcesses() })],
])('the lineage of a process by %s', (_, tree) => {
  let ended: Promise<unknown>;
  /** A shell, a shell that it started, and a program that this started. */
  let [outer, inner, sleep] = [0, 0, 0];

  beforeEach(async () => {
    const child = spawn('/bin/sh', ['-c', 'sh -c \'sleep 600 & echo "$PPID $$ $!"; wait\'; :'], { stdio: ['ignore', 'pipe', 'ignore'] });
    ended = once(child, 'exit');
    for await (const line of createInterface(child.stdout)) {
      [outer = 0, inner = 0, sleep = 0] = line.split(' ').map(Number);
      break;
    }
  });
  afterEach(async () => {
    for (const pid of [outer, inner, sleep]) if (await identify(pid)) process.kill(pid, 'SIGKILL');
    await ended;
  });

  test('goes from its parent to the first process of all', async () => {
    const ancestors = await tree.ancestorsOf(sleep);
    expect(pidsOf(ancestors).slice(0, 3)).toEqual([inner, outer, process.pid]);
    expect(ancestors[0]).toMatchObject({ name: 'sh', startedAt: (await identify(inner))?.started });
    expect(pidsOf(await tree.ancestorsOf(process.pid))).toEqual(pidsOf(ancestors).slice(3));
    expect(await tree.ancestorsOf(NONE)).toEqual([]);
  });

  test('tells whether it is within another', async () => {
    expect(await Promise.all([tree.isWithin(sleep, outer), tree.isWithin(sleep, inner), tree.isWithin(outer, outer)])).toEqual([
      true,
      true,
      true,
    ]);
    expect(await Promise.all([tree.isWithin(outer, sleep), tree.isWithin(process.pid, outer), tree.isWithin(NONE, NONE)])).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('goes down to all that descend from it', async () => {
    expect(pidsOf(await tree.processesUnder(outer))).toEqual([outer, inner, sleep]);
    expect(pidsOf(await tree.processesUnder(process.pid))).toEqual(expect.arrayContaining([process.pid, outer, inner, sleep]));
    process.kill(sleep, 'SIGKILL');
    await until('the shells to end', async () => (await tree.processesUnder(outer)).length === 0);
    expect(await tree.processesUnder(NONE)).toEqual([]);
  });
});

test.runIf(process.platform === 'linux')('the children of every thread are found', async () => {
  const script = `const { Worker } = require('node:worker_threads');
    new Worker("require('node:child_process').spawn('sleep', ['600']).on('spawn', () => console.log('up'))", { eval: true });`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  const tree = new ProcessTree({ servers: () => [] });
  let found: Awaited<ReturnType<ProcessTree['processesUnder']>> = [];
  try {
    await once(child.stdout, 'data');
    found = await tree.processesUnder(child.pid ?? 0);
    expect(found.map(({ name }) => name)).toContain('sleep');
  } finally {
    const end = once(child, 'exit');
    for (const { pid } of found.length > 0 ? found : [{ pid: child.pid ?? 0 }]) process.kill(pid, 'SIGKILL');
    await end;
  }
});

describe('a system that does not tell the children of a process', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'm-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  test('is asked for all of its processes', async () => {
    for (const [pid, parent] of [
      [5, 1],
      [6, 5],
    ]) {
      await mkdir(join(root, `${pid}`));
      await writeFile(join(root, `${pid}`, 'stat'), `${pid} (x) S ${parent} 5 5 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 7 4096 1`);
    }
    const near = new ProcfsProcesses({ root });
    const lineage = new ProcessLineage({ table: async () => new ProcessTable(await near.list()), near });
    expect(await near.childrenOf(5)).toBeUndefined();
    expect(pidsOf(await lineage.under(5))).toEqual([5, 6]);
  });
});

test('processes that take each other’s pid while they are looked at end the walk', async () => {
  const entry = { session: '1', leads: false, stopped: false, tag: undefined, name: 'x', startedAt: '1' };
  const table = new ProcessTable([
    { ...entry, pid: 7, parent: 8 },
    { ...entry, pid: 8, parent: 7 },
  ]);
  const lineage = new ProcessLineage({ table: () => Promise.resolve(table) });
  expect(pidsOf(await lineage.ancestorsOf(7))).toEqual([8]);
  expect(await lineage.isWithin(7, 9)).toBe(false);
  expect(pidsOf(await lineage.under(7))).toEqual([7, 8]);
});
