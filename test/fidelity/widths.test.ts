import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestHost } from '../support/daemon-process.js';
import { ScreenOf } from '../support/screen-of.js';
import { until } from '../support/until.js';

const MAN = '\u{1f468}';
const WOMAN = '\u{1f469}';
const GIRL = '\u{1f467}';
const ROCKET = '\u{1f680}';
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
/** The C library may be older than that, and tmux draws nothing that it does not know. */
const SINCE_UNICODE_14 =
  /[\u{1f6d8}\u{1f6dc}\u{1fa75}-\u{1fa77}\u{1fa87}-\u{1fa8f}\u{1faad}-\u{1faaf}\u{1fabb}-\u{1fabf}\u{1fac6}-\u{1facf}\u{1fada}-\u{1fadf}\u{1fae8}-\u{1faef}]/u;
const isEmoji = (text: string) => /\p{Emoji_Presentation}/u.test(text);

let host: TestHost;
beforeAll(async () => {
  host = await TestHost.started();
});
afterAll(() => host[Symbol.asyncDispose]());

/** How many columns tmux, and the terminal of the page, give to each text. */
async function columns(texts: readonly string[]): Promise<{ tmux: number[]; page: number[] }> {
  const [list, answers] = [join(host.dir, 'texts'), join(host.dir, 'answers')];
  await writeFile(list, JSON.stringify(texts));
  await host.create({ command: `exec ${process.execPath} ${join(import.meta.dirname, 'asking-widths.mjs')} ${list} ${answers}` });
  const tmux = await until('tmux to have told all', async () => JSON.parse(await readFile(answers, 'utf8')) as number[]);
  using terminal = new ScreenOf();
  const page: number[] = [];
  for (const text of texts) {
    await terminal.write(`\x1b[H\x1b[2K${text}`);
    page.push(Number(terminal.screen.cursor.split(',')[1]));
  }
  return { tmux, page };
}

test('T1: text takes as many columns on the page as in tmux: emoji, sequences of them, CJK, combining characters', async () => {
  const single = [...range(0x231a, 0x2b55), ...range(0x1f300, 0x1f6fc), ...range(0x1f7e0, 0x1f9ff), ...range(0x1fa70, 0x1faf6)];
  const emoji = single.filter((text) => isEmoji(text) && !SINCE_UNICODE_14.test(text));
  const texts = [
    ...emoji,
    ...emoji.slice(0, 80).map((text) => `${text}\ufe0f`),
    ...range(0x30, 0x39).map((digit) => `${digit}\ufe0f\u20e3`),
    ...[
      '\u2764\ufe0f',
      '\u26a0\ufe0f',
      '\u263a\ufe0e',
      '\u2714',
      '\u2b50',
      '\u{1f44d}\u{1f3fd}',
      '\u{1f1e9}\u{1f1ea}',
      '\u{1f93b}',
      '\u{1f946}',
    ],
    ...[
      [MAN, WOMAN, GIRL],
      [WOMAN, ROCKET],
      ['\u{1f3f3}\ufe0f', '\u{1f308}'],
      ['\u2764\ufe0f', '\u{1f525}'],
    ].map((parts) => parts.join('\u200d')),
    ...[
      ...range(0x3041, 0x3060),
      ...range(0x4e00, 0x4e20),
      ...range(0xac00, 0xac20),
      ...range(0xff01, 0xff20),
      ...range(0x3248, 0x324f),
      ...range(0x4dc0, 0x4dd0),
    ],
    ...range(0x300, 0x340).map((mark) => `a${mark}`),
    ...[
      '\u1112\u1161\u11ab',
      '\u0e17\u0e35\u0e48',
      '\u0928\u093f',
      '\u0915\u094d\u0937',
      '\u05e9\u05c1',
      '\u0628\u064e',
      'a\u200bb',
      'a\u00adb',
      '\u304b\u3099',
    ],
    ...[...range(0x2500, 0x2520), ...range(0x2580, 0x25a0), ...range(0x2800, 0x2810), ...range(0xe0a0, 0xe0b3), ...range(0xa1, 0xac)],
  ];
  const { tmux, page } = await columns(texts);
  const wrong = texts.flatMap((text, index) => (tmux[index] === page[index] ? [] : [`${text}: tmux ${tmux[index]}, page ${page[index]}`]));
  expect(wrong).toEqual([]);
  expect(texts.length).toBeGreaterThan(1000);
});
