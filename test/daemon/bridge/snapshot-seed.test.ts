import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modesAfter } from '../../../src/daemon/bridge/mode-tracker.js';
import { seedFrom, seedFromCapture } from '../../../src/daemon/bridge/snapshot-seed.js';
import { restoredBytes } from '../../../src/daemon/bridge/stored-scrollback.js';
import { RealTmux } from './real-tmux.js';

const SIZE = { cols: 40, rows: 12 };
const lines = (count: number, text = 'line') =>
  Array.from({ length: count }, (_, i) => `\x1b[3${(i % 6) + 1}m${text} ${i + 1}\x1b[m`).join('\r\n');

/** What a program may have put out before its pane is adopted. */
const OUTPUTS: Readonly<Record<string, string>> = {
  'a few lines and a prompt': `${lines(3)}\r\n$ `,
  nothing: '',
  'history, and a full screen': `${lines(60)}\r\n$ `,
  'history above a screen that was cleared': `${lines(60)}\x1b[H\x1b[2J$ `,
  'a cursor in the middle': `${lines(8)}\x1b[3;7H`,
  'wrapped lines': `${'0123456789'.repeat(11)}\r\n${'x'.repeat(40)}\r\n${'wrapped '.repeat(80)}`,
  'wide, combining and coloured text': `\x1b[1;38;5;208;48;2;1;2;3m\u6f22\u5b57\x1b[0m e\u0301 \u{1f600} \x1b[4;9mstyle\r\nnext\x1b[7m  \x1b[0m\r\n${'\u6f22'.repeat(50)}`,
  'line drawing': '\x1b)0\x0elqqqk\r\nx   x\r\nmqqqj\x0f\r\ntext',
  'an alternate screen': `${lines(30)}\r\n$ vi\r\n\x1b[?1049h\x1b[H\x1b[44mfile\x1b[m\x1b[12;1Hstatus\x1b[5;9H`,
  'an alternate screen above a short normal one': 'one\r\ntwo\r\n\x1b[?1049h\x1b[H\x1b[3;3H~',
  'a scroll region': `${lines(20)}\x1b[3;8r\x1b[5;6H`,
  'origin mode': `${lines(20)}\x1b[3;8r\x1b[?6h\x1b[2;6H`,
  'all the modes that tmux tells': `${lines(3)}\x1b[?1003h\x1b[?1006h\x1b[?1h\x1b=\x1b[?25l\x1b[?7l\x1b[4h`,
};

describe('S2: a seed', () => {
  let tmux: RealTmux;
  beforeAll(() => {
    tmux = new RealTmux();
  });
  afterAll(async () => {
    await tmux[Symbol.asyncDispose]();
  });

  const shown = async (pane: string) => {
    const facts = await tmux.facts(pane);
    return {
      ...facts,
      text: (await tmux.capture(pane, '-e', '-J', '-S', '-')).toString(),
      rows: (await tmux.capture(pane, '-S', '-')).toString(),
      behind: (await tmux.capture(pane, '-e', '-a', '-q')).toString(),
    };
  };

  for (const [what, output] of Object.entries(OUTPUTS)) {
    test(`shows ${what} as the pane does, cursor and modes included`, async () => {
      const pane = await tmux.show(output, SIZE);
      const seed = seedFrom(await tmux.snapshot(pane, SIZE));
      expect(await shown(await tmux.show(seed, SIZE))).toEqual(await shown(pane));
    });
  }

  for (const what of ['a few lines and a prompt', 'history, and a full screen', 'history above a screen that was cleared']) {
    test(`puts what former lives printed above, each line once: ${what}`, async () => {
      const former = restoredBytes({ former: Buffer.alloc(0), current: Buffer.from(`${lines(5, 'former')}\r\n\x1b[?25l`) }, 100_000);
      const pane = await tmux.show(OUTPUTS[what] ?? '', SIZE);
      const before = await shown(pane);
      const after = await shown(await tmux.show(Buffer.concat([former, seedFrom(await tmux.snapshot(pane, SIZE))]), SIZE));
      expect(after.rows).toBe(`${lines(5, 'former').replaceAll(/\x1b\[\d*m|\r/g, '')}\n${before.rows}`);
      expect([after.cursor_x, after.cursor_y, after.history_size]).toEqual([before.cursor_x, before.cursor_y, before.history_size + 5]);
    });
  }

  test('S1: that is stored and restored later leaves no empty lines behind', async () => {
    const pane = await tmux.show(`${lines(3)}\r\n$ `, SIZE);
    const seed = seedFrom(await tmux.snapshot(pane, SIZE));
    const restored = restoredBytes({ former: Buffer.alloc(0), current: Buffer.concat([seed, Buffer.from('more')]) }, 100_000);
    const next = await shown(await tmux.show(Buffer.concat([restored, Buffer.from('next life')]), SIZE));
    expect(next.rows.trimEnd()).toBe('line 1\nline 2\nline 3\n$ more\nnext life');
  });
});

describe('a seed without tmux', () => {
  const snapshot = {
    normal: Buffer.from('$ '),
    cursor: { column: 2, row: 0, visible: true },
    size: SIZE,
    modes: {
      insert: false,
      applicationCursor: false,
      applicationKeypad: false,
      origin: false,
      wrap: true,
      mouse: 'off',
      mouseSgr: false,
      scrollRegion: { top: 0, bottom: SIZE.rows - 1 },
    },
    title: 'a title',
  } as const;

  test('brings back the modes that tmux does not tell, from what this life has put out', () => {
    const known = Buffer.from('\x1b[?2004h\x1b[?1004h\x1b[>1u\x1b[5 q\x1b[>4;2m\x1b[?2031h\x1b[?25l\x1b[?1000h\x1b[31m');
    const modes = modesAfter(seedFrom(snapshot, known));
    const expected = {
      bracketedPaste: true,
      focusEvents: true,
      cursorShape: 5,
      modifyOtherKeys: 2,
      colorSchemeReports: true,
      title: 'a title',
    };
    expect(modes).toMatchObject({ ...expected, keyboard: { normal: [0, 1] }, cursorVisible: true, mouse: 0 });
    expect(seedFrom(snapshot, modesAfter(known))).toEqual(seedFrom(snapshot, known));
  });

  test('tells overline as terminals know it: tmux writes it like a kind of blinking', () => {
    const normal = Buffer.from('\x1b[1;5:3;31mover\x1b[0m \x1b[4:3mcurly\x1b[0m \x1b[5mblinks');
    expect(seedFrom({ ...snapshot, normal }).toString()).toContain('\x1b[1;53;31mover\x1b[0m \x1b[4:3mcurly\x1b[0m \x1b[5mblinks');
  });

  test('puts tab stops where the program has them, and says nothing of the usual ones', () => {
    const seed = (tabs: readonly number[]) => seedFrom({ ...snapshot, modes: { ...snapshot.modes, tabs } }).toString();
    const usual = Array.from({ length: Math.ceil(SIZE.cols / 8) - 1 }, (_, index) => 8 * (index + 1));
    expect(seed(usual)).toBe(seedFrom(snapshot).toString());
    expect(seed([4, 16])).toContain('\x1b[3g\x1b[5G\x1bH\x1b[17G\x1bH\r$ ');
    expect(seed([])).toContain('\x1b[3g\r$ ');
  });

  test('knows where the cursor is on the screen behind the alternate one', () => {
    const seed = seedFrom({ ...snapshot, alternate: Buffer.from('vim'), behind: { column: 7, row: 1 } }).toString();
    expect(seed).toContain(`\x1b[${SIZE.rows - 2}A\x1b[8G\x1b[?1049h`);
  });

  test("does not take tmux's own title, the host's name, for one that the program set", () => {
    expect(modesAfter(seedFrom({ ...snapshot, title: hostname() })).title).toBe('');
    expect(modesAfter(seedFrom({ ...snapshot, title: hostname() }, Buffer.from('\x1b]2;build\x07'))).title).toBe('build');
  });

  test('of a dead pane is what it says, without the empty lines below', () => {
    expect(seedFromCapture(Buffer.from('one\n\x1b[31mtwo\n\n\n\n')).toString()).toBe('one\r\n\x1b[31mtwo\x1b[m');
    expect(seedFromCapture(Buffer.from('\n\n')).length).toBe(0);
  });
});
