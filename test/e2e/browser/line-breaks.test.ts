import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { MaestroPage } from '../../support/browser.js';
import { PageBench } from '../../support/page-bench.js';
import { until } from '../../support/until.js';

let bench: PageBench;
beforeAll(async () => {
  bench = await PageBench.start();
});
afterAll(() => bench[Symbol.asyncDispose]());
afterEach(() => bench.clear());

/** A program that prints `asks`, and keeps each byte that it gets in a file. */
async function program(asks = ''): Promise<{ page: MaestroPage; id: string }> {
  const opened = await bench.opened(`stty raw -echo; : > typed; printf '${asks}ready'; exec cat > typed`, { shows: 'ready' });
  await opened.page.page.locator('.xterm-helper-textarea').focus();
  return opened;
}

/** What Shift+Enter sends, followed by what Ctrl+Enter, Alt+Enter and Enter do. */
async function sent(page: MaestroPage): Promise<readonly string[]> {
  const file = join(bench.host.dir, 'typed');
  const before = await readFile(file, 'utf8');
  for (const key of ['Shift+Enter', '|', 'Control+Enter', '|', 'Alt+Enter', '|', 'Enter', '#']) await page.page.keyboard.press(key);
  const typed = await until('the keys to be typed', async () => {
    const text = (await readFile(file, 'utf8')).slice(before.length);
    return text.endsWith('#') && text;
  });
  return typed.slice(0, -1).split('|');
}

const PLAIN = ['\r', '\r', '\u001b\r', '\r'];
const KITTY = ['\u001b[13;2u', '\u001b[13;5u', '\u001b\r', '\r'];
const XTERM = ['\u001b[27;2;13~', '\u001b[27;5;13~', '\u001b\r', '\r'];

test.each([
  ['nothing', '', PLAIN],
  ['flags of the kitty protocol that tell keys apart', '\\033[>5u', KITTY],
  ['such flags in place of others', '\\033[>4u\\033[=1;2u', KITTY],
  ['flags that do not tell them apart', '\\033[>5u\\033[=1;3u', PLAIN],
  ['such flags, and puts them back', '\\033[>1u\\033[<u', PLAIN],
  ['such flags on the other screen, and leaves it', '\\033[?1049h\\033[>1u\\033[?1049l', PLAIN],
  ['xterm’s modifyOtherKeys', '\\033[>4;1m', XTERM],
  ['modifyOtherKeys, and no longer', '\\033[>4;2m\\033[>4m', PLAIN],
  ['all resources of keys set back', '\\033[>4;2m\\033[>m', PLAIN],
  ['a reset', '\\033[>4;2m\\033[>1u\\033c', PLAIN],
])('a program that asks for %s gets it of Enter with modifiers', async (_what, asks, wanted) => {
  const { page } = await program(asks);
  expect(await sent(page)).toEqual(wanted);
});

test('what a program asked for is known after a reload', async () => {
  const { page, id } = await program('\\033[>1u');
  await page.page.reload();
  await page.goTo(id);
  await page.shows('ready');
  await page.page.locator('.xterm-helper-textarea').focus();
  expect(await sent(page)).toEqual(KITTY);
});

test('an agent that asks for nothing gets a line feed of Shift+Enter, and what it asks for once it does', async () => {
  const { page, id } = await program();
  expect(await sent(page)).toEqual(PLAIN);
  await bench.host.call('POST', `/api/sessions/${id}/activity`, { state: 'idle' });
  await until('the page to hear of it', async () => (await sent(page))[0] !== '\r');
  expect(await sent(page)).toEqual(['\n', ...PLAIN.slice(1)]);
});
