import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { iconPng } from '../../scripts/icon-png.js';

const SVG = readFileSync(new URL('../../src/web/public/favicon.svg', import.meta.url), 'utf8');
const SIZE = 64;

/** The colour at a place of the drawing's grid of 32, as RGBA. */
function colorAt(png: Buffer, x: number, y: number): number[] {
  const at = png.indexOf('IDAT');
  const rows = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  const [column, row] = [Math.floor((x / 32) * SIZE), Math.floor((y / 32) * SIZE)];
  const start = row * (SIZE * 4 + 1) + 1 + column * 4;
  return [...rows.subarray(start, start + 4)];
}

const PLATE = [0x16, 0x16, 0x14, 255];
const INK = [0xf1, 0xef, 0xe8, 255];

describe('an icon', () => {
  test('is the mark: plate, stroke and block, with nothing at the corners', () => {
    const png = iconPng(SVG, { size: SIZE });
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([SIZE, SIZE]);
    expect(colorAt(png, 0, 0)[3]).toBe(0);
    expect([colorAt(png, 16, 3), colorAt(png, 7, 17), colorAt(png, 23, 21)]).toEqual([PLATE, INK, INK]);
  });

  test('that the system cuts fills its square, with the mark where no cut reaches', () => {
    const png = iconPng(SVG, { size: SIZE, isFull: true, scale: 0.8 });
    expect(colorAt(png, 0, 0)).toEqual(PLATE);
    const inked = Array.from({ length: SIZE * SIZE }, (_, at) => [(at % SIZE) / 2, Math.floor(at / SIZE) / 2] as const).filter(
      ([x, y]) => (colorAt(png, x, y)[0] ?? 0) > 128,
    );
    expect(Math.max(...inked.map(([x, y]) => Math.hypot(x - 16, y - 16)))).toBeLessThan(0.4 * 32);
  });

  test('is drawn from no other drawing', () => {
    expect(() => iconPng('<svg/>', { size: 8 })).toThrow('not the mark');
  });
});
