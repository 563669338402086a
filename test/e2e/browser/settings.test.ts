import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { MaestroPage } from '../../support/browser.js';
import { PageBench, SHELL } from '../../support/page-bench.js';
import { until } from '../../support/until.js';

let bench: PageBench;
let page: MaestroPage;

beforeAll(async () => {
  bench = await PageBench.start();
});
afterAll(() => bench[Symbol.asyncDispose]());
afterEach(() => bench.clear());

async function openSettings() {
  await page.button('Settings').locator('visible=true').click();
  await page.page.getByRole('menuitem', { name: 'Settings…' }).click();
  return page.page.getByRole('dialog', { name: 'Settings' });
}

const rootStyle = (of: MaestroPage, property: string) =>
  of.page.evaluate((name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim(), property);

test('the theme, the colours of terminals and motion count at once, in every tab, and stay', async () => {
  page = await bench.logIn({ colorScheme: 'dark', reducedMotion: 'no-preference' });
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

test('the palette of high contrast brings every colour that a program chooses to 7 : 1', async () => {
  const { id } = await bench.host.create({ command: `printf '\\033[38;5;236mfaint-text\\033[m\\n'; ${SHELL}` });
  page = await bench.logIn({ colorScheme: 'dark' });
  await page.goTo(id);
  await page.shows('faint-text');
  const contrast = () =>
    page.page.evaluate(() => {
      const luminance = (color: string) => {
        const [r = 0, g = 0, b = 0] = (color.match(/\d+/g) ?? []).slice(0, 3).map((part) => {
          const share = Number(part) / 255;
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const span = [...document.querySelectorAll('.xterm-rows span')].find((one) => one.textContent?.includes('faint-text'));
      const under = document.querySelector('.xterm-scrollable-element, .xterm-viewport');
      if (!span || !under) return 0;
      const [low = 0, high = 0] = [span, under]
        .map((one, at) => luminance(at === 0 ? getComputedStyle(one).color : getComputedStyle(one).backgroundColor))
        .sort((a, b) => a - b);
      return (high + 0.05) / (low + 0.05);
    });
  const usual = await contrast();
  expect(usual).toBeGreaterThanOrEqual(4.4);
  expect(usual).toBeLessThan(6);
  const settings = await openSettings();
  await settings.getByRole('radio', { name: 'High contrast' }).click();
  await until('the text to stand out', async () => (await contrast()) >= 6.9);
});

test('a terminal takes another size of letters while it runs, and the program the room that is left', async () => {
  const { id } = await bench.host.create({ command: SHELL });
  page = await bench.logIn();
  await page.goTo(id);
  await page.shows('>');
  await page.page.getByText('sized by you').waitFor();
  const before = (await bench.host.session(id)).size;
  const settings = await openSettings();
  await settings.getByRole('slider', { name: 'Size' }).fill('20');
  await settings.getByLabel('Font').fill('Nowhere Mono"; color: red');
  await settings.getByRole('button', { name: 'Done' }).click();
  await until('the session to be smaller', async () => {
    const { cols, rows } = (await bench.host.session(id)).size;
    return cols < before.cols * 0.8 && rows < before.rows * 0.8;
  });
  await page.enter('echo still-$((40 + 2))');
  await page.shows('still-42');
  expect(await rootStyle(page, '--term-font')).toMatch(/^"Nowhere Mono color: red", /);
});

test('terminals tell a screen reader what they show once that is wished', async () => {
  const { id } = await bench.host.create({ command: `echo read-me; ${SHELL}` });
  page = await bench.logIn();
  await page.goTo(id);
  await page.shows('read-me');
  expect(await page.page.locator('.xterm-accessibility').count()).toBe(0);
  const settings = await openSettings();
  await settings.getByRole('switch', { name: 'Screen reader' }).click();
  await settings.getByRole('button', { name: 'Done' }).click();
  await page.page.locator('.xterm-accessibility').getByText('read-me').waitFor({ state: 'attached' });
});
