import type { CDPSession } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { MaestroPage } from '../../support/browser.js';
import { PageBench, PHONE, SHELL } from '../../support/page-bench.js';
import { until } from '../../support/until.js';

let bench: PageBench;
beforeAll(async () => {
  bench = await PageBench.start();
});
afterAll(() => bench[Symbol.asyncDispose]());
afterEach(() => bench.clear());

const touchOf = ({ page }: MaestroPage): Promise<CDPSession> => page.context().newCDPSession(page);

/** A phone that shows the end of what a program counted up to, at its own size. */
async function history(count: number, reducedMotion: 'no-preference' | 'reduce' = 'reduce') {
  const { page } = await bench.opened(`seq ${count}; ${SHELL}`, { device: { ...PHONE, reducedMotion } });
  const takeOver = page.button('Take over size').first();
  await takeOver.tap();
  await takeOver.waitFor({ state: 'detached' });
  await page.shows(String(count));
  return { page, touch: await touchOf(page) };
}

test('one finger scrolls the history', async () => {
  const { page, touch } = await history(300);
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
const top = async (page: MaestroPage) => Number((await page.lines()).find((line) => /^\d+$/.test(line)));

const frames = ({ page }: MaestroPage, count: number) =>
  page.evaluate(async (left) => {
    for (let n = 0; n < left; n += 1) await new Promise(requestAnimationFrame);
  }, count);

/** What it is once it stays the same. */
async function settledTop(page: MaestroPage): Promise<number> {
  let before = Number.NaN;
  return until('the terminal to rest', async () => {
    const [last, now] = [before, await top(page)];
    before = now;
    await frames(page, 4);
    return now === last && now;
  });
}

describe('a history that is flung', () => {
  const COUNT = 3000;

  test('goes on by itself, stops where it is touched, and at the end', async () => {
    const { page, touch } = await history(COUNT, 'no-preference');
    await flick(touch, 250, 550);
    const lifted = await top(page);
    const rested = await settledTop(page);
    expect(lifted - rested).toBeGreaterThan(10);
    await flick(touch, 250, 550);
    await until('it to be on its way', async () => (await top(page)) < rested - 20);
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: 195, y: 400 }] });
    await frames(page, 3); // what is drawn is a frame behind
    const held = await top(page);
    expect(await settledTop(page)).toBe(held);
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    for (let flicks = 0; flicks < 20 && !(await page.lines()).includes(String(COUNT)); flicks += 1) await flick(touch, 550, 250);
    await page.shows(String(COUNT));
  });

  test('stays at its end when it is sent there', async () => {
    const { page, touch } = await history(COUNT, 'no-preference');
    await flick(touch, 250, 550);
    await page.button('Jump to the end').tap();
    await page.shows(String(COUNT));
    await settledTop(page);
    expect(await page.lines()).toContain(String(COUNT));
  });

  test('stays where the finger left it, for who wants no motion', async () => {
    const { page, touch } = await history(COUNT, 'reduce');
    await flick(touch, 250, 550);
    const lifted = await top(page);
    expect(await settledTop(page)).toBe(lifted);
    expect(lifted).toBeLessThan(COUNT - 20);
  });
});

test('a program that has the wheel is turned by a fling too', async () => {
  const wheel = "printf '\\033[?1049h\\033[?1000h\\033[?1006hready'; stty raw -echo; exec cat -v";
  const { page, id } = await bench.opened(wheel, { device: { ...PHONE, reducedMotion: 'no-preference' }, shows: 'ready' });
  const touch = await touchOf(page);
  const turns = async () => (await bench.host.screen(id)).replaceAll('\n', '').split('[<64;').length - 1;
  await flick(touch, 250, 550);
  // Each step of the finger is one turn at most.
  await until('the wheel to go on', async () => (await turns()) > 7);
});
