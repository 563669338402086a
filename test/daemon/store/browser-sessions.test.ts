import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BROWSER_SESSION_MS, BrowserSessions } from '../../../src/daemon/store/browser-sessions.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');
let dir: string;
let path: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'm-'));
  path = join(dir, 'browser-sessions.json');
});
afterEach(() => rm(dir, { recursive: true }));

test('a browser stays logged in for 30 days across restarts, and only with both halves', async () => {
  const mine = await (await BrowserSessions.load(path)).open(NOW);
  const other = await (await BrowserSessions.load(path)).open(NOW);
  const sessions = await BrowserSessions.load(path);
  expect(sessions.accepts(mine, NOW + BROWSER_SESSION_MS - 1)).toBe(true);
  expect(sessions.accepts(mine, NOW + BROWSER_SESSION_MS)).toBe(false);
  expect(sessions.accepts({ cookie: mine.cookie, secret: other.secret }, NOW)).toBe(false);
  expect(sessions.accepts({ cookie: mine.secret, secret: mine.cookie }, NOW)).toBe(false);
  expect(sessions.accepts({ cookie: '', secret: '' }, NOW)).toBe(false);
});

test('the file is private and holds nothing that opens anything', async () => {
  const { cookie, secret } = await (await BrowserSessions.load(path)).open(NOW);
  const text = await readFile(path, 'utf8');
  expect(text).not.toContain(cookie);
  expect(text).not.toContain(secret);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('one browser logs out alone, and all at once', async () => {
  const sessions = await BrowserSessions.load(path);
  const [a, b] = [await sessions.open(NOW), await sessions.open(NOW)];
  await sessions.close(a.cookie);
  expect([sessions.accepts(a, NOW), sessions.accepts(b, NOW)]).toEqual([false, true]);
  await sessions.closeAll();
  expect((await BrowserSessions.load(path)).accepts(b, NOW)).toBe(false);
});

test('the hundred and first browser takes the place of the first', async () => {
  const sessions = await BrowserSessions.load(path);
  const first = await sessions.open(NOW);
  const second = await sessions.open(NOW);
  for (let n = 0; n < 99; n += 1) await sessions.open(NOW);
  expect([sessions.accepts(first, NOW), sessions.accepts(second, NOW)]).toEqual([false, true]);
});

test.each(['', '{', '[]', '{"sessions":[{"cookie":1}]}'])(
  'a file that holds %j logs everybody out and keeps nobody from logging in',
  async (text) => {
    await writeFile(path, text);
    const sessions = await BrowserSessions.load(path);
    expect(sessions.accepts(await sessions.open(NOW), NOW)).toBe(true);
  },
);
