import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { leave, loginUrl, MaestroPage, TestBrowser } from '../../support/browser.js';
import { TestHost } from '../../support/daemon-process.js';
import { clickNotification, countsOf, notificationsOf, recordNotifications } from '../../support/notification-log.js';
import { until } from '../../support/until.js';

let host: TestHost;
let browser: TestBrowser;
let page: MaestroPage | undefined;

beforeAll(async () => {
  host = await TestHost.started();
  browser = await TestBrowser.launch();
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

async function logIn(options: { permission?: NotificationPermission } = {}): Promise<MaestroPage> {
  const profile = await browser.profile({ permissions: ['notifications'] });
  await recordNotifications(profile, options);
  page = new MaestroPage(await profile.newPage());
  await page.open(await loginUrl(host));
  await page.isSignedIn();
  return page;
}

/** Turns switches of the settings. */
async function turn(shown: MaestroPage, ...names: string[]): Promise<void> {
  await shown.button('Settings').locator('visible=true').click();
  await shown.page.getByRole('menuitem', { name: 'Settings…' }).click();
  const settings = shown.page.getByRole('dialog', { name: 'Settings' });
  for (const name of names) await settings.getByRole('switch', { name }).click();
  await settings.getByRole('button', { name: 'Done' }).click();
}

/** The page has heard of it, and has had the time to tell it. */
async function heard(shown: MaestroPage, id: string, glyph: string): Promise<void> {
  await shown.row(id).getByRole('img', { name: glyph, exact: true }).waitFor();
  await shown.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1200)));
}

const madeBy = async (...pages: MaestroPage[]) => (await Promise.all(pages.map(({ page: tab }) => notificationsOf(tab)))).flat();

test('the browser is asked by a click on the switch only; then a session that waits is told of, and a click goes there', async () => {
  const [here, there] = [await session('here'), await session('there')];
  const shown = await logIn({ permission: 'default' });
  await shown.goTo(here);
  await say(there, { state: 'waiting', message: 'old' });
  await heard(shown, there, 'Waiting');
  await say(there, { state: 'working' });
  expect([await countsOf(shown.page), await madeBy(shown)]).toEqual([{ asked: 0, focused: 0, notes: 0 }, []]);
  await turn(shown, 'Show notifications');
  await until('a sample', async () => (await madeBy(shown)).length === 1);
  await say(there, { state: 'waiting', message: '<b>May I</b>\nrun\u202e it?' });
  await until('a notification', async () => (await madeBy(shown)).length === 2);
  const [, told] = await madeBy(shown);
  expect(told).toEqual({ title: 'there: waiting for you', body: '<b>May I</b> run[U+202E] it?', tag: there, isClosed: false });
  expect(await shown.page.title()).toBe('(1) here · Maestro');
  await clickNotification(shown.page);
  await shown.page.waitForURL(`**/s/${there}`);
  expect(await countsOf(shown.page)).toEqual({ asked: 1, focused: 1, notes: 0 });
  expect((await madeBy(shown))[1]?.isClosed).toBe(true);
  // The page shows it, but nobody sees the page.
  await shown.page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await say(there, { state: 'idle', message: 'all green' });
  await until('another notification', async () => (await madeBy(shown)).length === 3);
  expect((await madeBy(shown))[2]).toMatchObject({ title: 'there: done', body: 'all green' });
});

test('of all tabs one tells, once; and none what is in view, or was so before', async () => {
  const [here, there, other] = [await session('here'), await session('there'), await session('other')];
  const first = await logIn();
  await turn(first, 'Show notifications');
  await first.goTo(here);
  const tabs = [first, await first.newTab(), await first.newTab()];
  for (const tab of tabs) await tab.isSignedIn();
  const told = async () => (await madeBy(...tabs)).slice(1).map(({ title }) => title);
  await say(there, { state: 'waiting' });
  await until('a notification', async () => (await told()).length > 0);
  await heard(first, there, 'Waiting');
  expect(await told()).toEqual(['there: waiting for you']);
  await tabs[2]?.goTo(other);
  await say(other, { state: 'idle', message: 'all green' });
  await until('the daemon to know that it was seen', async () => (await host.session(other)).activity?.done === undefined);
  expect(await told()).toEqual(['there: waiting for you']);
  await tabs[2]?.goTo(here);
  await say(other, { state: 'working' });
  await say(other, { state: 'idle', message: 'all green again' });
  await until('another', async () => (await told()).length === 2);
  expect((await told())[1]).toBe('other: done');
  await first.page.reload();
  await heard(first, there, 'Waiting');
  expect(await madeBy(first)).toEqual([]);
});

test('a tone sounds where it is wished; while nobody shall disturb nothing does, and the page says so', async () => {
  const [here, there] = [await session('here'), await session('there')];
  const shown = await logIn();
  await shown.goTo(here);
  await turn(shown, 'Show notifications', 'Play a sound', 'Tell me when work is done');
  await until('the sample', async () => (await countsOf(shown.page)).notes === 2);
  await say(there, { state: 'idle' });
  await heard(shown, there, 'Done, not seen');
  await say(there, { state: 'waiting' });
  await until('the tone', async () => (await countsOf(shown.page)).notes === 4);
  expect((await madeBy(shown)).map(({ title }) => title)).toEqual(['Notifications are on', 'there: waiting for you']);
  await shown.button('Settings').locator('visible=true').click();
  await shown.page.getByRole('menuitem', { name: 'Do not disturb' }).click();
  await say(there, { state: 'working' });
  await until('the notification to be taken back', async () => (await madeBy(shown))[1]?.isClosed);
  await say(there, { state: 'waiting' });
  await heard(shown, there, 'Waiting');
  expect([(await madeBy(shown)).length, (await countsOf(shown.page)).notes]).toEqual([2, 4]);
  await shown.button('Do not disturb is on. End it').locator('visible=true').click();
  expect(await shown.button('Do not disturb is on. End it').count()).toBe(0);
});
