import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readAncestors } from '../../../src/cli/hook/ancestors.js';
import { bundleReporter, HookBench } from './hook-bench.js';

const onLinux = test.skipIf(process.platform !== 'linux');

beforeAll(bundleReporter);

onLinux('are the parents up to the first process, the nearest first', () => {
  const ancestors = readAncestors();
  expect(ancestors[0]?.pid).toBe(process.ppid);
  expect(ancestors.at(-1)?.pid).toBe(1);
  const names = ancestors.map(({ pid }) => execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).trim());
  expect(ancestors.map(({ name }) => name)).toEqual(names);
});

onLinux('are told apart from what their names look like', async () => {
  const bench = new HookBench();
  const shell = join(bench.dir, 'a) R 1 (b');
  copyFileSync('/bin/sh', shell);
  const child = spawn(shell, ['-c', `'${process.execPath}' dist/cli/hook.cjs claude; :`], {
    env: bench.env,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin.end('{}');
  await once(child, 'exit');
  expect(bench.reports()[0]?.ancestors.slice(0, 2)).toMatchObject([{ pid: child.pid, name: 'a) R 1 (b' }, { pid: process.pid }]);
});

test('are the nearest parent only where no more can be read', () => {
  expect(readAncestors('darwin')).toEqual([{ pid: process.ppid, name: '' }]);
});
