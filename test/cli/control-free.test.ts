import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutControls, withStylesOnly } from '../../src/cli/control-free.js';

const HOSTILE = 'a\x1b[31mred\x1b[0m\x1b]0;title\x07b\x1b]52;c;ZXZpbA==\x1b\\c\x1bP+q544e\x1b\\d\x1b(0e\x9b2Jf\x9d0;x\x9cg\x1b7h\x07\x08';

test('sequences are left out whole, text stays', () => {
  expect(withoutControls(HOSTILE)).toBe('aredbcdefgh');
  expect(withoutControls('one\r\ntwo\n\tthree')).toBe('one\ntwo\n\tthree');
  expect(withoutControls('10 %\r50 %\r100 %\r\ndone')).toBe('100 %\ndone');
});

test('one that never ends takes the rest with it and nothing else', () => {
  expect(withoutControls('a\x1b]0;never')).toBe('a');
  expect(withoutControls('a\x1b[')).toBe('a');
  expect(withoutControls('a\x1b')).toBe('a');
});

test('styles can stay, and end with the text', () => {
  expect(withStylesOnly(HOSTILE)).toBe('a\x1b[31mred\x1b[0mbcdefgh\x1b[0m');
  expect(withStylesOnly('\x1b[38:2::1:2:3mx\r\ny')).toBe('\x1b[38:2::1:2:3mx\ny\x1b[0m');
});

test('whatever a program wrote, no control is left but line ends, tabs and styles', () => {
  const piece = fc.constantFrom(
    '\x1b',
    '[',
    ']',
    'P',
    '0',
    ';',
    'm',
    '\x07',
    '\\',
    '\x9b',
    '\x9c',
    '\r',
    '\n',
    '\t',
    'x',
    '\x1b[1m',
    '?',
    ' ',
  );
  fc.assert(
    fc.property(fc.string({ unit: piece, maxLength: 40 }), (text) => {
      expect(withoutControls(text)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
      expect(withStylesOnly(text).replace(/\x1b\[[0-9;:]*m/g, '')).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
    }),
    { numRuns: 2000 },
  );
});

test('a megabyte of it takes no time to speak of', () => {
  expect(withoutControls('\x1b]0;'.repeat(250_000))).toBe('');
  expect(withoutControls('\x1b[1m'.repeat(250_000))).toBe('');
});
