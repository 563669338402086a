import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { leave, type MaestroPage, TestBrowser } from '../../support/browser.js';
import { TestHost } from '../../support/daemon-process.js';
import { until } from '../../support/until.js';

const SHELL = "PS1='> ' exec sh";

let host: TestHost;
let browser: TestBrowser;
let page: MaestroPage;

beforeAll(async () => {
  host = await TestHost.started();
  browser = await TestBrowser.launch();
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
});
afterEach(async () => expect(await leave(host, page)).toEqual([]));

async function openSettings() {
  await page.button('Settings').locator('visible=true').click();
  await page.page.getByRole('menuitem', { name: 'Settings…' }).click();
  return page.page.getByRole('dialog', { name: 'Settings' });
}

const rootStyle = (of: MaestroPage, property: string) =>
  of.page.evaluate((name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim(), property);

test('the theme, the colours of terminals and motion count at once, in every tab, and stay', async () => {
  page = await browser.logIn(host, { colorScheme: 'dark', reducedMotion: 'no-preference' });
  const tab = await page.newTab();
  await tab.isSignedIn();
  const [dark, moving] = [await rootStyle(page, '--t-bg'), await rootStyle(page, '--t-slow')];
  const settings = await openSettings();
  await settings.getByRole('group', { name: 'Theme' }).getByRole('button', { name: 'Light' }).click();
  const light = await rootStyle(page, '--t-bg');
  expect(light).not.toBe(dark);
  await until('the other tab to be light', async () => (await rootStyle(tab, '--t-bg')) === light);
  await settings.getByRole('radio', { name: 'As the page' }).press('ArrowRight');
  expect(await settings.getByRole('radio', { name: 'Always dark' }).getAttribute('aria-checked')).toBe('true');
  expect(await rootStyle(page, '--t-bg')).toBe(dark);
  await settings.getByRole('group', { name: 'Motion' }).getByRole('button', { name: 'Off' }).click();
  expect([Number.parseFloat(moving) > 0, Number.parseFloat(await rootStyle(page, '--t-slow'))]).toEqual([true, 0]);
  await page.page.reload();
  await page.isSignedIn();
  expect([await rootStyle(page, '--t-bg'), Number.parseFloat(await rootStyle(page, '--t-slow'))]).toEqual([dark, 0]);
  expect(await page.page.evaluate(() => document.documentElement.dataset.theme)).toBe('light');
});

test('a terminal takes another size of letters while it runs, and the program the room that is left', async () => {
  const { id } = await host.create({ command: SHELL });
  page = await browser.logIn(host);
  await page.goTo(id);
  await page.shows('>');
  await page.page.getByText('sized by you').waitFor();
  const before = (await host.session(id)).size;
  const settings = await openSettings();
  await settings.getByRole('slider', { name: 'Size' }).fill('20');
  await settings.getByLabel('Font').fill('Nowhere Mono"; color: red');
  await settings.getByRole('button', { name: 'Done' }).click();
  await until('the session to be smaller', async () => {
    const { cols, rows } = (await host.session(id)).size;
    return cols < before.cols * 0.8 && rows < before.rows * 0.8;
  });
  await page.enter('echo still-$((40 + 2))');
  await page.shows('still-42');
  expect(await rootStyle(page, '--term-font')).toMatch(/^"Nowhere Mono color: red", /);
});

test('terminals tell a screen reader what they show once that is wished', async () => {
  const { id } = await host.create({ command: `echo read-me; ${SHELL}` });
  page = await browser.logIn(host);
  await page.goTo(id);
  await page.shows('read-me');
  expect(await page.page.locator('.xterm-accessibility').count()).toBe(0);
  const settings = await openSettings();
  await settings.getByRole('switch', { name: 'Screen reader' }).click();
  await settings.getByRole('button', { name: 'Done' }).click();
  await page.page.locator('.xterm-accessibility').getByText('read-me').waitFor({ state: 'attached' });
});
