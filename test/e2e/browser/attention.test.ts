import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { SETTLE_MS } from '../../../src/web/attention/attention-watch.js';
import { leave, loginUrl, MaestroPage, TestBrowser } from '../../support/browser.js';
import { TestHost } from '../../support/daemon-process.js';
import {
  clickNotification,
  clickShown,
  countsOf,
  notificationsOf,
  pagesOfWorker,
  recordNotifications,
  shownTitles,
} from '../../support/notification-log.js';
import { until } from '../../support/until.js';

/** The host on a network without certificates. */
const NAME = 'desk.test';

let host: TestHost;
let browser: TestBrowser;
let page: MaestroPage | undefined;

beforeAll(async () => {
  host = await TestHost.started({ env: { MAESTRO_ALLOWED_HOSTS: NAME } });
  browser = await TestBrowser.launch({ foreignNames: [NAME] });
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
});
afterEach(async () => {
  const faults = await leave(host, page);
  page = undefined;
  expect(faults).toEqual([]);
});

type Said = { readonly state: 'working' | 'waiting' | 'idle'; readonly message?: string };

const say = (id: string, said: Said) => host.call('POST', `/api/sessions/${id}/activity`, said);

async function session(name: string): Promise<string> {
  const { id } = await host.create({ command: 'cat', metadata: { name } });
  await say(id, { state: 'working' });
  return id;
}

async function logIn(options: Parameters<typeof recordNotifications>[1] = {}): Promise<MaestroPage> {
  const profile = await browser.profile({ permissions: ['notifications'] });
  await recordNotifications(profile, options);
  page = new MaestroPage(await profile.newPage());
  await page.open(await loginUrl(host));
  await page.isSignedIn();
  return page;
}

async function settings(shown: MaestroPage): Promise<Locator> {
  await shown.button('Settings').locator('visible=true').click();
  await shown.page.getByRole('menuitem', { name: 'Settings…' }).click();
  return shown.page.getByRole('dialog', { name: 'Settings' });
}

/** Turns switches of the settings. */
async function turn(shown: MaestroPage, ...names: string[]): Promise<void> {
  const dialog = await settings(shown);
  for (const name of names) await dialog.getByRole('switch', { name }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
}

const heard = (shown: MaestroPage, id: string, glyph: string) => shown.row(id).getByRole('img', { name: glyph, exact: true }).waitFor();

const madeBy = async (...pages: MaestroPage[]) => (await Promise.all(pages.map(({ page: tab }) => notificationsOf(tab)))).flat();

const workersOf = ({ page: tab }: MaestroPage) => tab.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);

/** A session begins to wait, and is told of: so what came before it has had its time. */
async function tellsOf(name: string, ...pages: MaestroPage[]): Promise<void> {
  await say(await session(name), { state: 'waiting' });
  await until(`${name} to be told of`, async () => (await madeBy(...pages)).some(({ title }) => title === `${name}: waiting for you`));
}

test('the browser is asked by a click on the switch only; then a session that waits is told of, and a click goes there', async () => {
  const [here, there] = [await session('here'), await session('there')];
  const shown = await logIn({ permission: 'default' });
  await shown.goTo(here);
  await turn(shown, 'Play a sound');
  await say(there, { state: 'waiting', message: 'old' });
  await until('the sample, and the tone', async () => (await countsOf(shown.page)).notes === 4);
  await say(there, { state: 'working' });
  expect([await countsOf(shown.page), await madeBy(shown), await workersOf(shown)]).toEqual([{ asked: 0, focused: 0, notes: 4 }, [], 0]);
  await turn(shown, 'Show notifications');
  await until('a sample', async () => (await madeBy(shown)).length === 1);
  expect(await workersOf(shown)).toBe(1);
  await say(there, { state: 'waiting', message: '<b>May I</b>\nrun\u202e it?' });
  const told = await until('a notification', async () => (await madeBy(shown))[1]);
  await until('it to be shown', async () => (await shownTitles(shown.page)).length === 2);
  expect({ ...told, isClosed: false }).toEqual({
    title: 'there: waiting for you',
    body: '<b>May I</b> run[U+202E] it?',
    tag: there,
    isClosed: false,
  });
  expect(await shown.page.title()).toBe('(1) here · Maestro');
  expect(await clickShown(shown.page.context(), there)).toBeUndefined();
  await shown.page.waitForURL(`**/s/${there}`);
  expect((await madeBy(shown))[1]?.isClosed).toBe(true);
  // The page shows it, but nobody sees the page.
  await shown.page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await say(there, { state: 'idle', message: 'all green' });
  await until('another notification', async () => (await madeBy(shown)).length === 3);
  expect((await madeBy(shown))[2]).toMatchObject({ title: 'there: done', body: 'all green' });
  await turn(shown, 'Show notifications');
  await until('the worker to be gone', async () => (await workersOf(shown)) === 0);
});

test('of all tabs one tells, once; none what is in view, or was so before; and what one has told goes when another shows it', async () => {
  const [here, there, other] = [await session('here'), await session('there'), await session('other')];
  const first = await logIn();
  await turn(first, 'Show notifications');
  await first.goTo(here);
  const tabs = [first, await first.newTab(), await first.newTab()];
  for (const tab of tabs) await tab.isSignedIn();
  const told = async () => (await madeBy(...tabs)).map(({ title }) => title).filter((title) => !title.startsWith('Notif'));
  await say(there, { state: 'waiting' });
  await heard(first, there, 'Waiting');
  await tabs[2]?.goTo(other);
  await say(other, { state: 'idle', message: 'all green' });
  await until('the daemon to know that it was seen', async () => (await host.session(other)).activity?.done === undefined);
  await tellsOf('second', ...tabs);
  expect((await told()).sort()).toEqual(['second: waiting for you', 'there: waiting for you']);
  await tabs[1]?.goTo(there);
  await until('it to be taken back', async () => !(await shownTitles(first.page)).includes('there: waiting for you'));
  await tabs[1]?.goTo(here);
  await first.page.reload();
  await first.isSignedIn();
  await tellsOf('third', ...tabs);
  expect((await told()).filter((title) => title === 'there: waiting for you').length).toBeLessThanOrEqual(1);
  expect((await madeBy(first)).map(({ title }) => title).filter((title) => title !== 'third: waiting for you')).toEqual([]);
});

test('a tone sounds where it is wished; while nobody shall disturb nothing does, and the page says so', async () => {
  const [here, there] = [await session('here'), await session('there')];
  const shown = await logIn();
  await shown.goTo(here);
  await turn(shown, 'Show notifications', 'Play a sound', 'Tell me when work is done');
  await until('the sample', async () => (await countsOf(shown.page)).notes === 2);
  await say(there, { state: 'idle' });
  await heard(shown, there, 'Done, not seen');
  await tellsOf('marker', shown);
  await until('the tone', async () => (await countsOf(shown.page)).notes === 4);
  expect((await madeBy(shown)).map(({ title }) => title)).toEqual(['Notifications are on', 'marker: waiting for you']);
  await shown.button('Settings').locator('visible=true').click();
  await shown.page.getByRole('menuitem', { name: 'Do not disturb' }).click();
  await say(there, { state: 'waiting' });
  await heard(shown, there, 'Waiting');
  // A timer that is set after the page's own, and is as long, is over after it.
  await shown.page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), SETTLE_MS);
  await shown.button('Do not disturb is on. End it').locator('visible=true').click();
  expect(await shown.button('Do not disturb is on. End it').count()).toBe(0);
  await tellsOf('after', shown);
  expect((await madeBy(shown)).slice(2).map(({ title }) => title)).toEqual(['after: waiting for you']);
});

test('many sessions that wait at once are one tone; and each notification lives as long as what it says', async () => {
  const here = await session('here');
  const shown = await logIn();
  await shown.goTo(here);
  await turn(shown, 'Show notifications', 'Play a sound');
  await until('the sample', async () => (await countsOf(shown.page)).notes === 2);
  const names = Array.from({ length: 12 }, (_, at) => `s${at}`);
  const ids = await Promise.all(names.map(session));
  await Promise.all(ids.map((id) => say(id, { state: 'waiting' })));
  await until('all to be told of', async () => (await shownTitles(shown.page)).length === names.length + 1);
  expect((await countsOf(shown.page)).notes).toBe(4);
  const [renamed = '', killed = '', answered = '', ...rest] = ids;
  await host.call('PATCH', `/api/sessions/${renamed}`, { metadata: { name: 'new name' } });
  await host.kill(killed);
  await say(answered, { state: 'working' });
  await until('the others', async () => {
    const titles = await shownTitles(shown.page);
    return titles.length === rest.length + 2 && titles.includes('new name: waiting for you');
  });
  // What no page is there for any more to take back goes when one is there again.
  const profile = shown.page.context();
  await shown.page.goto('about:blank');
  for (const id of rest) await say(id, { state: 'working' });
  await shown.open(`http://${host.ready.listen}/s/${here}`);
  await until('what is no longer so to be gone', async () => (await shownTitles(shown.page)).length === 2);
  await shown.page.goto('about:blank');
  await until('the page to be left', async () => (await pagesOfWorker(profile)) === 0);
  expect(await clickShown(profile, renamed)).toBe(`/s/${renamed}`);
});

test('a notice leads to a session of this page or nowhere, whatever its tag is', async () => {
  const shown = await logIn();
  await turn(shown, 'Show notifications');
  const profile = shown.page.context();
  const tags = ['https://evil.test/', '//evil.test', '../api/host', 'javascript:alert(1)'];
  await shown.page.evaluate(async (tags) => {
    const registration = await navigator.serviceWorker.ready;
    for (const tag of tags) await registration.showNotification('x', { tag });
  }, tags);
  const before = shown.page.url();
  for (const tag of tags.slice(1)) expect(await clickShown(profile, tag)).toBeUndefined();
  expect(shown.page.url()).toBe(before);
  await shown.page.goto('about:blank');
  await until('the page to be left', async () => (await pagesOfWorker(profile)) === 0);
  expect(await clickShown(profile, 'https://evil.test/')).toBe('/');
});

test('a daemon that starts anew tells nothing again, and leave that is taken back is seen at once', async () => {
  const [here, there] = [await session('here'), await session('there')];
  const shown = await logIn();
  await shown.goTo(here);
  await turn(shown, 'Show notifications');
  await say(there, { state: 'waiting' });
  await until('it to be told of', async () => (await madeBy(shown)).length === 2);
  const { listen } = host.ready;
  await host.end('SIGKILL');
  await host.start({ env: { MAESTRO_LISTEN: listen } });
  await tellsOf('marker', shown);
  expect((await madeBy(shown)).map(({ title }) => title).slice(1)).toEqual(['there: waiting for you', 'marker: waiting for you']);
  const dialog = await settings(shown);
  const isOn = dialog.getByRole('switch', { name: 'Show notifications', checked: true });
  await isOn.waitFor();
  await shown.page.context().clearPermissions();
  await isOn.waitFor({ state: 'detached' });
});

test('where there are no workers the page shows its notifications itself', async () => {
  const [here, there] = [await session('here'), await session('there')];
  const shown = await logIn({ hasWorkers: false });
  await shown.goTo(here);
  await turn(shown, 'Show notifications');
  await say(there, { state: 'waiting' });
  await until('a notification', async () => (await madeBy(shown)).length === 2);
  await clickNotification(shown.page);
  await shown.page.waitForURL(`**/s/${there}`);
  expect([(await countsOf(shown.page)).focused, (await madeBy(shown))[1]?.isClosed]).toEqual([1, true]);
});

test('the worker is served so that a new one is taken at once, and a page that browsers do not trust says what to do', async () => {
  const answer = await host.call('GET', '/notices.js');
  expect(answer.headers.get('content-type')).toMatch(/^(text|application)\/javascript/);
  expect(answer.headers.get('cache-control')).toBe('no-cache');
  expect(answer.headers.get('content-security-policy')).toContain("worker-src 'self'");
  const profile = await browser.profile();
  page = new MaestroPage(await profile.newPage());
  const url = (await loginUrl(host)).replace('127.0.0.1', NAME);
  await page.open(url);
  await page.isSignedIn();
  const dialog = await settings(page);
  expect(await dialog.getByRole('switch', { name: 'Show notifications' }).isDisabled()).toBe(true);
  await dialog.getByText('only for pages at https or localhost').waitFor();
});
