import type { Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { MaestroPage } from '../../support/browser.js';
import { PageBench, PHONE, SHELL } from '../../support/page-bench.js';
import { until } from '../../support/until.js';
import { CuttableLink } from './cuttable-link.js';

/** The script that all terminals are in. */
const TERMINAL = '**/assets/session-terminal-*.js';

let bench: PageBench;
beforeAll(async () => {
  bench = await PageBench.start({ daemon: { env: { MAESTRO_ALLOWED_HOSTS: '127.0.0.1' } } }); // the way through a link has a port of its own
});
afterAll(() => bench[Symbol.asyncDispose]());
afterEach(() => bench.clear());

const make = async (name: string) => (await bench.host.create({ command: SHELL, metadata: { name } })).id;
const alert = (page: MaestroPage) => page.page.getByRole('alert').filter({ hasText: 'The terminal did not load' });

/** Has logged in, and shows nothing: neither a session, as a page does at once, nor what it would fetch for one. */
async function away(): Promise<MaestroPage> {
  const page = await bench.logIn();
  await page.open('about:blank');
  return page;
}

/** The code of terminals does not come before its release. */
async function holdTerminals({ page }: MaestroPage): Promise<{ readonly asked: number; release(): void }> {
  const held = { asked: 0, release: () => {} };
  const released = new Promise<void>((resolve) => {
    held.release = resolve;
  });
  await page.route(TERMINAL, async (route) => {
    held.asked += 1;
    await released;
    await route.continue();
  });
  return held;
}

/** A phone's list, whose page cannot get at the code of terminals. */
async function withoutTerminals(listen = bench.host.ready.listen): Promise<MaestroPage> {
  const page = await bench.blank(PHONE);
  await page.page.route(TERMINAL, (route) => route.abort());
  await page.open((await bench.loginUrl()).replace(bench.host.ready.listen, listen));
  await page.isSignedIn();
  return page;
}

test('a list is there before the code of terminals, which it fetches once it has nothing else to do', async () => {
  const id = await make('one');
  const page = await bench.blank(PHONE);
  const asked: string[] = [];
  const come = new Set<string>();
  page.page.on('request', (request: Request) => asked.push(new URL(request.url()).pathname));
  page.page.on('requestfinished', (request: Request) => come.add(new URL(request.url()).pathname));
  await page.open(await bench.loginUrl());
  await page.row(id).waitFor();
  const fetched = () => asked.findIndex((path) => path.startsWith('/assets/session-terminal-'));
  await until('the code of terminals to be fetched', () => fetched() !== -1);
  expect(fetched()).toBeGreaterThan(asked.indexOf('/api/events'));
  await until('what was asked for to have come', () => asked.every((path) => !path.startsWith('/assets/') || come.has(path)));
  await page.page.route('**/assets/**', (route) => route.abort());
  await page.row(id).tap();
  await page.shows('>');
});

test('an address of a session fetches it at once, and shows that something comes', async () => {
  const id = await make('one');
  const page = await away();
  const terminals = await holdTerminals(page);
  // Before the page knows who it is for.
  await page.page.route('**/api/events', async (route) => {
    await until('the code of terminals to be asked for', () => terminals.asked > 0);
    await route.continue();
  });
  await page.open(bench.at(`/s/${id}`));
  const pane = page.page.getByRole('region', { name: 'one' });
  await pane.getByRole('status', { name: 'Loading' }).waitFor({ state: 'attached' });
  expect(await pane.getAttribute('aria-busy')).toBe('true');
  terminals.release();
  await page.shows('>');
  await page.page.keyboard.type('echo typed-$((40 + 2))\n');
  await page.shows('typed-42');
  expect(terminals.asked).toBe(1);
});

test('who types into a field meanwhile goes on there; who opens a session from one types into the session', async () => {
  const [one, two] = [await make('one'), await make('two')];
  const page = await away();
  const terminals = await holdTerminals(page);
  await page.open(bench.at(`/s/${one}`));
  await page.row(two).waitFor();
  const field = page.page.getByRole('searchbox', { name: 'Jump to a session' });
  await field.click();
  await page.page.keyboard.type('t');
  terminals.release();
  await page.shows('>');
  await page.page.keyboard.type('wo');
  expect(await field.inputValue()).toBe('two');
  await page.page.keyboard.press('Enter');
  await page.page.waitForURL(`**/s/${two}`);
  await page.shows('>');
  await until('the terminal to have the keyboard', () =>
    page.page.evaluate(() => document.activeElement?.classList.contains('xterm-helper-textarea') ?? false),
  );
});

test('a menu that is opened meanwhile stays open', async () => {
  const id = await make('one');
  const page = await away();
  const terminals = await holdTerminals(page);
  await page.open(bench.at(`/s/${id}`));
  await page.row(id).waitFor();
  await page.button('Settings').click();
  const item = page.page.getByRole('menuitem', { name: 'Settings…' });
  await item.waitFor();
  terminals.release();
  await page.shows('>');
  await page.page.getByText('sized by you').waitFor();
  await item.click();
  await page.page.getByRole('dialog', { name: 'Settings' }).waitFor();
});

test('code that is gone, as after an update, is said, with a reload that helps', async () => {
  const id = await make('one');
  const page = await withoutTerminals();
  await page.row(id).tap();
  await alert(page)
    .getByText(/may have been updated/)
    .waitFor();
  await page.button('Try again').tap();
  await alert(page).waitFor();
  await page.page.unroute(TERMINAL);
  await page.button('Reload the page').tap();
  await page.shows('>');
});

test('while nobody answers that is said, and the terminal comes as soon as somebody does', async () => {
  const id = await make('one');
  await using link = await CuttableLink.to(bench.host.ready.listen);
  const page = await withoutTerminals(link.listen);
  await page.row(id).tap();
  await alert(page).waitFor();
  link.cut();
  await alert(page)
    .getByText(/does not answer/)
    .waitFor();
  expect(await page.button('Reload the page').count()).toBe(0);
  await page.button('Try again').tap();
  await alert(page)
    .getByText(/does not answer/)
    .waitFor();
  await page.page.unroute(TERMINAL);
  link.mend();
  await page.shows('>');
});

/** The other parts of the page with code of their own: how a user comes to them, and what is there then. */
const PARTS = [
  [
    'the changes',
    'changes-panel',
    (page: MaestroPage) => page.page.getByRole('link', { name: 'Changes' }).click(),
    '.problem',
    'Nothing to compare',
  ],
  ['the wall', 'wall-page', (page: MaestroPage) => page.page.getByRole('link', { name: 'Wall' }).click(), '[data-tile]', 'one'],
  ['the palette', 'palette-list', (page: MaestroPage) => page.page.keyboard.press('Control+Alt+k'), '[role=option]', 'one'],
  ['a dialog', 'opened-dialog', openSettings, '[role=switch]', ''],
] as const;

async function openSettings(page: MaestroPage): Promise<void> {
  await page.button('Settings').click();
  await page.page.getByRole('menuitem', { name: 'Settings…' }).click();
}

test.each(PARTS)('%s, whose code does not come, say so, and come once they can', async (_, chunk, open, shown, text) => {
  const id = await make('one');
  await using link = await CuttableLink.to(bench.host.ready.listen);
  const page = await bench.blank();
  await page.page.route(`**/assets/${chunk}-*.js`, (route) => route.abort());
  await page.open((await bench.loginUrl()).replace(bench.host.ready.listen, link.listen));
  await page.goTo(id);
  await page.shows('>');
  await open(page);
  const told = page.page.getByRole('alert');
  await page.page.getByRole('heading', { name: 'This part of the page did not load' }).waitFor(); // once only
  await told.getByText(/may have been updated/).waitFor();
  await told.getByRole('button', { name: 'Try again' }).click();
  await told.getByText(/may have been updated/).waitFor();
  link.cut();
  await told.getByText(/does not answer/).waitFor();
  await page.page.unroute(`**/assets/${chunk}-*.js`);
  link.mend();
  await told.waitFor({ state: 'detached' });
  await page.page.locator(shown).filter({ hasText: text }).first().waitFor();
});
