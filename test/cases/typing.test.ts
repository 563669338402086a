import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CDPSession } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { type MaestroPage, TestBrowser } from '../support/browser.js';
import { TestHost } from '../support/daemon-process.js';
import { until } from '../support/until.js';

let host: TestHost;
let browser: TestBrowser;
let page: MaestroPage;
let devtools: CDPSession;
beforeAll(async () => {
  host = await TestHost.started();
  browser = await TestBrowser.launch();
  const { id } = await host.create({ command: 'stty raw -echo; printf READY; exec cat > typed' });
  page = await browser.logIn(host);
  await page.goTo(id);
  await page.shows('READY');
  devtools = await page.page.context().newCDPSession(page.page);
  await page.page.locator('.xterm-helper-textarea').focus();
});
afterAll(async () => {
  await page[Symbol.asyncDispose]();
  await browser[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
});

/** What stands in the preedit, step by step, and is then committed. */
async function composed(steps: readonly string[], text: string): Promise<void> {
  for (const step of steps)
    await devtools.send('Input.imeSetComposition', { text: step, selectionStart: step.length, selectionEnd: step.length });
  await devtools.send('Input.insertText', { text });
}

let sofar = '';
async function arrives(text: string): Promise<void> {
  sofar += text;
  await until(JSON.stringify(sofar), async () => (await readFile(join(host.dir, 'typed'), 'utf8')) === sofar);
}

test('text that an input method or a picker makes arrives once, and whole', async () => {
  await composed(['ㅎ', '하', '한'], '한');
  await arrives('한');
  await composed(['ㄱ', '그', '글'], '글');
  await composed(['に', 'にほ', 'にほん'], '日本');
  await arrives('글日本');
  await devtools.send('Input.insertText', { text: '👩‍💻🇩🇪' });
  await arrives('👩‍💻🇩🇪');
  await page.page.keyboard.type('plain é');
  await page.page.keyboard.press('Enter');
  await arrives('plain é\r');
});
