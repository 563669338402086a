import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Size } from '../../../src/protocol/index.js';
import type { MaestroPage } from '../../support/browser.js';
import { PageBench, SHELL } from '../../support/page-bench.js';
import { until } from '../../support/until.js';
import { CuttableLink } from './cuttable-link.js';

let bench: PageBench;
let link: CuttableLink;
/** Reaches the daemon by a link that can be cut. */
let far: MaestroPage;
/** Of its terminal. */
let size: Size;
beforeAll(async () => {
  bench = await PageBench.start({ daemon: { env: { MAESTRO_ALLOWED_HOSTS: '127.0.0.1' } } });
  link = await CuttableLink.to(bench.host.ready.listen);
  far = bench.stay(await bench.logIn({}, `http://${link.listen}`));
  const { id } = await bench.opened(SHELL, { page: far });
  size = await bench.settledSize(far, id);
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await link[Symbol.asyncDispose]();
});
afterEach(() => bench.clear());

/** A program that prints the bytes. */
const print = (text: string) => `printf '%b' '${[...Buffer.from(text)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('')}'`;
const printBytes = (bytes: readonly number[]) => `printf '%b' '${bytes.map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('')}'`;

/** The page comes to show what tmux shows. */
async function isAsInTmux(page: MaestroPage, id: string, when: string): Promise<void> {
  let seen: unknown;
  await until(`the page to show what tmux shows ${when}`, async () => {
    const screen = (await bench.host.tmux('capture-pane', '-p', '-t', `=${id}:`)).split('\n').map((line) => line.trimEnd());
    const [tmux, lines] = [screen.join('\n').trimEnd(), (await page.lines()).join('\n')];
    seen = { page: lines.split('\n'), tmux: tmux.split('\n') };
    return lines === tmux;
  }).catch((error: unknown) => {
    throw new Error(JSON.stringify(seen, null, 1), { cause: error });
  });
}

const lines = (count: number) => Array.from({ length: count }, (_, n) => `line-${n + 1}\r\n`).join('');

interface Printed {
  /** Before the page is cut off. It ends with a mark. */
  readonly first: string;
  /** While it is. */
  readonly rest: string;
}

describe('what is printed while the page is cut off is shown as in tmux when it is back, and after a reload, behind', () => {
  const CASES: Record<string, Printed> = {
    'the entry into a full-screen program': {
      first: `${lines(60)}before`,
      rest: '\u001b[?1049h\u001b[2J\u001b[Hfull\r\n\u001b[7mscreen\u001b[0m behind',
    },
    'the end of one': { first: '\u001b[?1049h\u001b[2J\u001b[5;5Hbefore', rest: '\u001b[?1049lbehind' },
    'one within another, to the end of both': {
      first: `${lines(5)}\u001b[?1049h\u001b[2Jbefore`,
      rest: '\u001b[?1047hmore\u001b[?1047l\u001b[?1049lbehind',
    },
    'a scroll region in the middle of the screen': {
      first: `${lines(8)}\u001b[3;6r\u001b[6;1Hbefore`,
      rest: `\r\nscrolled-1\r\nscrolled-2\u001bM\u001b[2L\rbehind`,
    },
    'half of a colour': { first: 'before\u001b[3', rest: '1mred\u001b[0m behind' },
    'half of a title': { first: 'before\u001b]0;ti', rest: 'tle\u0007behind' },
    'half of a link': { first: 'before\u001b]8;;https://exam', rest: 'ple.org/\u001b\\link\u001b]8;;\u001b\\ behind' },
    'the beginning of a synchronized update': {
      first: `${lines(3)}before\u001b[?2026h`,
      rest: '\u001b[2J\u001b[Hdrawn\u001b[?2026l behind',
    },
    'one that nobody ends': { first: 'before\u001b[?2026h more', rest: '\r\nbehind' },
    'a cleared scrollback': { first: `${lines(200)}before`, rest: '\u001b[H\u001b[2J\u001b[3Jbehind' },
    'an insert mode and an origin mode': {
      first: 'before\r\u001b[4h',
      rest: 'in\u001b[4l\u001b[3;9r\u001b[?6h\u001b[1;1Hat\u001b[?6l\u001b[rbehind',
    },
  };

  test.each(Object.entries(CASES))('%s', (_, { first, rest }) => survives(print(first), print(rest)));

  test('half of a character', () =>
    survives(printBytes([...Buffer.from('before '), 0xf0, 0x9f]), printBytes([0x9a, 0x80, ...Buffer.from(' behind')])));

  async function survives(first: string, rest: string): Promise<void> {
    const { id } = await bench.opened(
      { size, command: `stty -echo; ${first}; read -r _; ${rest}; exec cat` },
      { shows: 'before', page: far },
    );
    await isAsInTmux(far, id, 'at first');
    link.cut();
    await bench.say(id, '');
    await bench.host.shows(id, 'behind');
    link.mend();
    await far.page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await far.shows('behind');
    await isAsInTmux(far, id, 'after it was cut off');
    await far.page.reload();
    await far.shows('behind');
    await isAsInTmux(far, id, 'after a reload');
  }
});

test('what a program clears above the screen is gone on the page, live and after a reload', async () => {
  const { page } = await bench.opened(`${print(lines(200))}; ${SHELL}`);
  expect((await page.screens()).length).toBeGreaterThan(1);
  await page.enter(`${print('\u001b[H\u001b[2J\u001b[3J')}; echo cleared-$((40 + 2))`);
  await page.shows('cleared-42');
  for (const _ of ['live', 'again']) {
    expect((await page.screens()).flat().filter((line) => line.startsWith('line-'))).toEqual([]);
    await page.page.reload();
    await page.shows('cleared-42');
  }
});

test('T1: wide and combining characters at the right edge stand and wrap as in tmux', async () => {
  const { page, id } = await bench.opened(SHELL);
  const { cols } = await bench.settledSize(page, id);
  const fill = (left: number) => 'x'.repeat(cols - left);
  const samples = [
    `${fill(1)}漢`,
    `${fill(2)}漢y`,
    `${fill(1)}\u{1f680}y`,
    `${fill(1)}e\u0301y`,
    `${fill(0)}\u0301y`,
    `${fill(1)}漢\u0301y`,
    `${fill(2)}\u{1f468}\u200d\u{1f469}y`,
    `${fill(1)}\u2764\ufe0fy`,
    `\u001b[?7l${fill(1)}漢\u001b[?7h`,
    `漢字\u001b[2Dy`,
    `${fill(3)}ab漢\u001b[K`,
  ];
  await writeFile(join(bench.host.dir, 'samples'), `\u001b[H\u001b[2J${samples.join('\r\n')}\r\n`);
  await page.enter('cat samples; echo end-$((40 + 2))');
  await page.shows('end-42');
  await isAsInTmux(page, id, 'live');
  await page.page.reload();
  await page.shows('end-42');
  await isAsInTmux(page, id, 'after a reload');
});

describe('a program', () => {
  const typed = () => readFile(join(bench.host.dir, 'typed'));

  /** Whatever a terminal answers to. */
  const QUERIES = [
    ...[
      'c',
      '>c',
      '=c',
      '0c',
      '5n',
      '6n',
      '?6n',
      '?15n',
      '?25n',
      '?2026$p',
      '4$p',
      '>q',
      '>0q',
      '?u',
      '14t',
      '16t',
      '18t',
      '21t',
      'x',
      '?996n',
    ].map((query) => `\u001b[${query}`),
    ...['4;1;?', '10;?', '11;?', '12;?', '10;?;?;?', '52;c;?', '104;?'].map((query) => `\u001b]${query}\u0007`),
    ...['$qm', '$q"p', '$q r', '+q544e'].map((query) => `\u001bP${query}\u001b\\`),
    '\u0005',
    '\u001bZ',
    '\u009bc',
    '\u001b[?1004h\u001b[?1004l',
  ].join('');
  const ASK = `stty raw -echo; printf ready; dd bs=1 count=1 2>/dev/null; ${print(QUERIES)}; printf done; exec cat > typed`;

  async function answers(id: string): Promise<string> {
    await bench.host.call('POST', `/api/sessions/${id}/input`, { text: 'g' });
    await bench.host.shows(id, 'done');
    await bench.host.call('POST', `/api/sessions/${id}/input`, { text: '|' });
    return until('the answers', async () => (await typed()).toString('latin1').endsWith('|') && (await typed()).toString('latin1'));
  }

  test('that asks its terminal is answered as often by tmux alone as with three pages that watch, and by none that comes later', async () => {
    const { id } = await bench.opened(ASK, { shows: 'ready' });
    const size = await bench.settledSize(await bench.desk(), id);
    await bench.host.kill(id);
    const alone = await bench.host.create({ command: ASK, size });
    await bench.host.shows(alone.id, 'ready');
    const wanted = await answers(alone.id);
    await rm(join(bench.host.dir, 'typed'));
    const { page, id: watched } = await bench.opened({ command: ASK, size }, { shows: 'ready' });
    const others = [await bench.tab(page), await bench.tab(page)];
    for (const other of others) await other.shows('ready');
    expect(await answers(watched)).toBe(wanted);
    for (const one of [page, ...others]) {
      await one.shows('done');
      await one.page.reload();
      await one.shows('done');
    }
    await bench.host.call('POST', `/api/sessions/${watched}/input`, { text: '|' });
    await until('the mark', async () => (await typed()).toString().endsWith('||'));
    expect((await typed()).toString('latin1')).toBe(`${wanted}|`);
  });

  test('that wants to know who has the keyboard hears of no page that only looks, and the size stays', async () => {
    const { page, id } = await bench.opened(`stty raw -echo; printf '\\033[?1004hready'; exec cat > typed`, { shows: 'ready' });
    const size = await bench.settledSize(page, id);
    const keyboard = page.page.locator('.xterm-helper-textarea');
    await keyboard.blur();
    await keyboard.focus();
    await until('the page to tell that it has it', async () => (await typed()).toString().endsWith('\u001b[I'));
    await keyboard.blur();
    await until('the page to tell that it has it no more', async () => (await typed()).toString().endsWith('\u001b[O'));
    const before = (await typed()).toString();
    const phone = await bench.logIn({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
    await phone.goTo(id);
    await phone.shows('ready');
    await bench.host.call('POST', `/api/sessions/${id}/input`, { text: '|' });
    await until('the mark', async () => (await typed()).toString().endsWith('|'));
    expect((await typed()).toString()).toBe(`${before}|`);
    expect((await bench.host.session(id)).size).toEqual(size);
  });

  test.each(['resume', 'restart'])(
    'whose forerunner died with the mouse, pastes and all on gets none of that typed after a %s',
    async (action) => {
      const modes = '\u001b[?1049h\u001b[?1003h\u001b[?1006h\u001b[?1004h\u001b[?2004h\u001b[?1h\u001b[?25l\u001b=full';
      const command = `stty raw -echo; [ -e ran-${action} ] && { printf ready; exec cat > typed; }; : > ran-${action}; ${print(modes)}; exec cat`;
      const { page, id } = await bench.opened(command, { shows: 'full' });
      if (action === 'resume') {
        await bench.host.killTmux();
        await bench.host.reaches(id, 'dormant');
      }
      expect((await bench.host.call('POST', `/api/sessions/${id}/${action}`)).status).toBeLessThan(300);
      await page.shows('ready');
      await page.page.locator('.xterm-screen').click({ position: { x: 60, y: 60 } });
      await page.page.mouse.wheel(0, -200);
      await page.page.mouse.move(300, 300, { steps: 4 });
      await page.page.locator('.xterm-helper-textarea').blur();
      await page.page.locator('.xterm-helper-textarea').focus();
      await page.page.keyboard.press('ArrowUp');
      await page.type('|');
      await until('the mark', async () => (await typed()).toString().endsWith('|'));
      expect((await typed()).toString()).toBe('\u001b[A|');
      expect(await page.page.locator('.xterm-cursor').count()).toBe(1);
    },
  );
});
