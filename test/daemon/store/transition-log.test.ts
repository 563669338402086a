import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StateDir } from '../../../src/daemon/store/state-dir.js';
import { TransitionLog } from '../../../src/daemon/store/transition-log.js';
import type { Transition } from '../../../src/protocol/index.js';

const ID = '11111111-1111-4111-8111-111111111111';
let root: string;
let dir: StateDir;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'm-'));
  dir = await StateDir.open(join(root, 'state'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

function numbered(seq: number): Transition {
  return { seq, at: '2026-01-01T00:00:00.000Z', run: 1, from: 'idle', to: 'working', source: 'hook', reason: 'UserPromptSubmit' };
}

test('what was appended is read in its order, also by the next daemon, and by nobody else', async () => {
  const log = new TransitionLog(dir);
  await Promise.all([1, 2, 3].map((seq) => log.append(ID, numbered(seq))));
  expect((await log.read(ID)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect((await new TransitionLog(dir).read(ID)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect((await stat(dir.transitionLog(ID))).mode & 0o777).toBe(0o600);
});

test('the last 200 are kept, and the file does not grow without end', async () => {
  const log = new TransitionLog(dir);
  for (let seq = 1; seq <= 1_000; seq += 1) await log.append(ID, numbered(seq));
  const kept = await log.read(ID);
  expect(kept).toHaveLength(200);
  expect(kept.at(-1)?.seq).toBe(1_000);
  const lines = (await readFile(dir.transitionLog(ID), 'utf8')).split('\n').filter((line) => line !== '');
  expect(lines.length).toBeLessThanOrEqual(400);
});

test('a line that was cut off by a crash spoils only itself', async () => {
  const log = new TransitionLog(dir);
  await log.append(ID, numbered(1));
  await appendFile(dir.transitionLog(ID), '{"seq":2,"at":"2026-0');
  await log.append(ID, numbered(3));
  expect((await new TransitionLog(dir).read(ID)).map(({ seq }) => seq)).toEqual([1, 3]);
});

test('no file and garbage read as nothing, and a removal takes the file away', async () => {
  const log = new TransitionLog(dir);
  expect(await log.read(ID)).toEqual([]);
  await log.remove(ID);
  await appendFile(dir.transitionLog(ID), '\0\0\0 no JSON at all');
  expect(await log.read(ID)).toEqual([]);
  await log.append(ID, numbered(1));
  await log.remove(ID);
  await expect(stat(dir.transitionLog(ID))).rejects.toThrow('ENOENT');
});
