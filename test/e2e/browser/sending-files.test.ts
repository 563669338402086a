import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { leave, type MaestroPage, TestBrowser } from '../../support/browser.js';
import { TestHost } from '../../support/daemon-process.js';
import { dropFile, sendSlowly } from '../../support/dropped-file.js';
import { until } from '../../support/until.js';

const MIB = 1024 * 1024;

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

const kept = (id: string) => readdir(join(host.state, 'uploads', id)).catch(() => []);

async function opened(): Promise<{ shown: MaestroPage; id: string }> {
  const { id } = await host.create({ command: 'echo ready; exec cat' });
  page = await browser.logIn(host);
  await page.goTo(id);
  await page.shows('ready');
  return { shown: page, id };
}

test('a file on its way shows how far it is, and can be called off; nothing of it stays', async () => {
  const { shown, id } = await opened();
  await sendSlowly(shown.page, 2 * MIB);
  await dropFile(shown.page, 'trace.bin', 20 * MIB);
  const meter = shown.page.getByRole('progressbar', { name: 'Sending trace.bin…' });
  await meter.waitFor();
  const sent = () => meter.evaluate((element) => (element as HTMLProgressElement).value);
  await until('some of it to be through', async () => (await sent()) > 0.1);
  expect(await sent()).toBeLessThan(1);
  expect(await shown.page.getByText(/^\d+ %$/).textContent()).not.toBe('0 %');
  expect((await kept(id)).length).toBe(1);
  await shown.button('Cancel').click();
  await meter.waitFor({ state: 'detached' });
  await until('what came of it to be gone', async () => (await kept(id)).length === 0);
  expect(await shown.page.getByRole('alert').count()).toBe(0);
});

test('one that was not sent says why and is sent again at the user’s word, by its whole name', async () => {
  const { shown, id } = await opened();
  const directory = join(host.state, 'uploads', id);
  await mkdir(dirname(directory), { recursive: true, mode: 0o700 });
  await writeFile(directory, 'in the way');
  await dropFile(shown.page, 'notes.md', 'remember');
  const note = shown.page.getByRole('alert');
  await note.getByText('notes.md was not sent.').waitFor();
  expect(await note.textContent()).toContain(`uploads/${id}`);
  await rm(directory);
  await note.getByRole('button', { name: 'Try again' }).click();
  await note.waitFor({ state: 'detached' });
  await until('its path to be typed', async () => (await shown.lines()).join('').includes(`${id}/notes.md`));
  expect(await readFile(join(directory, 'notes.md'), 'utf8')).toBe('remember');
  await rm(directory, { recursive: true });
  await writeFile(directory, 'in the way');
  await dropFile(shown.page, 'more.md', 'x');
  await note.getByRole('button', { name: 'Dismiss' }).click();
  await note.waitFor({ state: 'detached' });
});

test('one that fails while the user is elsewhere is told there', async () => {
  const { shown } = await opened();
  const { id: other } = await host.create({ command: 'cat', metadata: { name: 'other' } });
  await sendSlowly(shown.page, MIB);
  await dropFile(shown.page, 'trace.bin', 20 * MIB);
  await shown.page.getByRole('progressbar').waitFor();
  await shown.goTo(other);
  await host.end('SIGKILL');
  await shown.page.getByText(/^Not sent: Maestro went away/).waitFor();
  await host.start();
});
