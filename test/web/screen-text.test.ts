import { createRequire } from 'node:module';
import type { Unicode11Addon } from '@xterm/addon-unicode11';
import { describe, expect, test } from 'vitest';
import { contrastOf } from '../../src/web/terminal/mix-colors.js';
import { ScreenColors } from '../../src/web/terminal/screen-colors.js';
import { parseScreen } from '../../src/web/terminal/screen-text.js';
import { restyle } from '../../src/web/terminal/text-style.js';
import { TmuxWidths } from '../../src/web/terminal/tmux-widths.js';

// CommonJS, whose names an import does not find.
const unicode = createRequire(import.meta.url)('@xterm/addon-unicode11') as { Unicode11Addon: typeof Unicode11Addon };
const WIDTHS = TmuxWidths.from(new unicode.Unicode11Addon());

function shown(text: string, cols = 80): (readonly [number, string])[][] {
  return parseScreen(text, cols, WIDTHS).map((row) => row.map((run) => [run.column, run.text] as const));
}

describe('a screen from /screen?format=ansi', () => {
  test('is one run for plain text of one look, and says where each run begins', () => {
    expect(shown('plain\n\u001b[31mred\u001b[39m and more\n')).toEqual([
      [[0, 'plain']],
      [
        [0, 'red'],
        [3, ' and more'],
      ],
    ]);
  });

  test('has wide characters, joined emoji and combining marks where tmux has them', () => {
    expect(shown('漢a👩‍👩‍👧be\u0301f')).toEqual([
      [
        [0, '漢'],
        [2, 'a'],
        [3, '👩‍👩‍👧'],
        [5, 'b'],
        [6, 'e\u0301'],
        [7, 'f'],
      ],
    ]);
  });

  test('breaks a joined row where the terminal ends, also before a wide character that would stick out', () => {
    expect(shown('abcdefgh', 3).map((row) => row.map(([, text]) => text).join(''))).toEqual(['abc', 'def', 'gh']);
    expect(shown('ab漢', 3)).toEqual([[[0, 'ab']], [[0, '漢']]]);
  });

  test('carries a look over to the next row, as tmux does', () => {
    const rows = parseScreen('\u001b[1;44mone\ntwo', 80, WIDTHS);
    expect(rows.map((row) => row[0]?.style)).toEqual([
      { bold: true, background: 4 },
      { bold: true, background: 4 },
    ]);
  });

  test('draws lines where the program chose the set of lines', () => {
    expect(
      shown('\u000elqk\u000fq')
        .flat()
        .map(([, text]) => text)
        .join(''),
    ).toBe('┌─┐q');
  });

  test('passes over what is no text and no look', () => {
    expect(
      shown('a\u001b]8;;http://x.example\u001b\\b\u001b(Bc')
        .flat()
        .map(([, text]) => text)
        .join(''),
    ).toBe('abc');
  });
});

describe('SGR', () => {
  test('sets and unsets, by name, number and value, with semicolons and with colons', () => {
    expect(restyle({}, '1;3;38;5;208')).toEqual({ bold: true, italic: true, foreground: 208 });
    expect(restyle({}, '38;2;1;2;3;4')).toEqual({ foreground: '#010203', underline: true });
    expect(restyle({}, '48:2::255:0:16')).toEqual({ background: '#ff0010' });
    expect(restyle({}, '58;5;3;7')).toEqual({ inverse: true });
    expect(restyle({ bold: true, foreground: 1, underline: true }, '22;39;4:0')).toEqual({});
    expect(restyle({ bold: true }, '')).toEqual({});
    expect(restyle({}, '97;100')).toEqual({ foreground: 15, background: 8 });
  });
});

describe('colours of a screen', () => {
  const theme = { background: '#ffffff', foreground: '#222222', red: '#b8332a' };

  test('come from the theme, the cube and the greys', () => {
    const colors = new ScreenColors(theme, 1);
    expect(colors.of({})).toEqual({ ink: '#222222', paper: undefined });
    expect(colors.of({ foreground: 1, background: 16 + 36 })).toEqual({ ink: '#b8332a', paper: '#5f0000' });
    expect(colors.of({ foreground: 255 })).toMatchObject({ ink: '#eeeeee' });
    expect(colors.of({ inverse: true })).toEqual({ ink: '#ffffff', paper: '#222222' });
  });

  test('stand out from what they stand on', () => {
    const colors = new ScreenColors(theme, 4.5);
    for (const style of [{ foreground: 231 }, { foreground: 250, background: 252 }, { foreground: 17, background: 16 }] as const) {
      const { ink, paper } = colors.of(style);
      expect(contrastOf(ink, paper ?? '#ffffff')).toBeGreaterThanOrEqual(4.5);
    }
  });
});
