import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ModeTracker, modesAfter } from '../../../src/daemon/bridge/mode-tracker.js';
import { epilogue, preamble, RESET_MODES, type TerminalModes } from '../../../src/daemon/bridge/terminal-modes.js';

const modes = (output: string) => modesAfter(Buffer.from(output));
const lead = (output: string) => preamble(modes(output)).toString();
const close = (output: string) => epilogue(modes(output)).toString();

/** Sequences that change modes, each alone. */
const CHANGES = [
  ...[
    '\x1b[?1h',
    '\x1b[?5h',
    '\x1b[?6h',
    '\x1b[?7l',
    '\x1b[?25l',
    '\x1b=',
    '\x1b[?1004h',
    '\x1b[?1007h',
    '\x1b[?2004h',
    '\x1b[?2031h',
    '\x1b[?2048h',
  ],
  ...[
    '\x1b[4h',
    '\x1b[20h',
    '\x1b[?1000h',
    '\x1b[?1002h',
    '\x1b[?1003h',
    '\x1b[?9h',
    '\x1b[?1006h',
    '\x1b[?1015h',
    '\x1b[?1016h',
    '\x1b[?1005h',
  ],
  ...[
    '\x1b[5;10r',
    '\x1b[3r',
    '\x1b(0',
    '\x1b)0',
    '\x1b(0\x0e',
    '\x1bn',
    '\x1b[3 q',
    '\x1b[>4;2m',
    '\x1b[>1u',
    '\x1b[=5u',
    '\x1b[>1u\x1b[>3u',
  ],
  ...['\x1b[1;31m', '\x1b[38;5;200;48;2;1;2;3m', '\x1b[4:3;58:2::9:8:7m', '\x1b[97;105m', '\x1b[21;53;9m', '\x1b[58:5:9m'],
  ...['\x1b]0;a title\x07', '\x1b]2;caf\u00e9\x1b\\', '\x1b]8;id=1;http://x.y/\x1b\\', '\x1b]11;#123456\x07', '\x1b]10;red;blue\x07'],
  ...['\x1b[?1049h', '\x1b[?47h', '\x1b[?1047h', '\x1b[?1049h\x1b[>7u', '\x1b[2;4r\x1b[?1049h\x1b[6;7r'],
];
const UNCHANGES = [
  ...[
    '\x1b[?1l',
    '\x1b[?7h',
    '\x1b[?25h',
    '\x1b>',
    '\x1b[?2004l',
    '\x1b[?1000l',
    '\x1b[?1006l',
    '\x1b[?1049l',
    '\x1b[r',
    '\x1b(B',
    '\x0f',
    '\x1b[m',
    '\x1b[22;24;39m',
  ],
  ...[
    '\x1bc',
    '\x1b[!p',
    '\x1b7',
    '\x1b8',
    '\x1b[<u',
    '\x1b[>4m',
    '\x1b[0 q',
    '\x1b]8;;\x1b\\',
    '\x1b]111\x07',
    'text\r\n',
    '\u6f22\u5b57 caf\u00e9\u00a0',
  ],
];
const outputs = fc.array(fc.constantFrom(...CHANGES, ...CHANGES, ...UNCHANGES), { maxLength: 12 }).map((parts) => parts.join(''));

describe('modes in force', () => {
  test('are those of a reset terminal at the start, after RIS, and after all was switched off again', () => {
    expect(modes('plain text\r\n')).toEqual(RESET_MODES);
    expect(modes('\x1b[?1049h\x1b[?1000;1006;2004h\x1b[?25l\x1b[31m\x1bc')).toEqual(RESET_MODES);
    expect(modes('\x1b[?1000;1006;2004h\x1b[?25l\x1b[?1000;1006;2004l\x1b[?25h')).toEqual(RESET_MODES);
  });

  test('follow what programs set', () => {
    expect(modes('\x1b[?1049h\x1b[?25l\x1b[?1;2004;1002;1006h\x1b=\x1b[5 q\x1b]0;vi\x07')).toMatchObject({
      alternate: 1049,
      cursorVisible: false,
      applicationCursor: true,
      applicationKeypad: true,
      bracketedPaste: true,
      mouse: 1002,
      mouseEncodings: [1006],
      cursorShape: 5,
      title: 'vi',
    } satisfies Partial<TerminalModes>);
  });

  test('each screen keeps its keyboard flags and scroll region', () => {
    const output = '\x1b[>1u\x1b[2;5r\x1b[?1049h\x1b[>7u\x1b[3;4r';
    expect(modes(output)).toMatchObject({ keyboard: { normal: [0, 1], alternate: [0, 7] }, scrollRegion: { top: 3, bottom: 4 } });
    expect(modes(`${output}\x1b[?1049l`)).toMatchObject({ keyboard: { normal: [0, 1] }, scrollRegion: { top: 2, bottom: 5 } });
  });

  test('leaving the alternate screen brings back the pen saved on entering it', () => {
    expect(modes('\x1b[31m\x1b[?1049h\x1b[44m\x1b[?1049l').pen).toEqual(modes('\x1b[31m').pen);
  });

  test('a snapshot is immutable and stays the same object while nothing changes', () => {
    const tracker = new ModeTracker();
    tracker.feed(Buffer.from('\x1b[31m'));
    const { modes: before } = tracker;
    tracker.feed(Buffer.from('text'));
    expect(tracker.modes).toBe(before);
    tracker.feed(Buffer.from('\x1b[32m\x1b[?25l'));
    expect(before).toMatchObject({ cursorVisible: true });
    expect(Object.isFrozen(before)).toBe(true);
  });

  test('titles and links are bounded and hold no control characters', () => {
    expect(modes(`\x1b]2;${'\u00e9'.repeat(500)}\x07`).title).toBe('\u00e9'.repeat(128));
    expect(modes('\x1b]2;a\x01b\x07').title).toBe('ab');
    expect(modes(`\x1b]8;;http://${'x'.repeat(5000)}\x1b\\`).link).toBe('');
  });

  test('memory stays bounded whatever is pushed', () => {
    expect(modes('\x1b[>1u'.repeat(1000)).keyboard.normal.length).toBeLessThanOrEqual(16);
    expect(preamble(modes(`${'\x1b[>31u'.repeat(1000)}\x1b]2;${'x'.repeat(5000)}\x07`)).length).toBeLessThan(1024);
  });
});

describe('the preamble', () => {
  test('is empty for a reset terminal', () => {
    expect(lead('text')).toBe('');
  });

  for (const change of CHANGES) {
    test(`restores what ${JSON.stringify(change)} set`, () => {
      expect(modes(lead(change))).toEqual(modes(change));
      expect(modes(change)).not.toEqual(RESET_MODES);
    });
  }

  test('brings a reset terminal into the modes in force after any output', () => {
    fc.assert(
      fc.property(outputs, (output) => {
        const { keyboard, ...expected } = modes(output);
        const { keyboard: restored, ...rest } = modes(lead(output));
        expect(rest).toEqual(expected);
        expect(restored.normal).toEqual(keyboard.normal);
        if (expected.alternate !== 0) expect(restored.alternate).toEqual(keyboard.alternate);
      }),
      { numRuns: 1000 },
    );
  });

  test('never leaves a synchronized update open', () => {
    expect(lead('\x1b[?2026h')).toBe('');
    expect(close('\x1b[?2026h')).toBe('\x1b[?2026l');
  });
});

describe('the epilogue', () => {
  test('is empty when nothing needs resetting', () => {
    expect(close('text\r\n\x1b[31mred\x1b[m')).toBe('');
  });

  test('S7: leaves the modes of a dead program behind', () => {
    const left = close('\x1b[?1049h\x1b[?1000;1006;2004;1004;1h\x1b[?25l\x1b[>1u');
    for (const off of ['?1049l', '?1000l', '?1006l', '?2004l', '?1004l', '?1l', '?25h', '<1u']) expect(left).toContain(`\x1b[${off}`);
  });

  test('leaves the alternate screen only where one is shown, as it moves the cursor otherwise', () => {
    expect(close('\x1b[?25l\x1b[31m')).not.toContain('1049');
    expect(close('\x1b[?47h')).toContain('\x1b[?47l');
  });

  test('S7: after any output it ends in a terminal as good as reset, and needs no second one', () => {
    fc.assert(
      fc.property(outputs, (output) => {
        const { title, keyboard, ...rest } = modes(output + close(output));
        const { title: _title, keyboard: none, ...reset } = RESET_MODES;
        expect(rest).toEqual(reset);
        expect(keyboard.normal).toEqual(none.normal);
        expect(close(output + close(output))).toBe('');
        expect(title).toBe(modes(output).title);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('ground', () => {
  const at = (output: string | Buffer) => {
    const tracker = new ModeTracker();
    tracker.feed(typeof output === 'string' ? Buffer.from(output) : output);
    return [tracker.isGround, tracker.unfinishedBytes] as const;
  };

  test('is outside of sequences, strings and characters', () => {
    expect(at('text\x1b[31m')).toEqual([true, 0]);
    expect(at('text\x1b')).toEqual([false, 1]);
    expect(at('text\x1b[3')).toEqual([false, 3]);
    expect(at('text\x1b]0;title')).toEqual([false, 9]);
    expect(at('text\x1b]0;title\x1b')).toEqual([false, 10]);
    expect(at('text\x1b]0;title\x1b\\')).toEqual([true, 0]);
    expect(at('text\x1bPq~~~')).toEqual([false, 6]);
    expect(at(Buffer.from('a\xe6\xbc', 'latin1'))).toEqual([false, 2]);
    expect(at(Buffer.from('a\xf0\x9f\x98', 'latin1'))).toEqual([false, 3]);
    expect(at(Buffer.from('a\xc2', 'latin1'))).toEqual([false, 1]);
    expect(at(Buffer.from('a\xff\x80\x80', 'latin1'))).toEqual([true, 0]);
  });

  test('is told the same however the output is cut', () => {
    const pieces = [...CHANGES, ...UNCHANGES, '\x1b', '\x1b[3', '\x1b]0;t', '\u{1f600}', '\xc2', '\x9b31m', '\x18'];
    const any = fc.array(
      fc.oneof(
        fc.constantFrom(...pieces).map((piece) => Buffer.from(piece)),
        fc.uint8Array({ maxLength: 4 }),
      ),
      { maxLength: 10 },
    );
    fc.assert(
      fc.property(any, fc.array(fc.nat(), { maxLength: 6 }), (parts, cuts) => {
        const output = Buffer.concat(parts);
        const places = [...new Set([0, ...cuts.map((cut) => cut % (output.length + 1)), output.length])].sort((a, b) => a - b);
        const whole = new ModeTracker();
        whole.feed(output);
        const pieces = places.map((place, index) => output.subarray(places[index - 1] ?? 0, place));
        for (const chunks of [pieces, [...output].map((byte) => Buffer.from([byte]))]) {
          const tracker = new ModeTracker();
          for (const chunk of chunks) tracker.feed(chunk);
          expect([tracker.isGround, tracker.unfinishedBytes, tracker.modes]).toEqual([whole.isGround, whole.unfinishedBytes, whole.modes]);
        }
      }),
      { numRuns: 1500 },
    );
  });

  test('is reached at the first byte where it can be', () => {
    const tracker = new ModeTracker();
    tracker.feed(Buffer.from('text\x1b]0;ti'));
    expect(tracker.feedToGround(Buffer.from('tle\x07text\x1b[m'))).toBe(4);
    expect(tracker.modes.title).toBe('title');
    expect(tracker.feedToGround(Buffer.from('text'))).toBe(0);
  });
});
