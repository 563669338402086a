import type { CDPSession } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { leave, MaestroPage, TestBrowser } from '../../support/browser.js';
import { TestHost } from '../../support/daemon-process.js';
import { until } from '../../support/until.js';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const;
const SHELL = "PS1='> ' exec sh";
/** Shows each byte that it gets. */
const SHOW_KEYS = 'stty raw -echo; printf "ready "; exec cat -v';
/** What a finger needs, in CSS pixels. */
const TARGET = 44;

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

const go = (path: string) => page.open(`http://${host.ready.listen}${path}`);
const key = (name: string) => page.page.getByRole('toolbar', { name: 'Terminal keys' }).getByRole('button', { name, exact: true });

/** The controls that a finger misses: those that do not have the point where they are touched at the edges of a target of that size. */
function tooSmall(): Promise<string[]> {
  return page.page.evaluate((target) => {
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
const zoomed = () =>
  page.page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('input:not([type="range"]), select, textarea')]
      .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
      .map((field) => field.outerHTML.slice(0, 120)),
  );

const overflow = () => page.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

async function isMadeForFingers(): Promise<void> {
  expect({ tooSmall: await tooSmall(), zoomed: await zoomed(), overflow: await overflow() }).toEqual({
    tooSmall: [],
    zoomed: [],
    overflow: 0,
  });
}

describe('in every view, a finger hits what it aims at, no field is zoomed into, and nothing is wider than the screen', () => {
  test('the list, its menu, the settings, a new session', async () => {
    const ids = await Promise.all(['one', 'two'].map(async (name) => (await host.create({ command: SHELL, metadata: { name } })).id));
    await host.call('POST', `/api/sessions/${ids[0]}/activity`, { state: 'waiting', message: 'May I?' });
    page = await browser.logIn(host, PHONE);
    await page.row(ids[0] ?? '').waitFor();
    await isMadeForFingers();
    await page.button('Settings').locator('visible=true').tap();
    await page.page.getByRole('menuitem', { name: 'Settings…' }).waitFor();
    await isMadeForFingers();
    await page.page.getByRole('menuitem', { name: 'Settings…' }).tap();
    await page.page.getByRole('dialog', { name: 'Settings' }).waitFor();
    await isMadeForFingers();
    await page.button('Done').tap();
    await page.button('New session').locator('visible=true').tap();
    await page.page.getByRole('dialog', { name: 'New session' }).waitFor();
    await isMadeForFingers();
  });

  test('a session, several of them one at a time, the wall as a column', async () => {
    const ids = await Promise.all(['one', 'two'].map(async (name) => (await host.create({ command: SHELL, metadata: { name } })).id));
    page = await browser.logIn(host, PHONE);
    await page.row(ids[0] ?? '').tap();
    await page.shows('>');
    await isMadeForFingers();
    await go(`/split/${ids[0]}/${ids[1]}`);
    await page.shows('>');
    expect(await page.page.locator('.xterm-rows').count()).toBe(1);
    await isMadeForFingers();
    await page.page.getByRole('tab', { name: /two/ }).tap();
    await page.page.getByRole('region', { name: 'two' }).first().waitFor();
    await go('/wall');
    const tiles = page.page.locator('[data-tile]');
    await tiles.nth(1).waitFor();
    const boxes = await Promise.all([tiles.nth(0).boundingBox(), tiles.nth(1).boundingBox()]);
    expect(boxes[0]?.x).toBe(boxes[1]?.x);
    await isMadeForFingers();
  });
});

test('the key bar has the keys that a phone’s keyboard lacks', async () => {
  const { id } = await host.create({ command: SHOW_KEYS, metadata: { name: 'keys' } });
  page = await browser.logIn(host, PHONE);
  await page.row(id).tap();
  await page.shows('ready');
  await page.page.locator('.xterm-helper-textarea').focus();
  for (const name of ['Esc', 'Tab', 'Left', 'Control C', '1', 'Enter']) await key(name).tap();
  await page.shows('^[[D^C1^M');
  await key('Alt').tap();
  await page.page.keyboard.type('xy');
  await key('Ctrl').tap();
  await key('Up').tap();
  await page.shows('^[xy^[[1;5A');
  const isFocused = () => page.page.evaluate(() => document.activeElement?.classList.contains('xterm-helper-textarea'));
  expect(await isFocused()).toBe(true);
  await key('Keyboard').tap();
  expect(await isFocused()).toBe(false);
  await key('Keyboard').tap();
  expect(await isFocused()).toBe(true);
});

test('an arrow that is held goes on; the leader leads to all commands, and is sent when it is held', async () => {
  const { id } = await host.create({ command: SHOW_KEYS, metadata: { name: 'keys' } });
  page = await browser.logIn(host, PHONE);
  await page.row(id).tap();
  await page.shows('ready');
  const hold = async (name: string, until: string) => {
    const { x = 0, y = 0, width = 0, height = 0 } = (await key(name).boundingBox()) ?? {};
    await page.page.mouse.move(x + width / 2, y + height / 2);
    await page.page.mouse.down();
    await page.shows(until);
    await page.page.mouse.up();
  };
  await hold('Right', '^[[C^[[C^[[C');
  await hold('^B, commands of Maestro', '^B');
  expect(await page.page.getByRole('dialog').count()).toBe(0);
  await key('^B, commands of Maestro').tap();
  await page.page.getByRole('dialog').waitFor();
});

/** What a keyboard does where the browser lays it over the page: the visual viewport is smaller than the page. */
function openKeyboard(): Promise<void> {
  return page.page.evaluate(() => {
    const viewport = window.visualViewport as VisualViewport;
    Object.defineProperty(viewport, 'height', { value: 420 });
    viewport.dispatchEvent(new Event('resize'));
  });
}

test.each([
  ['whose size is another viewer’s', false],
  ['of the phone’s own size', true],
])('the prompt of a terminal %s stays above the keyboard', async (_, isOwn) => {
  const { id } = await host.create({ command: `seq 60; ${SHELL}`, metadata: { name: 'prompt' } });
  page = await browser.logIn(host, PHONE);
  await page.row(id).tap();
  await page.shows('60');
  const takeOver = page.button('Take over size').first();
  if (isOwn) await takeOver.tap();
  if (isOwn) await takeOver.waitFor({ state: 'detached' });
  await openKeyboard();
  const prompt = page.page.locator('.xterm-rows > div', { hasText: /^>/ });
  await until('the prompt to be in view', async () => {
    const box = await prompt.boundingBox();
    const bar = await page.page.getByRole('toolbar', { name: 'Terminal keys' }).boundingBox();
    return box !== null && bar !== null && box.y > 44 && box.y + box.height <= bar.y && bar.y + bar.height <= 420;
  });
  if (isOwn) await until('the program to have the room that is left', async () => (await host.session(id)).size.rows < 25);
});

test('one finger scrolls the history', async () => {
  const { id } = await host.create({ command: `seq 300; ${SHELL}`, metadata: { name: 'history' } });
  page = await browser.logIn(host, PHONE);
  await page.row(id).tap();
  await page.button('Take over size').first().tap();
  await page.shows('300');
  const touch = await page.page.context().newCDPSession(page.page);
  const point = (y: number) => ({ touchPoints: [{ x: 195, y }] });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', ...point(200) });
  for (let y = 210; y <= 600; y += 10) await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', ...point(y) });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await until('older lines', async () => !(await page.lines()).includes('300'));
});

/** A finger that goes over the terminal in 96 ms and is lifted in motion, however long it takes here. */
async function flick(touch: CDPSession, from: number, to: number): Promise<void> {
  const start = Date.now() / 1000;
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', step: number) =>
    touch.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: 195, y: from + ((to - from) * step) / 6 }],
      timestamp: start + step * 0.016,
    });
  await send('touchStart', 0);
  for (let step = 1; step <= 6; step += 1) await send('touchMove', step);
  await send('touchEnd', 6.5);
}

/** The first line in view, as a number. */
const top = async () => Number((await page.lines()).find((line) => /^\d+$/.test(line)));

const frames = (count: number) =>
  page.page.evaluate(async (left) => {
    for (let n = 0; n < left; n += 1) await new Promise(requestAnimationFrame);
  }, count);

/** What it is once it stays the same. */
async function settledTop(): Promise<number> {
  let before = Number.NaN;
  return until('the terminal to rest', async () => {
    const [last, now] = [before, await top()];
    before = now;
    await frames(4);
    return now === last && now;
  });
}

describe('a history that is flung', () => {
  const COUNT = 3000;
  async function history(reducedMotion: 'no-preference' | 'reduce'): Promise<CDPSession> {
    const { id } = await host.create({ command: `seq ${COUNT}; ${SHELL}`, metadata: { name: 'history' } });
    page = await browser.logIn(host, { ...PHONE, reducedMotion });
    await page.row(id).tap();
    const takeOver = page.button('Take over size').first();
    await takeOver.tap();
    await takeOver.waitFor({ state: 'detached' });
    await page.shows(String(COUNT));
    return page.page.context().newCDPSession(page.page);
  }

  test('goes on by itself, stops where it is touched, and at the end', async () => {
    const touch = await history('no-preference');
    await flick(touch, 250, 550);
    const lifted = await top();
    const rested = await settledTop();
    expect(lifted - rested).toBeGreaterThan(10);
    await flick(touch, 250, 550);
    await until('it to be on its way', async () => (await top()) < rested - 20);
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: 195, y: 400 }] });
    await frames(3); // what is drawn is a frame behind
    const held = await top();
    expect(await settledTop()).toBe(held);
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    for (let flicks = 0; flicks < 20 && !(await page.lines()).includes(String(COUNT)); flicks += 1) await flick(touch, 550, 250);
    await page.shows(String(COUNT));
  });

  test('stays at its end when it is sent there', async () => {
    const touch = await history('no-preference');
    await flick(touch, 250, 550);
    await page.button('Jump to the end').tap();
    await page.shows(String(COUNT));
    await settledTop();
    expect(await page.lines()).toContain(String(COUNT));
  });

  test('stays where the finger left it, for who wants no motion', async () => {
    const touch = await history('reduce');
    await flick(touch, 250, 550);
    const lifted = await top();
    expect(await settledTop()).toBe(lifted);
    expect(lifted).toBeLessThan(COUNT - 20);
  });
});

test('a program that has the wheel is turned by a fling too', async () => {
  const wheel = "printf '\\033[?1049h\\033[?1000h\\033[?1006hready'; stty raw -echo; exec cat -v";
  const { id } = await host.create({ command: wheel, metadata: { name: 'wheel' } });
  page = await browser.logIn(host, { ...PHONE, reducedMotion: 'no-preference' });
  await page.row(id).tap();
  await page.shows('ready');
  const touch = await page.page.context().newCDPSession(page.page);
  const turns = async () => (await host.screen(id)).replaceAll('\n', '').split('[<64;').length - 1;
  await flick(touch, 250, 550);
  // Each step of the finger is one turn at most.
  await until('the wheel to go on', async () => (await turns()) > 7);
});

test('on its side, a phone has all keys in one row', async () => {
  const { id } = await host.create({ command: SHELL, metadata: { name: 'wide' } });
  page = await browser.logIn(host, { ...PHONE, viewport: { width: 844, height: 390 } });
  await page.goTo(id);
  const [first, last] = await Promise.all([key('Esc').boundingBox(), key('Enter').boundingBox()]);
  expect([first?.y === last?.y, (first?.width ?? 0) >= TARGET]).toEqual([true, true]);
});

test('the page can be installed, and who is not logged in may read what that takes', async () => {
  page = new MaestroPage(await (await browser.profile(PHONE)).newPage());
  await go('/');
  await page.isSignedOut();
  const devtools = await page.page.context().newCDPSession(page.page);
  const { errors, data } = await devtools.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const { icons } = JSON.parse(data ?? '') as { icons: { src: string; type: string }[] };
  for (const { src, type } of [...icons, { src: '/apple-touch-icon.png', type: 'image/png' }]) {
    const { status, headers } = await page.page.request.get(`http://${host.ready.listen}${src}`).then((answer) => ({
      status: answer.status(),
      headers: answer.headers(),
    }));
    expect([status, headers['content-type']?.split(';')[0]]).toEqual([200, type]);
  }
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((error) => error !== 'in-incognito')).toEqual([]);
});
