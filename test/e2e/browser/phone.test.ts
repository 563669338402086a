import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { MaestroPage } from '../../support/browser.js';
import { PageBench, PHONE, SHELL, SHOW_KEYS } from '../../support/page-bench.js';
import { until } from '../../support/until.js';

/** What a finger needs, in CSS pixels. */
const TARGET = 44;

let bench: PageBench;
beforeAll(async () => {
  bench = await PageBench.start();
});
afterAll(() => bench[Symbol.asyncDispose]());
afterEach(() => bench.clear());

const keyBar = (page: MaestroPage) => page.page.getByRole('toolbar', { name: 'Terminal keys' });
const key = (page: MaestroPage, name: string) => keyBar(page).getByRole('button', { name, exact: true });
const named = (...names: string[]) =>
  Promise.all(names.map(async (name) => (await bench.host.create({ command: SHELL, metadata: { name } })).id));

/** The controls that a finger misses: those that do not have the point where they are touched at the edges of a target of that size. */
function tooSmall({ page }: MaestroPage): Promise<string[]> {
  return page.evaluate((target) => {
    // What lies under a dialog or a menu is not for the finger.
    const top = [...document.querySelectorAll('dialog[open], [popover]:popover-open')].at(-1) ?? document;
    const controls = top.querySelectorAll<HTMLElement>('button, a[href], input:not([type="range"]), select, [role="menuitem"]');
    /** What scrolls shows a part of it only. */
    const isCut = (control: Element) => {
      const { top: above, bottom: below } = control.getBoundingClientRect();
      for (let box = control.parentElement; box !== null; box = box.parentElement) {
        const { top: from, bottom: to } = box.getBoundingClientRect();
        if (/auto|scroll|hidden/.test(getComputedStyle(box).overflowY) && (above < from || below > to)) return true;
      }
      return false;
    };
    const reach = target / 2 - 1; // edges may lie between two pixels
    return [...controls].flatMap((control) => {
      const { left, right, top, bottom, width, height } = control.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      if (width === 0 || height === 0 || !control.checkVisibility({ opacityProperty: true }) || isCut(control)) return [];
      if (control.matches('[tabindex="-1"], .xterm *') || control.closest('p') !== null) return [];
      const isOwn = (dx: number, dy: number) => {
        const hit = document.elementFromPoint(x + dx, y + dy);
        return hit !== null && (control.contains(hit) || hit.closest('label')?.contains(control) === true);
      };
      const isReached = isOwn(0, reach) && isOwn(0, -reach) && (width >= target || (isOwn(reach, 0) && isOwn(-reach, 0)));
      return isReached ? [] : [`${control.outerHTML.slice(0, 120)} ${Math.round(width)}x${Math.round(height)}`];
    });
  }, TARGET);
}

/** Fields that a browser would zoom into. */
const zoomed = ({ page }: MaestroPage) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('input:not([type="range"]), select, textarea')]
      .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
      .map((field) => field.outerHTML.slice(0, 120)),
  );

const overflow = ({ page }: MaestroPage) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

async function isMadeForFingers(page: MaestroPage): Promise<void> {
  expect({ tooSmall: await tooSmall(page), zoomed: await zoomed(page), overflow: await overflow(page) }).toEqual({
    tooSmall: [],
    zoomed: [],
    overflow: 0,
  });
}

describe('in every view, a finger hits what it aims at, no field is zoomed into, and nothing is wider than the screen', () => {
  test('the list, its menu, the settings, a new session', async () => {
    const [one = ''] = await named('one', 'two');
    await bench.host.call('POST', `/api/sessions/${one}/activity`, { state: 'waiting', message: 'May I?' });
    const page = await bench.logIn(PHONE);
    await page.row(one).waitFor();
    await isMadeForFingers(page);
    await page.button('Settings').locator('visible=true').tap();
    await page.page.getByRole('menuitem', { name: 'Settings…' }).waitFor();
    await isMadeForFingers(page);
    await page.page.getByRole('menuitem', { name: 'Settings…' }).tap();
    await page.page.getByRole('dialog', { name: 'Settings' }).waitFor();
    await isMadeForFingers(page);
    await page.button('Done').tap();
    await page.button('New session').locator('visible=true').tap();
    await page.page.getByRole('dialog', { name: 'New session' }).waitFor();
    await isMadeForFingers(page);
  });

  test('a session, several of them one at a time, the wall as a column', async () => {
    const [one = '', two] = await named('one', 'two');
    const page = await bench.logIn(PHONE);
    await page.row(one).tap();
    await page.shows('>');
    await isMadeForFingers(page);
    await page.open(bench.at(`/split/${one}/${two}`));
    await page.shows('>');
    expect(await page.page.locator('.xterm-rows').count()).toBe(1);
    await isMadeForFingers(page);
    await page.page.getByRole('tab', { name: /two/ }).tap();
    await page.page.getByRole('region', { name: 'two' }).first().waitFor();
    await page.open(bench.at('/wall'));
    const tiles = page.page.locator('[data-tile]');
    await tiles.nth(1).waitFor();
    const boxes = await Promise.all([tiles.nth(0).boundingBox(), tiles.nth(1).boundingBox()]);
    expect(boxes[0]?.x).toBe(boxes[1]?.x);
    await isMadeForFingers(page);
  });
});

test('the key bar has the keys that a phone’s keyboard lacks', async () => {
  const { page } = await bench.opened(SHOW_KEYS, { device: PHONE, shows: 'ready' });
  await page.page.locator('.xterm-helper-textarea').focus();
  for (const name of ['Esc', 'Tab', 'Left', 'Control C', '1', 'Enter']) await key(page, name).tap();
  await page.shows('^[[D^C1^M');
  await key(page, 'Alt').tap();
  await page.page.keyboard.type('xy');
  await key(page, 'Ctrl').tap();
  await key(page, 'Up').tap();
  await page.shows('^[xy^[[1;5A');
  const isFocused = () => page.page.evaluate(() => document.activeElement?.classList.contains('xterm-helper-textarea'));
  expect(await isFocused()).toBe(true);
  await key(page, 'Keyboard').tap();
  expect(await isFocused()).toBe(false);
  await key(page, 'Keyboard').tap();
  expect(await isFocused()).toBe(true);
});

test('an arrow that is held goes on; the leader leads to all commands, and is sent when it is held', async () => {
  const { page } = await bench.opened(SHOW_KEYS, { device: PHONE, shows: 'ready' });
  const hold = async (name: string, until: string) => {
    const { x = 0, y = 0, width = 0, height = 0 } = (await key(page, name).boundingBox()) ?? {};
    await page.page.mouse.move(x + width / 2, y + height / 2);
    await page.page.mouse.down();
    await page.shows(until);
    await page.page.mouse.up();
  };
  await hold('Right', '^[[C^[[C^[[C');
  await hold('^B, commands of Maestro', '^B');
  expect(await page.page.getByRole('dialog').count()).toBe(0);
  await key(page, '^B, commands of Maestro').tap();
  await page.page.getByRole('dialog').waitFor();
});

/** What a keyboard does where the browser lays it over the page: the visual viewport is smaller than the page. */
function openKeyboard({ page }: MaestroPage): Promise<void> {
  return page.evaluate(() => {
    const viewport = window.visualViewport as VisualViewport;
    Object.defineProperty(viewport, 'height', { value: 420 });
    viewport.dispatchEvent(new Event('resize'));
  });
}

test.each([
  ['whose size is another viewer’s', false],
  ['of the phone’s own size', true],
])('the prompt of a terminal %s stays above the keyboard', async (_, isOwn) => {
  const { page, id } = await bench.opened(`seq 60; ${SHELL}`, { device: PHONE, shows: '60' });
  const takeOver = page.button('Take over size').first();
  if (isOwn) await takeOver.tap();
  if (isOwn) await takeOver.waitFor({ state: 'detached' });
  await openKeyboard(page);
  const prompt = page.page.locator('.xterm-rows > div', { hasText: /^>/ });
  await until('the prompt to be in view', async () => {
    const box = await prompt.boundingBox();
    const bar = await keyBar(page).boundingBox();
    return box !== null && bar !== null && box.y > 44 && box.y + box.height <= bar.y && bar.y + bar.height <= 420;
  });
  if (isOwn) await until('the program to have the room that is left', async () => (await bench.host.session(id)).size.rows < 25);
});

test('on its side, a phone has all keys in one row', async () => {
  const { page } = await bench.opened(SHELL, { device: { ...PHONE, viewport: { width: 844, height: 390 } } });
  const [first, last] = await Promise.all([key(page, 'Esc').boundingBox(), key(page, 'Enter').boundingBox()]);
  expect([first?.y === last?.y, (first?.width ?? 0) >= TARGET]).toEqual([true, true]);
});

test('the page can be installed, and who is not logged in may read what that takes', async () => {
  const page = await bench.blank(PHONE);
  await page.open(bench.at('/'));
  await page.isSignedOut();
  const devtools = await page.page.context().newCDPSession(page.page);
  const { errors, data } = await devtools.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const { icons } = JSON.parse(data ?? '') as { icons: { src: string; type: string }[] };
  for (const { src, type } of [...icons, { src: '/apple-touch-icon.png', type: 'image/png' }]) {
    const { status, headers } = await page.page.request.get(bench.at(src)).then((answer) => ({
      status: answer.status(),
      headers: answer.headers(),
    }));
    expect([status, headers['content-type']?.split(';')[0]]).toEqual([200, type]);
  }
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((error) => error !== 'in-incognito')).toEqual([]);
});
