import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { TestHost } from '../support/daemon-process.js';
import { PtyViewer } from '../support/pty-viewer.js';
import { ScreenOf } from '../support/screen-of.js';
import { until } from '../support/until.js';

let host: TestHost;
beforeAll(async () => {
  host = await TestHost.started();
});
afterAll(() => host[Symbol.asyncDispose]());
afterEach(async () => {
  await Promise.all((await host.sessions()).map(({ id }) => host.kill(id)));
});

/** What a fresh viewer has on its screen and above. */
async function linesOf(viewer: PtyViewer): Promise<string[]> {
  const size = (await viewer.frame('attached')).size;
  using screen = new ScreenOf(size);
  await screen.take(viewer.received);
  return screen.lines;
}

const size = { cols: 80, rows: 24 };
const go = (id: string) => host.call('POST', `/api/sessions/${id}/input`, { text: 'go\n' });

describe('S7, T2: a viewer that attaches in the middle of', () => {
  test.each<[string, string, string]>([
    ['a title', '\\033]0;half', ' a title\\007'],
    ['a link', '\\033]8;;https://exam', 'ple.org/\\033\\\\'],
    ['a string for a device', '\\033Pq#0;2;0;0', ';0\\033\\\\'],
    ['a colour', '\\033[3', '1m'],
    ['a character', '\\342\\202', '\\254'],
    ['an escape', '\\033', '[1m'],
    ['a string that nobody ends', '\\033]0;never', '\\030'],
  ])('%s sees the text behind it, once, and nothing of it', async (_what, half, rest) => {
    const { id } = await host.create({ size, command: `stty -echo; printf 'before ${half}'; read -r _; printf '${rest}behind'; exec cat` });
    await host.shows(id, 'before');
    await using viewer = await PtyViewer.open(host, id);
    await go(id);
    await viewer.sees('behind');
    await using late = await PtyViewer.open(host, id);
    await late.sees('behind');
    for (const one of [viewer, late]) {
      const [first = ''] = await linesOf(one);
      expect(first.replace('\u20ac', '')).toBe('before behind');
    }
  });
});

/** Prints each sample and a bar behind it, asks the terminal for the column of the bar, and tells all columns at the end. */
const MEASURE = `
const samples = JSON.parse(process.env.SAMPLES), columns = [];
process.stdin.setRawMode(true);
const next = () => process.stdout.write(samples[columns.length] + '\\x1b[6n');
process.stdin.on('data', (bytes) => {
  columns.push(Number(/;(\\d+)R/.exec(bytes)[1]) - 1);
  process.stdout.write('|\\r\\n');
  if (columns.length < samples.length) next();
  else require('fs').writeFileSync('columns.json', JSON.stringify(columns)), console.log('END');
});
next();
`;

test('T1: what follows wide characters stands in the same column for a viewer as in tmux', async () => {
  const samples = [
    ...['\u23f3', '\u4e2d', '\ud55c', '\uff21', '\u2713', '\u26a0', '\ud83d\ude80', 'e\u0301', '\u00e9', '\u2500', '\ue0b0', '\u2026'],
    ...['\u0928\u093f', '\u1112\u1161\u11ab', '\u231b 12', '\u280b', '\u25cf', '\u2764', '\ud83e\udd16'],
  ];
  const env = { SAMPLES: JSON.stringify(samples) };
  const { id } = await host.create({ size, env, command: `exec ${process.execPath} -e '${MEASURE.replaceAll("'", '"')}'` });
  await host.shows(id, 'END');
  await using viewer = await PtyViewer.open(host, id);
  await viewer.sees('END');
  using screen = new ScreenOf(size);
  await screen.take(viewer.received);
  const bars = screen.look.cells.filter((cell) => / \| /.test(cell)).map((cell) => Number(/,(\d+) /.exec(cell)?.[1]));
  const columns = JSON.parse(await readFile(join(host.dir, 'columns.json'), 'utf8')) as number[];
  const told = (all: readonly number[]) => samples.map((text, at) => `${text} ${all[at]}`);
  expect(told(bars)).toEqual(told(columns));
});

test('S2: what was printed before a full-screen program is all there when that ends, whoever came and went meanwhile', async () => {
  const full = "printf '\\033[?1049h\\033[2J\\033[Hfull'; read -r _; printf '\\033[?1049l'; printf 'done\\n'";
  const { id } = await host.create({ size, command: `stty -echo; seq 1 200; ${full}; exec cat` });
  await host.shows(id, 'full');
  await using early = await PtyViewer.open(host, id);
  await early.sees('full');
  await host.restart('SIGKILL');
  await host.call('POST', `/api/sessions/${id}/size`, { cols: 80, rows: 20 });
  await using adopted = await PtyViewer.open(host, id);
  await adopted.sees('full');
  await go(id);
  await host.shows(id, 'done');
  await adopted.sees('done');
  await using late = await PtyViewer.open(host, id);
  await late.sees('done');
  for (const viewer of [adopted, late]) {
    const numbers = (await linesOf(viewer)).filter((line) => /^\d+$/.test(line)).map(Number);
    expect(numbers).toEqual(Array.from({ length: 200 }, (_, n) => n + 1));
  }
});

test('T3: to attach costs no more than the ring, however much was printed', async () => {
  const ring = 1024 * 1024;
  const { id } = await host.create({
    size,
    command: "yes 'a line of some length that is printed again and again' | head -c 12000000; printf END; exec cat",
  });
  await until('the end of the flood', async () => (await host.screen(id)).includes('END'), 50_000);
  const viewers = await Promise.all(Array.from({ length: 5 }, () => PtyViewer.open(host, id)));
  for (const viewer of viewers) {
    await viewer.sees('END');
    expect(viewer.output.length).toBeLessThan(2 * ring);
    await viewer.close();
  }
});

test('T1: a program that prints into a terminal that was resized under it is shown in the size that it has now', async () => {
  const box = (cols: number) => `printf '+%${cols - 2}s+\\n' '' | tr ' ' -`;
  const { id } = await host.create({
    size: { cols: 200, rows: 24 },
    command: `stty -echo; ${box(200)}; read -r _; printf '\\033[2J\\033[H'; ${box(60)}; exec cat`,
  });
  await until('the wide box', async () => (await host.screen(id)).includes('-'.repeat(198)));
  await host.call('POST', `/api/sessions/${id}/size`, { cols: 60, rows: 24 });
  await go(id);
  await until('the narrow box', async () => (await host.screen(id)).includes(`+${'-'.repeat(58)}+\n`));
  await using viewer = await PtyViewer.open(host, id);
  await viewer.sees(`+${'-'.repeat(58)}+`);
  expect((await viewer.frame('attached')).size).toEqual({ cols: 60, rows: 24 });
  await until('the same picture', async () => {
    using fresh = new ScreenOf({ cols: 60, rows: 24 });
    await fresh.take(viewer.received);
    return fresh.screen.rows[0] === `+${'-'.repeat(58)}+` && fresh.screen.rows[1] === '';
  });
});
