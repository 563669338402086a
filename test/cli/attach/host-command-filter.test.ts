import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HostCommandFilter } from '../../../src/cli/attach/host-command-filter.js';

function passed(...pieces: readonly (string | Uint8Array)[]): string {
  const filter = new HostCommandFilter();
  return Buffer.concat(pieces.map((piece) => filter.feed(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece))).toString(
    'latin1',
  );
}

describe('a command for the host of the user', () => {
  test.each([
    '\x1b]52;c;c3RvbGVu\x07',
    '\x1b]52;c;c3RvbGVu\x1b\\',
    '\x1b]052;;c3RvbGVu\x07',
    '\x1b]5\x002;c;c3RvbGVu\x07',
    '\x1b\x00]52;c;c3RvbGVu\x07',
    '\xc2\x9d52;c;c3RvbGVu\x07',
    `\x1b]${'\x00'.repeat(100)}52;c;c3RvbGVu\x07`,
    '\x1b]5522;type=write\x1b\\',
    '\x1b]1337;Copy=:c3RvbGVu\x07',
    '\x1b]1337;File=name=eA==:c3RvbGVu\x07',
    '\x1b]52;c;c3RvbGVu\x18',
  ])('is taken out, whole or in pieces: %j', (command) => {
    const output = `before${command}behind`;
    expect(passed(output)).toBe('beforebehind');
    expect(passed(...output)).toBe('beforebehind');
  });

  test('ends where another sequence begins, which stays', () => {
    for (const next of ['\x1b[31mred', '\x1b]0;title\x07', '\x1bc', '\x1b\x1b[A']) expect(passed(`\x1b]52;c;c3Rv${next}`)).toBe(next);
    expect(passed('\x1b]52;c;c3Rv\x1b]52;c;bGVu\x07x')).toBe('x');
  });
});

test.each([
  '\x1b]0;52;title\x07',
  '\x1b]8;;https://x.example/52;\x1b\\x',
  '\x1b[52;1m',
  '\x1b]5;x\x07',
  '\x1b]520;x\x07',
  '\xc2\xa9 \xc2',
  'a\x1b',
  '\x1b]',
])('all else passes: %j', (output) => {
  const seen = passed(`${output}\x1b[m`);
  expect(seen).toBe(`${output}\x1b[m`.slice(0, seen.length));
  expect(`${output}\x1b[m`.length - seen.length).toBe(0);
});

test('output is the same however it is cut, and bytes without such commands are untouched', () => {
  const piece = fc.constantFrom(
    '\x1b]52;c;',
    'c3Rv',
    '\x07',
    '\x1b\\',
    '\x1b',
    ']',
    '5',
    '2',
    ';',
    '\x1b]1337;',
    '\x1b]0;t',
    '\xc2',
    '\x9d',
    '\x18',
    '\x00',
    'text',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.nat({ max: 60 }), (pieces, cut) => {
      const output = pieces.join('');
      expect(passed(output.slice(0, cut), output.slice(cut))).toBe(passed(output));
      expect(passed(...output)).toBe(passed(output));
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const text = Buffer.from(bytes).toString('latin1').replaceAll(']', '').replaceAll('\x9d', '');
      expect(passed(`${text}.`)).toBe(`${text}.`);
    }),
  );
});
