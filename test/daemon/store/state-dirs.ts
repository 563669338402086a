import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { StateDir } from '../../../src/daemon/store/state-dir.js';

/** An empty directory with a short path, gone after the test. */
export async function temporaryDir(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'm-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** A state directory of the test's own, gone after it. */
export async function temporaryStateDir(): Promise<StateDir> {
  return StateDir.open(join(await temporaryDir(), 'state'));
}

/** Runs `work` under another umask. Only where nothing else of this process makes files meanwhile. */
export async function withUmask<T>(umask: number, work: () => Promise<T>): Promise<T> {
  const before = process.umask(umask);
  try {
    return await work();
  } finally {
    process.umask(before);
  }
}
