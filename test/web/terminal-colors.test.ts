import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mixColors } from '../../src/web/terminal/mix-colors.js';
import { HIGHLIGHT_COLOR, monochrome } from '../../src/web/terminal/monochrome.js';
import { letterSpacingFor, lineHeightFor } from '../../src/web/terminal/terminal-font.js';

const quiet = (text: string) => Buffer.from(monochrome(Buffer.from(text))).toString();
const SET_OFF = `48;5;${HIGHLIGHT_COLOR}`;

describe('output of a program that sleeps', () => {
  test.each([
    ['31', '39'],
    ['1;38;5;196;4', '1;39;4'],
    ['38;2;1;2;3', '39'],
    ['38:2::1:2:3', '39'],
    ['48;2;1;2;3;1', `${SET_OFF};1`],
    ['41;97', `${SET_OFF};39`],
    ['58;5;9;3', '59;3'],
    ['90', '90'],
    ['', ''],
    ['0', '0'],
    ['39;49', '39;49'],
    ['7;2;4:3', '7;90;4:3'],
    ['1;22', '1;22;39'],
  ])('SGR %j becomes %j', (given, kept) => {
    expect(quiet(`\u001b[${given}mx`)).toBe(`\u001b[${kept}mx`);
  });

  test('changes nothing but colours', () => {
    const other = '\u001b[2J\u001b[?25l中文 👍\u001b]0;title\u0007\u001b[3;31H';
    expect(quiet(other)).toBe(other);
  });

  test('keeps every byte that is no SGR sequence, of any value', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20_000 }), (bytes) => {
        const without = bytes.map((byte) => (byte === 0x1b ? 0 : byte));
        expect(monochrome(without)).toEqual(Uint8Array.from(without));
      }),
      { numRuns: 30 },
    );
  });
});

test('colours mix in every form that browsers write resolved ones', () => {
  expect(mixColors('#ffffff', '#000000', 0.5)).toBe('#808080');
  expect(mixColors('rgb(255, 0, 0)', 'rgb(0 0 255)', 0.25)).toBe('#4000bf');
  expect(mixColors('color(srgb 1 0.5 0)', '#000000', 1)).toBe('#ff8000');
});

test('a line is as high as the styles want, and never lower than the font', () => {
  expect(lineHeightFor(17, 14.2)).toBeCloseTo(17 / 15);
  expect(lineHeightFor(15, 15.8)).toBe(1);
  expect(lineHeightFor(17, 0)).toBe(1);
});

test('most of a pixel that a cell would lose is given back', () => {
  expect([letterSpacingFor(7.8, 1), letterSpacingFor(7.8, 2), letterSpacingFor(7.2, 1), letterSpacingFor(8, 1)]).toEqual([1, 1, 0, 0]);
});
