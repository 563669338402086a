import { expect, test } from 'vitest';
import { LARGE_TAIL_BYTES, lastScreen, TAIL_BYTES } from '../../src/web/views/last-screen.js';

const SIZE = { cols: 80, rows: 24 };

/** What was asked for, and what came of it; a picture is the length that it was drawn from. */
async function looked(stored: number, isWhole: (bytes: number) => boolean) {
  const asked: number[] = [];
  const fetch = async (tail: number) => {
    asked.push(tail);
    return new Uint8Array(Math.min(stored, tail));
  };
  const draw = async (bytes: Uint8Array) => ({ text: String(bytes.length), isWhole: isWhole(bytes.length) });
  return { text: await lastScreen({ fetch, draw }, SIZE), asked };
}

test('output that scrolled the screen full is fetched no further', async () => {
  expect(await looked(1_000_000, () => true)).toEqual({ text: String(TAIL_BYTES), asked: [TAIL_BYTES] });
});

test('a screen that may have been drawn before is drawn from more', async () => {
  expect(await looked(1_000_000, () => false)).toEqual({ text: String(LARGE_TAIL_BYTES), asked: [TAIL_BYTES, LARGE_TAIL_BYTES] });
});

test('there is no more of what is short', async () => {
  expect(await looked(300, () => false)).toEqual({ text: '300', asked: [TAIL_BYTES] });
});
