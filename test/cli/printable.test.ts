import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printable, printableLines, safe } from '../../src/cli/printable.js';

const ACTED_ON = /[\p{Cc}\p{Cs}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

test('no text makes a terminal act: every control is shown as an escape', () => {
  expect(printable('a\x1b]0;title\x07\nb\tc\r\x7f\x9b31m\u202egnp')).toBe('a\\x1b]0;title\\x07\\nb\\tc\\r\\x7f\\x9b31m\\u{202e}gnp');
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !ACTED_ON.test(printable(text))));
  expect(printable('\ud800')).toBe('\\u{d800}');
});

test('nothing hides in a text that looks like another one', () => {
  expect(printable('main\u200b \ufeffx\u00ad\u{e0041}\u061c')).toBe('main\\u{200b} \\u{feff}x\\xad\\u{e0041}\\u{61c}');
});

test('letters of all scripts and emoji stay', () => {
  expect(printable('é 日本 👩‍💻 ✓ {}$')).toBe('é 日本 👩‍💻 ✓ {}$');
});

test('lines keep their ends and tabs, and nothing else', () => {
  expect(printableLines('a\n\tb\x1b[2J\r\nc')).toBe('a\n\tb\\x1b[2J\\r\nc');
});

test('a safe template escapes its values and leaves itself alone', () => {
  expect(safe`\x1b[1m${'\x1b[2J'}:${3}`).toBe('\x1b[1m\\x1b[2J:3');
});
