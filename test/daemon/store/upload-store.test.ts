import { randomBytes, randomUUID } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numberedName, uploadName } from '../../../src/daemon/store/upload-name.js';
import { UploadStore } from '../../../src/daemon/store/upload-store.js';
import { UPLOAD_LIMIT } from '../../../src/protocol/index.js';
import { failureOf } from './failures.js';
import { failingFiles } from './scripted-files.js';
import { temporaryStateDir, withUmask } from './state-dirs.js';

async function* chunks(...all: readonly (string | Buffer)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of all) yield Buffer.from(chunk);
}

/** Content of which a chunk has come and no more does. */
async function* stuck(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('begun');
  await new Promise(() => undefined);
}

async function opened() {
  const dir = await temporaryStateDir();
  const id = randomUUID();
  return { dir, id, store: new UploadStore({ dir }), left: () => readdir(dir.uploadsOf(id)).catch(() => []) };
}

describe('a file that was sent to a session', () => {
  test.each([0o000, 0o022])('is whole and the user alone can read it, under umask %o', async (umask) => {
    const { dir, id, store } = await opened();
    const content = randomBytes(300_000);
    const sent = store.add(id, { name: 'shot.png', content: chunks(content.subarray(0, 7), content.subarray(7)) });
    const { path, size } = await withUmask(umask, () => sent);
    expect({ path, size }).toEqual({ path: join(dir.uploads, id, 'shot.png'), size: 300_000 });
    expect(content.equals(await readFile(path))).toBe(true);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(path))).mode & 0o077).toBe(0);
  });

  test('never replaces another one, also when many of one name come at once', async () => {
    const { id, store, left } = await opened();
    const sent = await Promise.all(Array.from({ length: 12 }, (_, n) => store.add(id, { name: 'a.txt', content: chunks(`${n}`) })));
    expect(new Set(sent.map(({ path }) => path)).size).toBe(12);
    for (const [n, { path }] of sent.entries()) expect(await readFile(path, 'utf8')).toBe(`${n}`);
    expect((await left()).sort()).toContain('a-12.txt');
  });

  test('of more than the limit is refused and nothing of it is left, announced or not', async () => {
    const { id, store, left } = await opened();
    const megabyte = Buffer.alloc(1024 * 1024);
    const tooLong = async function* () {
      for (let sent = 0; sent <= UPLOAD_LIMIT; sent += megabyte.length) yield megabyte;
    };
    expect((await failureOf(store.add(id, { name: 'big', content: tooLong() }))).code).toBe('payload_too_large');
    expect((await failureOf(store.add(id, { name: 'big', content: chunks('x'), size: UPLOAD_LIMIT + 1 }))).code).toBe('payload_too_large');
    expect(await left()).toEqual([]);
  });

  test('that breaks off leaves nothing, and is told as it was', async () => {
    const { id, store, left } = await opened();
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('half');
      throw new Error('the other side went away');
    };
    await expect(store.add(id, { name: 'x', content: broken() })).rejects.toThrow('the other side went away');
    expect(await left()).toEqual([]);
  });

  test.each(['open', 'write', 'sync', 'close', 'rename'] as const)('leaves nothing where the disk refuses to %s', async (step) => {
    const { dir, id, left } = await opened();
    const store = new UploadStore({ dir, files: failingFiles(new Set([step])) });
    const failure = await failureOf(store.add(id, { name: 'x', content: chunks('content') }));
    expect(failure).toMatchObject({ code: 'storage_failed', details: { errno: 'ENOSPC' } });
    expect(await left()).toEqual([]);
  });
});

describe('with the session', () => {
  test('all its files go, those of others stay, and later ones are refused', async () => {
    const { id, store, left } = await opened();
    const other = await store.add(randomUUID(), { name: 'x', content: chunks('other') });
    await store.add(id, { name: 'x', content: chunks('mine') });
    await store.remove(id);
    expect(await left()).toEqual([]);
    expect(await readFile(other.path, 'utf8')).toBe('other');
    expect((await failureOf(store.add(id, { name: 'x', content: chunks('late') }))).code).toBe('not_found');
  });

  test('one that is still coming is given up, and the kill does not wait for its sender', async () => {
    const { id, store, left } = await opened();
    const sending = failureOf(store.add(id, { name: 'x', content: stuck() }));
    await store.remove(id);
    expect((await sending).code).toBe('not_found');
    expect(await left()).toEqual([]);
  });

  test('that has none, nothing is removed', async () => {
    const { store } = await opened();
    await store.remove(randomUUID());
  });
});

describe('what a file is called', () => {
  test.each([
    ['shot.png', 'shot.png'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\plan.md', 'plan.md'],
    ['.bashrc', 'bashrc'],
    ['...', 'file'],
    ['', 'file'],
    ['/', 'file'],
    ['a\u0000b\nc\u001b[31m.txt', 'abc[31m.txt'],
    ['gpj\u202e.exe', 'gpj.exe'],
    [' spaced   out .txt ', 'spaced out .txt'],
    ['e\u0301te\u0301.txt', '\u00e9t\u00e9.txt'],
    ["it's $HOME.txt", "it's $HOME.txt"],
    [`${'x'.repeat(300)}.jpeg`, `${'x'.repeat(115)}.jpeg`],
  ])('%j becomes %j', (given, name) => {
    expect(uploadName(given)).toBe(name);
  });

  test('is always one visible name of a file in its directory', () => {
    const anything = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme', maxLength: 300 }));
    fc.assert(
      fc.property(anything, fc.integer({ min: 1, max: 10_000 }), (given, count) => {
        const name = numberedName(uploadName(given), count);
        expect(name).toBe(basename(join('/x', name)));
        expect(name).not.toMatch(/^\.|[\p{C}/\\]/u);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(128);
      }),
    );
  });

  test('is numbered before its ending', () => {
    expect([1, 2, 30].map((count) => numberedName('a.tar.gz', count))).toEqual(['a.tar.gz', 'a.tar-2.gz', 'a.tar-30.gz']);
    expect(numberedName('Makefile', 2)).toBe('Makefile-2');
  });
});
