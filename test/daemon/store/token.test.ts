import { chmod, chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadToken, rotateToken, tokenMatches } from '../../../src/daemon/store/token.js';
import { failureOf } from './failures.js';
import { failingFiles, type Step, scriptedFiles } from './scripted-files.js';
import { temporaryStateDir, withUmask } from './state-dirs.js';

const asRoot = test.skipIf(process.getuid?.() !== 0);

test.each([0o000, 0o022])('a new token has 256 random bits and is private from birth under umask %o', async (umask) => {
  const { token: path } = await temporaryStateDir();
  const modes: number[] = [];
  const files = scriptedFiles(async (step, name) => {
    if (step === 'write') modes.push((await stat(name)).mode & 0o777);
  });
  const token = await withUmask(umask, () => loadToken(path, { files }));
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  expect([...modes, (await stat(path)).mode & 0o777]).toEqual([0o600, 0o600]);
  expect(await readFile(path, 'utf8')).toBe(`${token}\n`);
});

test('the token is the same at the next start, and another after rotation', async () => {
  const { token: path } = await temporaryStateDir();
  const first = await loadToken(path);
  expect(await loadToken(path)).toBe(first);
  const second = await rotateToken(path);
  expect(second).not.toBe(first);
  expect(await loadToken(path)).toBe(second);
  expect((await readdir(dirname(path))).filter((name) => name.includes('token'))).toEqual(['token']);
});

describe('refuses', () => {
  test.each([0o640, 0o604, 0o660, 0o644])('a token that others can read or write: %o', async (mode) => {
    const { token: path } = await temporaryStateDir();
    await loadToken(path);
    await chmod(path, mode);
    const error = await failureOf(loadToken(path));
    expect(error.code).toBe('forbidden');
    expect(error.message).toContain(`${path} can be read by others (mode ${mode.toString(8)})`);
    expect(error.message).toContain('delete it');
  });

  asRoot('a token of another user', async () => {
    const { token: path } = await temporaryStateDir();
    await loadToken(path);
    await chown(path, 12_345, 0);
    expect((await failureOf(loadToken(path))).message).toContain('belongs to user 12345');
  });

  test('to go on without a token that could be stored', async () => {
    const { token: path } = await temporaryStateDir();
    const files = failingFiles(new Set<Step>(['sync']));
    expect((await failureOf(loadToken(path, { files }))).code).toBe('storage_failed');
    await expect(stat(path)).rejects.toThrow('ENOENT');
  });
});

describe('makes a new token in place of', () => {
  test.each(['', '\n', 'short', `${'x'.repeat(43)} y`, `${'x'.repeat(42)}\0`, 'x'.repeat(5000)])(
    'a file that holds none, which is kept, without telling what it holds',
    async (text) => {
      const { token: path } = await temporaryStateDir();
      await writeFile(path, text, { mode: 0o600 });
      const warnings: string[] = [];
      const token = await loadToken(path, { onDamaged: (warning) => warnings.push(warning) });
      expect((await readFile(path, 'utf8')).trim()).toBe(token);
      const [, movedTo = ''] = /kept as (.*)$/.exec(warnings[0] ?? '') ?? [];
      expect(await readFile(movedTo, 'utf8')).toBe(text);
      if (text.trim() !== '') expect(warnings.join()).not.toContain(text.trim());
    },
  );

  test('a directory, which is kept', async () => {
    const { token: path } = await temporaryStateDir();
    await mkdir(path, { mode: 0o700 });
    await loadToken(path);
    expect((await readdir(dirname(path))).filter((name) => /^token\.bad-/.test(name))).toHaveLength(1);
  });
});

test('only the token itself matches', async () => {
  const token = await loadToken((await temporaryStateDir()).token);
  expect(tokenMatches(token, token)).toBe(true);
  for (const other of ['', token.slice(0, -1), `${token}x`, token.toUpperCase(), '\0', 'é'.repeat(43)])
    expect(tokenMatches(other, token)).toBe(false);
});
