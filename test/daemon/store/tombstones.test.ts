import { randomUUID } from 'node:crypto';
import { stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Tombstones } from '../../../src/daemon/store/tombstones.js';
import { failureOf } from './failures.js';
import { failingFiles, type Step, scriptedFiles } from './scripted-files.js';
import { temporaryStateDir, withUmask } from './state-dirs.js';

const HOUR = 60 * 60 * 1000;

test('K1: a tombstone is durable before the promise resolves, is a private and empty file, and may be written twice', async () => {
  const dir = await temporaryStateDir();
  const steps: Step[] = [];
  const tombstones = new Tombstones({ dir, files: scriptedFiles((step) => void steps.push(step)) });
  const id = randomUUID();
  await withUmask(0, () => tombstones.bury(id));
  expect(steps).toEqual(['open', 'sync', 'close', 'syncDirectory']);
  const stats = await stat(dir.tombstone(id));
  expect([stats.mode & 0o777, stats.size]).toEqual([0o600, 0]);
  await tombstones.bury(id);
  expect(await tombstones.list()).toEqual([id]);
});

test('only what was buried is found', async () => {
  const dir = await temporaryStateDir();
  const tombstones = new Tombstones({ dir });
  const [one, other] = [randomUUID(), randomUUID()];
  await tombstones.bury(one);
  await writeFile(join(dir.trash, 'notes.txt'), 'not ours');
  expect([await tombstones.has(one), await tombstones.has(other)]).toEqual([true, false]);
  expect(await tombstones.list()).toEqual([one]);
});

test('pruning forgets what is older than 24 h, but nothing younger, nothing from the future and nothing foreign', async () => {
  const dir = await temporaryStateDir();
  const tombstones = new Tombstones({ dir });
  const now = Date.now();
  const ages = { old: 24 * HOUR + 1000, young: 24 * HOUR - 1000, future: -400 * 24 * HOUR };
  const ids: string[] = [];
  for (const age of Object.values(ages)) {
    const id = randomUUID();
    ids.push(id);
    await tombstones.bury(id);
    await utimes(dir.tombstone(id), new Date(), new Date(now - age));
  }
  await writeFile(join(dir.trash, 'notes.txt'), 'not ours');
  await utimes(join(dir.trash, 'notes.txt'), 0, 0);
  expect(await tombstones.prune(undefined, now)).toBe(1);
  expect(new Set(await tombstones.list())).toEqual(new Set(ids.slice(1)));
  await stat(join(dir.trash, 'notes.txt'));
  expect(await tombstones.prune(HOUR, now)).toBe(1);
});

test.each(['open', 'sync', 'close', 'syncDirectory'] as const)(
  'a tombstone that cannot be written is storage_failed: %s',
  async (failing) => {
    const dir = await temporaryStateDir();
    const files = failingFiles(new Set<Step>([failing]));
    const error = await failureOf(new Tombstones({ dir, files }).bury(randomUUID()));
    expect([error.code, error.details]).toMatchObject(['storage_failed', { errno: 'ENOSPC' }]);
  },
);
