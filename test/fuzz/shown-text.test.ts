import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AlternateScreen } from '../../src/cli/attach/alternate-screen.js';
import { KeyDecoder } from '../../src/cli/attach/key-decoder.js';
import { LeaderFilter } from '../../src/cli/attach/leader-filter.js';
import { withoutControls, withStylesOnly } from '../../src/cli/control-free.js';
import { displayWidth, fitWidth } from '../../src/cli/display-width.js';
import { printable, printableLines, safe } from '../../src/cli/printable.js';
import { visiblePieces } from '../../src/web/changes/text-pieces.js';
import { visibleText } from '../../src/web/parts/visible-text.js';
import { cutAt, cuts, FUZZ_TIMEOUT, fuzz } from './fuzz-runs.js';
import { hostileOutput } from './terminal-output.js';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  hostileOutput.map((bytes) => bytes.toString()),
  fc
    .array(
      fc.constantFrom(
        'a',
        '\ud800',
        '\udfff',
        '\u202e',
        '\u2066',
        '\u200b',
        '\u200d',
        '\u0301',
        '\u{e0041}',
        '\u{1f468}',
        '\x1b[31m',
        '\x9b31m',
        '\x00',
        '\x7f',
        '\n',
        '\r',
        '\t',
        '\u2028',
        '\ufeff',
        '\u3164',
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
);
const ACTED_ON = /[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

describe('text from elsewhere, whatever it is', () => {
  test(
    'nothing that a terminal acts on is left in what the command prints of it',
    async () => {
      await fuzz(
        fc.property(text, (given) => {
          expect(printable(given)).not.toMatch(ACTED_ON);
          expect(safe`${given}`).not.toMatch(ACTED_ON);
          expect(printableLines(given).replaceAll(/[\n\t]/g, '')).not.toMatch(ACTED_ON);
          expect(withoutControls(given)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
          expect(withStylesOnly(given).replaceAll(/\x1b\[[0-9;:]*m/g, '')).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
        }),
        700,
      );
    },
    FUZZ_TIMEOUT,
  );

  test(
    'nothing hidden is left in what the page shows of it, and nothing readable is lost',
    async () => {
      await fuzz(
        fc.property(text, (given) => {
          const shown = visibleText(given);
          expect(shown).not.toMatch(/(?![\t\u200c\u200d])[\p{Cc}\p{Cs}\p{Cf}\u2028\u2029\u3164]/u);
          expect(visibleText(shown)).toBe(shown);
          expect(
            visiblePieces(given)
              .map((piece) => piece.text)
              .join(''),
          ).toBe(shown);
        }),
        600,
      );
    },
    FUZZ_TIMEOUT,
  );

  test(
    'it fits the width that it is given',
    async () => {
      await fuzz(
        fc.property(text, fc.nat({ max: 20 }), fc.constantFrom('end' as const, 'start' as const), (given, width, leaveOut) => {
          expect(displayWidth(fitWidth(printable(given), width, leaveOut))).toBeLessThanOrEqual(width);
        }),
        500,
      );
    },
    FUZZ_TIMEOUT,
  );

  test('long runs of one character take no longer than others of their length', () => {
    const size = 400_000;
    for (const run of ['\r', '\n', '\x1b', '\x1b[', '\x1b]', ' ', '1', '\t', '\r\n\r']) {
      const long = `${run.repeat(size / run.length)}x`;
      expect(withoutControls(long).length + withStylesOnly(long).length).toBeGreaterThan(0);
    }
  }, 20_000);
});

const keys = fc.oneof(
  fc
    .array(
      fc.constantFrom(
        '\x02',
        'd',
        '?',
        '\x1b',
        '\x1b[',
        '\x1b[200~',
        '\x1b[201~',
        '\x1b[M',
        '\x1bO',
        '\x1b[98;5u',
        '\x1b[27;5;98~',
        '\x1b[<0;1;1M',
        '\x1b[I',
        'é',
        '\x03',
        '~',
        '9',
      ),
      { maxLength: 14 },
    )
    .map((parts) => Buffer.from(parts.join(''))),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
);

describe('what a user types or a terminal reports, whatever it is', () => {
  test(
    'every byte is passed on, in order, however it is read',
    async () => {
      await fuzz(
        fc.property(keys, cuts, (bytes, places) => {
          const decoder = new KeyDecoder();
          const pieces = cutAt(bytes, places).flatMap((chunk) => [...decoder.feed(chunk)].map((typed) => typed.bytes));
          const rest = decoder.flush();
          expect(Buffer.concat([...pieces, ...(rest === undefined ? [] : [rest.bytes])])).toEqual(bytes);
        }),
        600,
      );
    },
    FUZZ_TIMEOUT,
  );

  test(
    'commands are the same however it is read, and all else reaches the program',
    async () => {
      const wishes = (chunks: readonly Buffer[]) => {
        const filter = new LeaderFilter('C-b');
        const all = [...chunks.flatMap((chunk) => filter.feed(chunk)), ...filter.flush()];
        const commands = all.filter((wish) => typeof wish === 'string');
        return { commands, sent: Buffer.concat(all.filter((wish) => typeof wish !== 'string')).toString('latin1') };
      };
      await fuzz(
        fc.property(keys, cuts, (bytes, places) => {
          expect(wishes(cutAt(bytes, places))).toEqual(wishes([bytes]));
        }),
        600,
      );
    },
    FUZZ_TIMEOUT,
  );

  test(
    'the alternate screen is followed however the output is cut',
    async () => {
      await fuzz(
        fc.property(hostileOutput, cuts, (bytes, places) => {
          const follow = (chunks: readonly Buffer[]) => {
            const screen = new AlternateScreen();
            for (const chunk of chunks) screen.feed(chunk);
            return screen.isOn;
          };
          expect(follow(cutAt(bytes, places))).toBe(follow([bytes]));
        }),
        400,
      );
    },
    FUZZ_TIMEOUT,
  );
});
