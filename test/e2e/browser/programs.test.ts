import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { PROGRAMS } from '../../fidelity/programs.js';
import type { MaestroPage } from '../../support/browser.js';
import { PageBench, PHONE } from '../../support/page-bench.js';
import { until } from '../../support/until.js';
import { CuttableLink } from './cuttable-link.js';

let bench: PageBench;

beforeAll(async () => {
  // The way through a link has a port of its own.
  bench = await PageBench.start({ daemon: { env: { MAESTRO_ALLOWED_HOSTS: '127.0.0.1' } } });
  const lines = Array.from({ length: 300 }, (_, n) => `${n} word ${'x'.repeat(n % 60)} 漢字 é`);
  await writeFile(join(bench.host.dir, 'text'), `${lines.join('\n')}\n`);
});
afterAll(() => bench[Symbol.asyncDispose]());
afterEach(() => bench.clear());

/** What of a row is within the terminal: xterm.js may keep cells of a larger one beyond its edge, where nothing shows them. */
function within(line: string, cols: number): string {
  let width = 0;
  const shown = [...line].filter((character) => {
    width += /\p{Script=Han}/u.test(character) ? 2 : 1;
    return width <= cols;
  });
  return shown.join('').trimEnd();
}

/** The page comes to show what tmux shows, column by column, with nothing left of what was there before. */
async function isAsInTmux(page: MaestroPage, id: string, when: string): Promise<void> {
  let seen: unknown;
  await until(`the page to show what tmux shows ${when}`, async () => {
    const screen = (await bench.host.screen(id))
      .replace(/\s+$/, '')
      .split('\n')
      .map((line) => line.trimEnd());
    const { cols } = (await bench.host.session(id)).size;
    const lines = (await page.lines()).map((line) => within(line, cols));
    seen = { page: lines, tmux: screen };
    return lines.join('\n') === screen.join('\n') && screen.join('').length > 20;
  }).catch((error: unknown) => {
    throw new Error(JSON.stringify(seen, null, 1), { cause: error });
  });
}

async function press(id: string, keys: readonly string[]): Promise<void> {
  expect((await bench.host.call('POST', `/api/sessions/${id}/input`, { keys })).status).toBe(200);
}

test.each([
  ['vim', ['C-f', 'j', 'j', 'd', 'd'], {}],
  ['htop', ['Down', 'Down', 't'], {}],
  ['less', ['Space', 'Space', 'b', 'G'], {}],
  ['mc', ['Down', 'Tab', 'Down'], {}],
  ['vim', ['G', 'i', 'n', 'e', 'w', 'Escape'], PHONE],
] as const)('%s looks on the page as in tmux when it is attached, reloaded, cut off and resumed', async (name, keys, options) => {
  const program = PROGRAMS[name];
  if (program === undefined) throw new Error(name);
  const { id } = await bench.host.create({ command: program.command });
  await bench.host.shows(id, program.ready);
  await using link = await CuttableLink.to(bench.host.ready.listen);
  const page = await bench.logIn(options, `http://${link.listen}`);
  await page.row(id).click();
  await page.page.locator('.xterm-rows').waitFor();
  await isAsInTmux(page, id, 'at first');
  await press(id, keys);
  await isAsInTmux(page, id, 'after some keys');
  await page.page.reload();
  await page.page.locator('.xterm-rows').waitFor();
  await isAsInTmux(page, id, 'after a reload');
  link.cut();
  await page.page.getByText(/Cut off since/).waitFor();
  await press(id, keys);
  link.mend();
  await isAsInTmux(page, id, 'after it was cut off');
  await bench.host.killTmux();
  await bench.host.reaches(id, 'dormant');
  await bench.host.resume(id);
  await bench.host.shows(id, program.ready);
  await isAsInTmux(page, id, 'after a resume');
});
