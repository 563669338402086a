import fc from 'fast-check';
import { expect, test } from 'vitest';
import { displayWidth, fitWidth, padWidth } from '../../src/cli/display-width.js';

test.each([
  ['', 0],
  ['abc', 3],
  ['é', 1],
  ['e\u0301', 1],
  ['日本', 4],
  ['ｱ', 1],
  ['한글', 4],
  ['👩‍💻', 2],
  ['🇩🇪', 2],
  ['⚠️', 2],
  ['⚠', 1],
  ['●◐○✕', 4],
  ['a\u200bb', 2],
  ['…', 1],
])('%j takes %i columns', (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

test('a text that does not fit is cut at a character, at its end or its start', () => {
  expect(fitWidth('abcdef', 6)).toBe('abcdef');
  expect(fitWidth('abcdef', 4)).toBe('abc…');
  expect(fitWidth('/srv/code/api', 8, 'start')).toBe('…ode/api');
  expect(fitWidth('日本語', 4)).toBe('日…');
  expect(fitWidth('abc', 0)).toBe('');
});

test('what is fitted and padded has exactly the width, but for a wide character that is left out', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), fc.constantFrom('start', 'end'), (text, width, side) => {
      expect(displayWidth(fitWidth(text, width, side))).toBeLessThanOrEqual(width);
      expect(displayWidth(padWidth(fitWidth(text, width, side), width))).toBe(width);
    }),
  );
});
