import { expect, test } from 'vitest';
import { typedInstead } from '../../src/web/terminal/compositions.js';

test.each([
  ['a word', '', '日本', '', '日本'],
  ['a word behind others', 'abc', 'abc한', '', '한'],
  ['nothing, where it was given up', 'abc', 'abc', '', ''],
  ['the end of a word that was taken up again', 'teh', 'the', 'teh', '\u007f\u007fhe'],
  ['the end of it taken away', 'hello', 'hell', 'hello', '\u007f'],
  ['characters of two units as one', 'a\u{1f680}', 'a\u{1f681}', 'a\u{1f680}', '\u007f\u{1f681}'],
  ['nothing, where the field was emptied by somebody else', 'abc', '', '', ''],
])('what an input method has composed is typed as %s', (_, before, after, retaken, typed) => {
  expect(typedInstead(before, after, retaken)).toBe(typed);
});
