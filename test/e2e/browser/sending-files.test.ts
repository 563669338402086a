import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { MaestroPage } from '../../support/browser.js';
import { dropFile, sendSlowly } from '../../support/dropped-file.js';
import { PageBench } from '../../support/page-bench.js';
import { until } from '../../support/until.js';

const MIB = 1024 * 1024;

let bench: PageBench;
beforeAll(async () => {
  bench = await PageBench.start();
});
afterAll(() => bench[Symbol.asyncDispose]());
afterEach(() => bench.clear());

const kept = (id: string) => readdir(join(bench.host.state, 'uploads', id)).catch(() => []);

async function opened(): Promise<{ shown: MaestroPage; id: string }> {
  const { page: shown, id } = await bench.opened('echo ready; exec cat', { page: await bench.logIn(), shows: 'ready' });
  return { shown, id };
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
  const directory = join(bench.host.state, 'uploads', id);
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
  const { id: other } = await bench.host.create({ command: 'cat', metadata: { name: 'other' } });
  await sendSlowly(shown.page, MIB);
  await dropFile(shown.page, 'trace.bin', 20 * MIB);
  await shown.page.getByRole('progressbar').waitFor();
  await shown.goTo(other);
  await bench.host.end('SIGKILL');
  await shown.page.getByText(/^Not sent: Maestro went away/).waitFor();
  await bench.host.start();
});
