import { mkdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { DaemonJson, type DaemonRecord } from '../../../src/daemon/store/daemon-json.js';
import { failureOf } from './failures.js';
import { failingFiles, type Step, scriptedFiles } from './scripted-files.js';
import { temporaryStateDir, withUmask } from './state-dirs.js';

const RECORD: DaemonRecord = {
  pid: 4711,
  started: '2026-01-02T03:04:05.000Z',
  boot: '5f3c0f5e-0000-4000-8000-000000000000',
  last_sign_of_life: '2026-01-02T03:04:06.000Z',
  listen: '127.0.0.1:7433',
};

test('the next daemon reads what the last one wrote', async () => {
  const { daemonJson: path } = await temporaryStateDir();
  await withUmask(0, () => new DaemonJson({ path }).write(RECORD));
  expect(await new DaemonJson({ path }).read()).toEqual(RECORD);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('L5: a sign of life changes only its time, in place, and nothing is synced or renamed for it', async () => {
  const { daemonJson: path } = await temporaryStateDir();
  const steps: Step[] = [];
  const file = new DaemonJson({ path, files: scriptedFiles((step) => void steps.push(step)) });
  await file.write(RECORD);
  const { ino } = await stat(path);
  steps.length = 0;
  await file.sign(Date.parse('2027-05-06T07:08:09.123Z'));
  expect(await file.read()).toEqual({ ...RECORD, last_sign_of_life: '2027-05-06T07:08:09.123Z' });
  expect([steps, (await stat(path)).ino]).toEqual([[], ino]);
});

test.each(['deleted', 'cut short'])('a file that was %s is put back by the next sign', async (how) => {
  const { daemonJson: path } = await temporaryStateDir();
  const file = new DaemonJson({ path });
  await file.write(RECORD);
  await (how === 'deleted' ? rm(path) : truncate(path, 10));
  await file.sign(0);
  expect(await file.read()).toEqual({ ...RECORD, last_sign_of_life: '1970-01-01T00:00:00.000Z' });
});

test('what is missing, torn at any length, foreign or a directory reads as nothing', async () => {
  const { daemonJson: path } = await temporaryStateDir();
  const file = new DaemonJson({ path });
  expect(await file.read()).toBeUndefined();
  await file.write(RECORD);
  const whole = await readFile(path);
  for (let length = 0; length < whole.length - 1; length += 1) {
    await writeFile(path, whole.subarray(0, length));
    expect(await file.read()).toBeUndefined();
  }
  for (const text of ['[]', 'null', '{"pid": "x"}', '\0'.repeat(100)]) {
    await writeFile(path, text);
    expect(await file.read()).toBeUndefined();
  }
  await rm(path);
  await mkdir(path);
  expect(await file.read()).toBeUndefined();
});

test('a full disk is storage_failed and keeps the record of the last daemon', async () => {
  const { daemonJson: path } = await temporaryStateDir();
  await new DaemonJson({ path }).write(RECORD);
  const files = failingFiles(new Set<Step>(['write']));
  const next = new DaemonJson({ path, files });
  expect((await failureOf(next.write({ ...RECORD, pid: 1 }))).code).toBe('storage_failed');
  expect(await next.read()).toEqual(RECORD);
});
