import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AlternateScreen } from '../../../src/cli/attach/alternate-screen.js';

function isOnAfter(...pieces: readonly (string | Buffer)[]): boolean {
  const screen = new AlternateScreen();
  for (const piece of pieces) screen.feed(Buffer.from(piece));
  return screen.isOn;
}

describe('the alternate screen', () => {
  test.each(['\x1b[?1049h', '\x1b[?1047h', '\x1b[?47h', '\x1b[?25;1049h', 'a\x1b[1;\x1b[?1049hb', '\x1b]0;t\x1b\\\x1b[?1049h'])(
    'is on after %j',
    (output) => {
      expect(isOnAfter(output)).toBe(true);
      expect(isOnAfter(...output)).toBe(true);
    },
  );

  test.each(['', '\x1b[?1049h\x1b[?1049l', '\x1b[?1049h\x1bc', '\x1b[1049h', '\x1b[?10490h', '\x1b[?10\x1849h', '\x1b[?1049$p', '[?1049h'])(
    'is off after %j',
    (output) => {
      expect(isOnAfter(output)).toBe(false);
      expect(isOnAfter(...output)).toBe(false);
    },
  );

  test('is followed however the output is cut', () => {
    const piece = fc.constantFrom('\x1b[?1049h', '\x1b[?47l', 'text', '\x1b[31m', '\x1b', '\x1b[?', ';', '\x1bc', '\x18');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), fc.nat({ max: 60 }), (pieces, cut) => {
        const output = pieces.join('');
        expect(isOnAfter(output.slice(0, cut), output.slice(cut))).toBe(isOnAfter(output));
      }),
    );
  });
});
