import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Size } from '../../../src/protocol/index.js';
import type { MaestroPage } from '../../support/browser.js';
import { PageBench, PHONE, SHELL } from '../../support/page-bench.js';
import { until } from '../../support/until.js';
import { CuttableLink } from './cuttable-link.js';
import { FEW, restsIn } from './drags.js';

/** Notes each time that it is told of a new size, in a file of its session's. */
const TELL = `exec ${process.execPath} -e '
const { stdout } = process; // it learns its size from the same signal, if it was there before
const tell = () => require("fs").appendFileSync(process.env.MAESTRO_SESSION_ID, stdout.columns + "x" + stdout.rows + "\\n");
process.on("SIGWINCH", tell);
tell();
process.stdin.resume();
console.log("ready");
'`;

let bench: PageBench;
beforeAll(async () => {
  bench = await PageBench.start({ daemon: { env: { MAESTRO_ALLOWED_HOSTS: '127.0.0.1' } } });
});
afterAll(() => bench[Symbol.asyncDispose]());
afterEach(() => bench.clear());

/** The sizes that the page asks for, session by session. */
function sizesAsked(page: MaestroPage): Map<string, string[]> {
  const asked = new Map<string, string[]>();
  page.page.on('websocket', (socket) => {
    const id = /sessions\/([^/]+)\/pty/.exec(socket.url())?.[1] ?? '';
    socket.on('framesent', ({ payload }) => {
      if (typeof payload === 'string' && payload.includes('"size"')) asked.set(id, [...(asked.get(id) ?? []), payload]);
    });
  });
  return asked;
}

/** How often the program was told of a new size, once it has been told of the one that the session has. */
function changesOf(id: string): Promise<number> {
  return until('the program to know its size', async () => {
    const { size } = await bench.host.session(id);
    const told = (await readFile(join(bench.host.dir, id), 'utf8')).trimEnd().split('\n');
    return told.at(-1) === `${size.cols}x${size.rows}` && told.length - 1;
  });
}

/** The page has what it wants: the size that it asked for last. */
async function isSettled(id: string, asked: Map<string, string[]>, isWanted: (size: Size) => boolean): Promise<Size> {
  return until('the size to be the one that was asked for last', async () => {
    const { size } = await bench.host.session(id);
    return isLast(id, asked, size) && isWanted(size) && size;
  });
}

function isLast(id: string, asked: Map<string, string[]>, size: Size): boolean {
  return asked.get(id)?.at(-1) === JSON.stringify({ type: 'size', ...size });
}

describe('T5: a program hears of few sizes', () => {
  test('while a window is dragged larger and smaller, and of the last one', async () => {
    const page = await bench.logIn();
    const asked = sizesAsked(page);
    const { id } = await bench.opened(TELL, { page, shows: 'ready' });
    const { cols } = await isSettled(id, asked, () => true);
    const before = await changesOf(id);
    const rests = await restsIn(page, 'resize', async () => {
      for (let step = 0; step < 100; step += 1)
        await page.page.setViewportSize({ width: 900 + 7 * (step % 50), height: 500 + 3 * (step % 50) });
      await page.page.setViewportSize({ width: 760, height: 500 });
    });
    await isSettled(id, asked, (size) => size.cols < cols);
    expect((await changesOf(id)) - before).toBeLessThan(FEW + rests);
  });

  test('while the line between two panes is dragged, which both get the last one of', async () => {
    const page = await bench.logIn({ viewport: { width: 1400, height: 700 } });
    const asked = sizesAsked(page);
    const [left, right] = [await bench.host.create({ command: TELL }), await bench.host.create({ command: TELL })].map(({ id }) => id);
    if (left === undefined || right === undefined) throw new Error('no sessions');
    await page.open(bench.at(`/split/${left}/${right}`));
    const settled = (isWanted: (one: Size, other: Size) => boolean) =>
      until('both panes to have the size that they asked for last', async () => {
        const [one, other] = [(await bench.host.session(left)).size, (await bench.host.session(right)).size];
        return isLast(left, asked, one) && isLast(right, asked, other) && isWanted(one, other);
      });
    await settled((one, other) => Math.abs(one.cols - other.cols) <= 1);
    const before = [await changesOf(left), await changesOf(right)];
    const gutter = page.page.getByRole('separator', { name: 'Width of the columns' });
    const box = await gutter.boundingBox();
    if (box === null) throw new Error('there is no line between the panes');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.page.mouse.move(x, y);
    await page.page.mouse.down();
    const rests = await restsIn(page, 'pointermove', async () => {
      await page.page.mouse.move(x - 200, y, { steps: 40 });
      await page.page.mouse.move(x + 200, y, { steps: 60 });
    });
    await page.page.mouse.up();
    await settled((one, other) => one.cols > other.cols + 20);
    for (const [at, id] of [left, right].entries()) expect((await changesOf(id)) - (before[at] ?? 0)).toBeLessThan(FEW + rests);
  });

  test('while another session is looked at and this one again: none', async () => {
    const page = await bench.logIn();
    const asked = sizesAsked(page);
    const other = await bench.host.create({ command: SHELL });
    const { id } = await bench.opened(TELL, { page, shows: 'ready' });
    await isSettled(id, asked, () => true);
    const before = await changesOf(id);
    for (let n = 0; n < 3; n += 1) {
      await page.goTo(other.id);
      await page.shows('>');
      await page.goTo(id);
      await page.shows('ready');
    }
    await page.page.reload();
    await page.shows('ready');
    await isSettled(id, asked, () => true);
    expect(await changesOf(id)).toBe(before);
  });
});

test('a phone changes no size until it takes it over, and the desk has it back when the phone leaves', async () => {
  const page = await bench.logIn();
  const asked = sizesAsked(page);
  const { id } = await bench.opened(TELL, { page, shows: 'ready' });
  const size = await isSettled(id, asked, () => true);
  const before = await changesOf(id);
  const phone = await bench.logIn(PHONE);
  await phone.row(id).tap();
  await phone.shows('ready');
  expect((await bench.host.session(id)).size).toEqual(size);
  await phone.button('Take over size').first().tap();
  await until('the size to be the phone’s', async () => (await bench.host.session(id)).size.cols < 60);
  // The line that offers to take over makes room for one more row when it goes.
  expect(await changesOf(id)).toBeLessThanOrEqual(before + 2);
  await phone.page.close();
  await until('the size to be the desk’s', async () => isLast(id, asked, (await bench.host.session(id)).size));
  expect(await changesOf(id)).toBeLessThanOrEqual(before + 3);
});

test('a page that nobody sees asks for no size when it comes back from a cut', async () => {
  await using link = await CuttableLink.to(bench.host.ready.listen);
  const far = await bench.logIn({ viewport: { width: 1500, height: 900 } }, `http://${link.listen}`);
  const askedFar = sizesAsked(far);
  const { id } = await bench.opened(TELL, { page: far, shows: 'ready' });
  await isSettled(id, askedFar, (size) => size.cols > 130);
  await far.page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  const near = await bench.blank();
  const asked = sizesAsked(near); // it shows the session, and asks for its size, as soon as it has logged in
  await near.open(await bench.loginUrl());
  await near.goTo(id);
  await near.shows('ready');
  const size = await isSettled(id, asked, (one) => one.cols < 130);
  const before = await changesOf(id);
  link.cut();
  await far.page.getByText(/Cut off since/).waitFor();
  link.mend();
  await far.page.setViewportSize({ width: 1600, height: 950 });
  await far.page.getByText(/Cut off since/).waitFor({ state: 'detached' });
  await bench.say(id, 'seen');
  await far.shows('seen');
  expect((await bench.host.session(id)).size).toEqual(size);
  expect(await changesOf(id)).toBe(before);
});
