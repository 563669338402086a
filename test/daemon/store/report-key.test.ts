import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { ReportKey } from '../../../src/daemon/store/report-key.js';
import { failureOf } from './failures.js';
import { temporaryStateDir } from './state-dirs.js';

const ID = '3f0c1a52-8a7e-4d0b-9c55-0123456789ab';
const OTHER = '3f0c1a52-8a7e-4d0b-9c55-0123456789ac';

test('the key has 256 random bits, is for us alone, and stays', async () => {
  const dir = await temporaryStateDir();
  const first = await ReportKey.open(dir);
  expect(Buffer.from((await readFile(dir.reportKey, 'utf8')).trim(), 'base64url')).toHaveLength(32);
  expect((await stat(dir.reportKey)).mode & 0o777).toBe(0o600);
  const again = await ReportKey.open(dir);
  expect(again.tokenFor(ID, 1)).toBe(first.tokenFor(ID, 1));
  const elsewhere = await ReportKey.open(await temporaryStateDir());
  expect(elsewhere.tokenFor(ID, 1)).not.toBe(first.tokenFor(ID, 1));
});

test('a token is good for one run of one session', async () => {
  const key = await ReportKey.open(await temporaryStateDir());
  const token = key.tokenFor(ID, 1);
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  expect(key.accepts(token, ID, 1)).toBe(true);
  expect([key.accepts(token, ID, 2), key.accepts(token, ID, 11), key.accepts(token, OTHER, 1)]).toEqual([false, false, false]);
  for (const wrong of ['', token.slice(1), token.toUpperCase(), `${token}0`, '\0', 'é'.repeat(64)])
    expect(key.accepts(wrong, ID, 1)).toBe(false);
});

test.each(['', 'short', '\0'.repeat(32), 'x'.repeat(5000)])('a file that holds no key is kept beside a new one', async (text) => {
  const dir = await temporaryStateDir();
  await writeFile(dir.reportKey, text, { mode: 0o600 });
  const warnings: string[] = [];
  const key = await ReportKey.open(dir, { onDamaged: (warning) => warnings.push(warning) });
  expect(key.accepts(key.tokenFor(ID, 1), ID, 1)).toBe(true);
  expect(warnings).toEqual([expect.stringMatching(/report-key .* was kept as .*agents that run now are not heard/)]);
  expect((await readdir(dirname(dir.reportKey))).filter((name) => name.startsWith('report-key.bad-'))).toHaveLength(1);
});

test('a key that others can read is refused', async () => {
  const dir = await temporaryStateDir();
  await ReportKey.open(dir);
  await chmod(dir.reportKey, 0o644);
  expect((await failureOf(ReportKey.open(dir))).code).toBe('forbidden');
});
