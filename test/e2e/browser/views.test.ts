import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type MaestroPage, TestBrowser } from '../../support/browser.js';
import { TestHost } from '../../support/daemon-process.js';
import { until } from '../../support/until.js';

/** A shell whose prompt is the same everywhere. */
const SHELL = "PS1='> ' exec sh";

let host: TestHost;
let browser: TestBrowser;

beforeAll(async () => {
  host = await TestHost.started();
  browser = await TestBrowser.launch();
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
});
afterEach(async () => {
  for (const { id } of await host.sessions()) await host.kill(id);
});

const at = (path: string) => `http://${host.ready.listen}${path}`;
const make = async (name: string, command = SHELL) => (await host.create({ command, metadata: { name } })).id;

/** A page that is signed in and was opened at `path`. */
async function opened(path: string, options?: Parameters<TestBrowser['logIn']>[1]): Promise<MaestroPage> {
  const page = await browser.logIn(host, options);
  await page.open(at(path));
  return page;
}

/** What {@link MaestroPage.lines} is for the only terminal. */
async function shows(pane: Locator, text: string): Promise<void> {
  await pane.locator('.xterm-rows').getByText(text, { exact: true }).first().waitFor();
}

const pathOf = (page: MaestroPage) => new URL(page.page.url()).pathname;

describe('several panes', () => {
  test('each take what is typed into them, by a click and by keys', async () => {
    const [one, two] = [await make('one'), await make('two')];
    await using page = await opened(`/split/${one}/${two}`);
    const [left, right] = [page.page.getByRole('region', { name: 'one' }).first(), page.page.getByRole('region', { name: 'two' }).first()];
    for (const pane of [left, right]) await shows(pane, '>');
    await left.locator('.xterm-screen').click();
    await page.page.keyboard.type('echo left-$((40 + 2))\n');
    await shows(left, 'left-42');
    await page.page.keyboard.press('Control+b');
    await page.page.keyboard.press('o');
    await page.page.keyboard.type('echo right-$((40 + 2))\n');
    await shows(right, 'right-42');
    expect([await host.screen(one), await host.screen(two)].map((screen) => /(left|right)-42/.exec(screen)?.[0])).toEqual([
      'left-42',
      'right-42',
    ]);
    const sizes = await Promise.all([one, two].map(async (id) => (await host.session(id)).size.cols));
    expect(Math.max(...sizes)).toBeLessThan(100);
    expect(page.faults).toEqual([]);
  });

  test('are made from one session by keys, filled by choice, resized by keys and by the pointer, and come back after a reload', async () => {
    const [one, two] = [await make('one'), await make('two')];
    await using page = await opened(`/s/${one}`);
    await page.shows('>');
    await page.page.keyboard.press('Control+b');
    await page.page.keyboard.press('%');
    const chooser = page.page.getByRole('region', { name: 'Empty pane' });
    await chooser.getByLabel('Find a session').fill('tw');
    await page.page.keyboard.press('Enter');
    await shows(page.page.getByRole('region', { name: 'two' }).first(), '>');
    expect(pathOf(page)).toBe(`/split/${one}/${two}`);
    const gutter = page.page.getByRole('separator', { name: 'Width of the columns' });
    await gutter.focus();
    for (let n = 0; n < 5; n += 1) await page.page.keyboard.press('ArrowRight');
    expect(await gutter.getAttribute('aria-valuenow')).toBe('65');
    await page.page.reload();
    await shows(page.page.getByRole('region', { name: 'two' }).first(), '>');
    expect(await gutter.getAttribute('aria-valuenow')).toBe('65');
    const { x = 0, y = 0, width = 0 } = (await gutter.boundingBox()) ?? {};
    await page.page.mouse.move(x + width / 2, y + 100);
    await page.page.mouse.down();
    await page.page.mouse.move(x - 200, y + 100, { steps: 4 });
    await page.page.mouse.up();
    const dragged = Number(await gutter.getAttribute('aria-valuenow'));
    expect(dragged).toBeLessThan(45);
    expect(new URL(page.page.url()).searchParams.get('sizes')).toBe(`${dragged},${100 - dragged}/100/100`);
    await page.page.getByRole('button', { name: 'Close the pane of one' }).click();
    await page.page.waitForURL(at(`/s/${two}`));
    await page.page.getByRole('link', { name: 'Split' }).click();
    await page.page.waitForURL(/\/split\/.*sizes=/);
  });

  test('take a session that is dragged onto them, and one that is chosen in the list', async () => {
    const [one, two, three] = [await make('one'), await make('two'), await make('three')];
    await using page = await opened(`/s/${one}`);
    await page.shows('>');
    const stage = page.page.locator('.dropzone');
    const box = await stage.boundingBox();
    await page.row(two).dragTo(stage, { targetPosition: { x: (box?.width ?? 0) - 30, y: 200 } });
    await page.page.waitForURL(at(`/split/${one}/${two}?pane=2`));
    await page.row(three).click();
    await page.page.waitForURL(at(`/split/${one}/${three}?pane=2`));
    await page.row(one).click();
    await page.page.waitForURL(at(`/split/${one}/${three}`));
    expect(await page.row(one).getAttribute('aria-current')).toBe('page');
  });
});

describe('the wall', () => {
  /** A fingerprint of what a tile shows; undefined as long as it shows nothing. */
  const picture = (page: MaestroPage, id: string) =>
    page.page.locator(`[data-tile="${id}"] canvas`).evaluate((canvas) => {
      const { width, height } = canvas as HTMLCanvasElement;
      const data = (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
      let print = 0;
      for (const byte of data) print = (print * 31 + byte) % 1_000_000_007;
      return print;
    });

  test('shows what the programs show now: alike where that is alike, and another picture once it is not', async () => {
    const [one, two] = [await make('one'), await make('two')];
    for (const id of [one, two]) await host.shows(id, '>');
    await using page = await opened('/wall');
    const same = () => until('both tiles to show the same', async () => (await picture(page, one)) === (await picture(page, two)));
    await same();
    const type = (id: string) => host.call('POST', `/api/sessions/${id}/input`, { text: 'clear; echo on-the-wall', submit: true });
    await type(one);
    await until('the tiles to differ', async () => (await picture(page, one)) !== (await picture(page, two)));
    await type(two);
    await same();
    expect(page.faults).toEqual([]);
  });

  test('fetches only what can be seen, and nothing once it is left', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const ids = await Promise.all(names.map((name) => make(name)));
    // They are listed by their age, and three tiles fit.
    await using page = await browser.logIn(host, { viewport: { width: 1000, height: 240 } });
    const asked = new Set<string>();
    page.page.on('request', (request) => {
      const [, id] = /\/api\/sessions\/([^/]+)\/screen/.exec(request.url()) ?? [];
      if (id !== undefined) asked.add(id);
    });
    await page.open(at('/wall'));
    await page.page.locator('.tile canvas').nth(2).waitFor();
    const tiles = await page.page.locator('[data-tile]').evaluateAll((all) => all.map((tile) => tile.getAttribute('data-tile') ?? ''));
    expect(new Set(tiles)).toEqual(new Set(ids));
    expect(asked).toEqual(new Set(tiles.slice(0, 3)));
    await page.page.keyboard.press('End');
    await page.page.locator('.tile canvas').nth(5).waitFor();
    expect(asked.size).toBe(6);
  });

  test('draws what has ended from the tail of its output, the same as from all of it; from more where little may not show it all', async () => {
    const lines = 'seq -f "line %g of a program that prints much and then ends" 9950 10000';
    const [much, little] = [await make('much', `seq 100000; ${lines}`), await make('little', lines)];
    // It draws one line of its screen at first and another one from then on.
    const redraws =
      'printf "\\033[?1049h\\033[2;1Hfirst"; i=0; while [ $i -lt 2000 ]; do i=$((i+1)); printf "\\033[5;1Hstep %05d of 2000 with some more text" $i; done; exec sleep 1000';
    const screenful = await make('screenful', redraws);
    await host.shows(screenful, 'step 02000');
    await host.call('POST', `/api/sessions/${screenful}/stop`);
    for (const id of [much, little, screenful]) await host.reaches(id, 'dead');
    await using page = await browser.logIn(host);
    await page.open('about:blank'); // away from the session that it shows at once, whose output it would fetch too
    const fetched = new Map<string, string[]>([much, little, screenful].map((id) => [id, []]));
    page.page.on('request', (request) => {
      const [, id = '', query = ''] = /\/api\/sessions\/([^/]+)\/scrollback(.*)/.exec(request.url()) ?? [];
      fetched.get(id)?.push(query);
    });
    await page.open(at('/wall'));
    await page.page.locator('.tile canvas').nth(2).waitFor();
    await until('both to be drawn', async () => (await picture(page, much)) === (await picture(page, little)));
    expect([much, little, screenful].map((id) => fetched.get(id))).toEqual([
      ['?tail=32768'],
      ['?tail=32768'],
      ['?tail=32768', '?tail=262144'],
    ]);
  });

  test('has the sidebar or not by itself, whichever button turns it', async () => {
    const id = await make('one');
    await using page = await opened('/wall');
    const sidebar = page.page.getByRole('complementary', { name: 'Sessions' });
    const isShown = async (wanted: boolean) => {
      await page.button(wanted ? 'Hide sidebar' : 'Show sidebar').waitFor();
      expect(await sidebar.isVisible()).toBe(wanted);
      expect(await page.page.getByRole('button', { name: /(Hide|Show) sidebar/ }).count()).toBe(1);
    };
    await isShown(false);
    await page.button('Show sidebar').click();
    await isShown(true);
    await page.button('Hide sidebar').click();
    await isShown(false);
    await page.open(at(`/s/${id}`));
    await isShown(true);
    await page.button('Hide sidebar').click();
    await isShown(false);
    await page.button('Show sidebar').click();
    await isShown(true);
  });

  test('is walked by arrows, opened by Enter, and left and entered by the browser’s history', async () => {
    const [one, two] = [await make('one'), await make('two')];
    await using page = await opened(`/s/${one}`);
    await page.shows('>');
    await page.page.keyboard.press('Control+b');
    await page.page.keyboard.press('w');
    await page.page.waitForURL(at('/wall'));
    await until('the tile of the last session to have the focus', () =>
      page.page.evaluate((id) => document.activeElement?.getAttribute('data-tile') === id, one),
    );
    const order = await page.page.locator('[data-tile]').evaluateAll((all) => all.map((tile) => tile.getAttribute('data-tile')));
    await page.page.keyboard.press(order[0] === one ? 'ArrowRight' : 'ArrowLeft');
    await page.page.keyboard.press('Enter');
    await page.page.waitForURL(at(`/s/${two}`));
    await page.page.goBack();
    await page.page.waitForURL(at('/wall'));
    await page.page.goBack();
    await page.page.waitForURL(at(`/s/${one}`));
    await page.shows('>');
    await page.page.goForward();
    await page.page.locator(`[data-tile="${two}"]`).waitFor();
  });
});

test('words and states filter the list and the wall alike', async () => {
  const [one, two] = [await make('alpha'), await make('beta')];
  await host.call('POST', `/api/sessions/${two}/activity`, { state: 'waiting', message: 'May I?' });
  await using page = await opened(`/s/${one}`);
  await page.row(two).waitFor();
  await page.page.locator('.side').getByRole('searchbox').fill('may');
  await page.row(one).waitFor({ state: 'detached' });
  await page.page.getByRole('link', { name: 'Wall' }).click();
  await page.page.waitForURL(at('/wall?find=may'));
  await page.page.locator(`[data-tile="${two}"]`).waitFor();
  expect(await page.page.locator('[data-tile]').count()).toBe(1);
  await page.page.getByRole('searchbox').last().fill('');
  await page.page.waitForURL(at('/wall'));
  await page.page.locator(`[data-tile="${one}"]`).waitFor();
  await page.page.getByRole('toolbar', { name: 'Filter by state' }).last().getByRole('button', { name: 'Waiting: 1' }).click();
  await page.page.locator(`[data-tile="${one}"]`).waitFor({ state: 'detached' });
  await page.page.waitForURL(at('/wall?state=waiting'));
  await page.page.goBack();
  await page.page.locator(`[data-tile="${one}"]`).waitFor();
  await page.page.goForward();
  await page.page.locator(`[data-tile="${one}"]`).waitFor({ state: 'detached' });
  await page.page.reload();
  await page.page.locator(`[data-tile="${two}"]`).waitFor();
  expect(await page.page.locator('[data-tile]').count()).toBe(1);
  await host.call('POST', `/api/sessions/${two}/activity`, { state: 'working' });
  await page.button('Show all').last().click();
  await page.page.locator(`[data-tile="${one}"]`).waitFor();
});

test('the sidebar is as wide as it was made, also after a reload', async () => {
  const id = await make('one');
  await using page = await opened(`/s/${id}`);
  const edge = page.page.getByRole('separator', { name: 'Width of the sidebar' });
  await page.row(id).waitFor();
  const width = async () => Math.round((await page.page.locator('.side').boundingBox())?.width ?? 0);
  expect(await width()).toBe(304);
  const { x = 0, y = 0, height = 0 } = (await edge.boundingBox()) ?? {};
  await page.page.mouse.move(x + 4, y + height / 2);
  await page.page.mouse.down();
  await page.page.mouse.move(x + 54, y + height / 2, { steps: 4 });
  await page.page.mouse.up();
  expect(await width()).toBe(354);
  await edge.focus();
  await page.page.keyboard.press('ArrowLeft');
  expect(await width()).toBe(338);
  await page.page.reload();
  await page.row(id).waitFor();
  expect(await width()).toBe(338);
  await edge.focus();
  await page.page.keyboard.press('Home');
  expect(await width()).toBe(304);
});

test('stored output is shown over the terminal that runs on, and is saved byte for byte', async () => {
  const id = await make('to read', `echo first-words; ${SHELL}`);
  await using page = await opened(`/s/${id}`);
  await page.shows('>');
  await page.choose('Stored output');
  await page.page.waitForURL(at(`/s/${id}/output`));
  const panel = page.page.getByRole('region', { name: 'Stored output' });
  await shows(panel, 'first-words');
  const saving = page.page.waitForEvent('download');
  await panel.getByRole('button', { name: 'Download' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe(`to-read-${id.slice(0, 8)}.log`);
  expect(await readFile(await saved.path())).toEqual(await host.scrollback(id));
  await page.page.keyboard.press('Escape');
  await page.page.waitForURL(at(`/s/${id}`));
  await page.enter('echo still-$((40 + 2))');
  await page.shows('still-42');
});
