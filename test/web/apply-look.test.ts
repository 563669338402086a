import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fontName } from '../../src/web/settings/apply-look.js';

test('what is typed as a font is never more than a name in a style', () => {
  expect([' Fira Code ', 'a"; color: red', "O'Font", 'x\\0022 y', '中文 Mono'].map(fontName)).toEqual([
    'Fira Code',
    'a color: red',
    'OFont',
    'x0022 y',
    '中文 Mono',
  ]);
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (typed) => !/["'\\;{}]|\p{Cc}/u.test(fontName(typed))));
});
