import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SCROLLBACK_HEADER_BYTES, type ScrollbackProblem, ScrollbackStore } from '../../../src/daemon/store/scrollback-store.js';
import { failureOf } from './failures.js';
import { failingFiles, Gate, type Step, scriptedFiles } from './scripted-files.js';
import { temporaryStateDir, withUmask } from './state-dirs.js';

const EMPTY = Buffer.alloc(0);

test('S1: both lives come back byte for byte', async () => {
  const dir = await temporaryStateDir();
  const store = new ScrollbackStore({ dir });
  const bytes = fc.uint8Array({ maxLength: 3000 }).map((array) => Buffer.from(array));
  await fc.assert(
    fc.asyncProperty(bytes, bytes, async (former, current) => {
      const id = randomUUID();
      const written = await store.write(id, { run: 7, former, current });
      expect(written).toBe(former.length + current.length > 0);
      expect(await store.read(id)).toEqual(written ? { run: 7, former, current } : undefined);
      await store.remove(id);
    }),
    { numRuns: 50 },
  );
});

test('S1: an empty life does not spoil the checksum, whatever its buffer has been through', async () => {
  const store = new ScrollbackStore({ dir: await temporaryStateDir() });
  const id = randomUUID();
  const empty = Buffer.alloc(0);
  // Only now does node see that an empty buffer has no memory.
  empty.subarray(0);
  await store.write(id, { run: 1, former: empty, current: Buffer.from('words') });
  expect((await store.read(id))?.current.toString()).toBe('words');
});

test('S5: the header is at most 32 bytes and all there is beside the payload, so a budget of 256 bytes holds', async () => {
  const dir = await temporaryStateDir();
  const id = randomUUID();
  expect(SCROLLBACK_HEADER_BYTES).toBeLessThanOrEqual(32);
  const [former, current] = [randomBytes(100), randomBytes(256 - SCROLLBACK_HEADER_BYTES - 100)];
  await new ScrollbackStore({ dir }).write(id, { run: 7, former, current });
  expect((await stat(dir.scrollback(id))).size).toBe(256);
  expect(await new ScrollbackStore({ dir }).read(id)).toEqual({ run: 7, former, current });
});

test.each([0o000, 0o022])('the file is private under umask %o', async (umask) => {
  const dir = await temporaryStateDir();
  const id = randomUUID();
  await withUmask(umask, () => new ScrollbackStore({ dir }).write(id, { run: 7, former: EMPTY, current: Buffer.from('x') }));
  expect((await stat(dir.scrollback(id))).mode & 0o777).toBe(0o600);
});

describe('S6: a file that cannot be trusted reads as nothing', () => {
  async function stored() {
    const dir = await temporaryStateDir();
    const problems: ScrollbackProblem[] = [];
    const store = new ScrollbackStore({ dir, onProblem: (problem) => problems.push(problem) });
    const id = randomUUID();
    await store.write(id, { run: 7, former: Buffer.from('before\r\n'), current: Buffer.from('after\r\n') });
    return { store, id, path: dir.scrollback(id), problems };
  }

  test('missing: without a report', async () => {
    const { store, problems } = await stored();
    expect([await store.read(randomUUID()), problems]).toEqual([undefined, []]);
  });

  test('cut at every length', async () => {
    const { store, id, path, problems } = await stored();
    const whole = await readFile(path);
    for (let length = whole.length - 1; length >= 0; length -= 1) {
      await truncate(path, length);
      expect(await store.read(id)).toBeUndefined();
    }
    expect(problems).toHaveLength(whole.length);
    expect(problems[0]).toEqual({ id, path, reason: 'it is not as long as it says' });
  });

  test('with any one bit flipped', async () => {
    const { store, id, path } = await stored();
    const whole = await readFile(path);
    for (let bit = 0; bit < whole.length * 8; bit += 1) {
      const bytes = Buffer.from(whole);
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      await writeFile(path, bytes);
      expect(await store.read(id)).toBeUndefined();
    }
  });

  test('all NUL, or bytes at its end', async () => {
    const { store, id, path } = await stored();
    const whole = await readFile(path);
    for (const bytes of [
      Buffer.alloc(whole.length),
      Buffer.concat([whole, Buffer.alloc(1)]),
      Buffer.from('plain text of another program'),
    ]) {
      await writeFile(path, bytes);
      expect(await store.read(id)).toBeUndefined();
    }
  });

  test('absurdly large, without being read', async () => {
    const { store, id, path, problems } = await stored();
    await truncate(path, 2 ** 40);
    expect(await store.read(id)).toBeUndefined();
    expect(problems[0]?.reason).toMatch(/^it has 1099511627776 bytes/);
  });

  test('a directory in its place', async () => {
    const { store, id, path, problems } = await stored();
    await rm(path);
    await mkdir(path);
    expect(await store.read(id)).toBeUndefined();
    expect(problems[0]?.reason).toBe('it is not a regular file');
  });

  test('the next good write replaces it', async () => {
    const { store, id, path } = await stored();
    await writeFile(path, 'garbage');
    await store.write(id, { run: 7, former: EMPTY, current: Buffer.from('new') });
    expect(await store.read(id)).toEqual({ run: 7, former: EMPTY, current: Buffer.from('new') });
  });
});

test('S6: an empty capture replaces nothing, neither what is stored nor what waits to be', async () => {
  const dir = await temporaryStateDir();
  const gate = new Gate();
  let parked = true;
  const files = scriptedFiles((step) => {
    if (step !== 'write' || !parked) return undefined;
    parked = false;
    return gate.pass();
  });
  const store = new ScrollbackStore({ dir, files });
  const id = randomUUID();
  const first = store.write(id, { run: 7, former: EMPTY, current: Buffer.from('first') });
  const second = store.write(id, { run: 7, former: EMPTY, current: Buffer.from('second') });
  expect(await store.write(id, { run: 7, former: EMPTY, current: EMPTY })).toBe(false);
  gate.open();
  await Promise.all([first, second]);
  expect(await store.write(id, { run: 7, former: EMPTY, current: EMPTY })).toBe(false);
  expect((await store.read(id))?.current.toString()).toBe('second');
});

test('S4: flushes that come faster than the disk are one write', async () => {
  const dir = await temporaryStateDir();
  const steps: Step[] = [];
  const store = new ScrollbackStore({ dir, files: scriptedFiles((step) => void steps.push(step)) });
  const id = randomUUID();
  const writes = Array.from({ length: 50 }, (_, index) =>
    store.write(id, { run: 7, former: EMPTY, current: Buffer.from(`flush ${index}`) }),
  );
  await Promise.all(writes);
  expect(steps.filter((step) => step === 'rename')).toHaveLength(2);
  expect((await store.read(id))?.current.toString()).toBe('flush 49');
});

test('K1: a flush under way when the session is killed, and one after it, leave no file', async () => {
  const dir = await temporaryStateDir();
  const gate = new Gate();
  const store = new ScrollbackStore({ dir, files: scriptedFiles((step) => (step === 'rename' ? gate.pass() : undefined)) });
  const id = randomUUID();
  const flush = store.write(id, { run: 7, former: EMPTY, current: Buffer.from('x') });
  await gate.reached;
  const removed = store.remove(id);
  const later = store.write(id, { run: 7, former: EMPTY, current: Buffer.from('y') });
  gate.open();
  await removed;
  expect(await Promise.all([flush, later])).toEqual([true, false]);
  await store.idle();
  expect(await readdir(dir.scrollbacks)).toEqual([]);
});

test('a full disk is storage_failed, keeps what was stored, and the next flush works', async () => {
  const dir = await temporaryStateDir();
  const failures = new Set<Step>();
  const store = new ScrollbackStore({ dir, files: failingFiles(failures) });
  const id = randomUUID();
  await store.write(id, { run: 7, former: EMPTY, current: Buffer.from('old') });
  failures.add('write');
  expect((await failureOf(store.write(id, { run: 7, former: EMPTY, current: Buffer.from('new') }))).code).toBe('storage_failed');
  expect((await store.read(id))?.current.toString()).toBe('old');
  failures.clear();
  await store.write(id, { run: 7, former: EMPTY, current: Buffer.from('new') });
  expect((await store.read(id))?.current.toString()).toBe('new');
});

test('loading names the sessions that have a file, and removes what a crash left', async () => {
  const dir = await temporaryStateDir();
  const store = new ScrollbackStore({ dir });
  const id = randomUUID();
  await store.write(id, { run: 7, former: EMPTY, current: Buffer.from('x') });
  await writeFile(join(dir.scrollbacks, 'notes.bin'), 'x');
  await writeFile(join(dir.scrollbacks, `.${id}.bin.0123456789abcdef.tmp`), 'x');
  expect(await store.load()).toEqual([id]);
  expect(new Set(await readdir(dir.scrollbacks))).toEqual(new Set([`${id}.bin`, 'notes.bin']));
});
