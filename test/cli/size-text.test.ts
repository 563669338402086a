import { expect, test } from 'vitest';
import { bytesText, countText } from '../../src/cli/size-text.js';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 KB'],
  [9949, '9.9 KB'],
  [9960, '10 KB'],
  [999_499, '999 KB'],
  [999_500, '1.0 MB'],
  [1.5e9, '1.5 GB'],
  [3e15, '3000 TB'],
])('%i bytes read %j', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});

test('a count has its word in the right number', () => {
  expect([countText(0, 'file'), countText(1, 'file'), countText(2, 'repository', 'repositories')]).toEqual([
    '0 files',
    '1 file',
    '2 repositories',
  ]);
});
