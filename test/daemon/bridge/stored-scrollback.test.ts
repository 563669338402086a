import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { freshLineAfter } from '../../../src/daemon/bridge/fresh-line.js';
import { modesAfter } from '../../../src/daemon/bridge/mode-tracker.js';
import { cleanTail, restoredBytes, trimStored } from '../../../src/daemon/bridge/stored-scrollback.js';
import { epilogue } from '../../../src/daemon/bridge/terminal-modes.js';

const MIB = 1024 * 1024;
const restored = (former: string, current: string, budget = MIB) =>
  restoredBytes({ former: Buffer.from(former), current: Buffer.from(current) }, budget).toString();

describe('what a new life replays ahead of its own output', () => {
  test('S1: is what the former lives printed, in order', () => {
    expect(restored('first\r\n', 'second\r\n')).toBe('first\r\nsecond\r\n');
  });

  test('ends on a fresh line, and adds none where there is one', () => {
    expect(restored('', 'prompt$ ')).toBe('prompt$ \r\n');
    expect(restored('', 'prompt$ \r\n')).toBe('prompt$ \r\n');
    expect(restored('', '')).toBe('');
  });

  test('S7: leaves the modes of the dead program behind', () => {
    const output = restored('', '\x1b[?1049h\x1b[?1000;1006;2004h\x1b[?25l\x1b[31mvim');
    expect(epilogue(modesAfter(Buffer.from(output))).length).toBe(0);
    expect(output.startsWith('\x1b[?1049h')).toBe(true);
  });

  test('S7: cuts off a sequence or character that the dead program left unfinished', () => {
    expect(restored('', 'text\r\n\x1b]0;half a ti')).toBe('text\r\n');
    expect(restoredBytes({ former: Buffer.alloc(0), current: Buffer.from('text\r\n\xe6\xbc', 'latin1') }, MIB).toString()).toBe('text\r\n');
    expect(restored('old\x1b[3', 'new\r\n')).toBe('old\r\nnew\r\n');
  });

  test('S1: over many reboots each line stays once, in order, and nothing piles up', () => {
    let former = '';
    for (let life = 1; life <= 20; life++) former = restored(former, `life ${life}\r\n\x1b[?2004h\x1b[32m$ \x1b[?25l`);
    const lines = former.match(/life \d+/g);
    expect(lines).toEqual(Array.from({ length: 20 }, (_, index) => `life ${index + 1}`));
    expect(restored(former, '')).toBe(former);
    expect(former.length).toBeLessThan(20 * 70);
  });

  test('S5, S6: stays in the budget, keeps the newest, and starts clean', () => {
    const former = 'former line\r\n'.repeat(1000);
    const current = `\x1b[?25l${'\x1b[33mcurrent line\x1b[m\r\n'.repeat(500)}`;
    for (const budget of [0, 1, 100, 1000, 5000, 20_000]) {
      const output = restored(former, current, budget);
      expect(Buffer.byteLength(output)).toBeLessThanOrEqual(budget);
      expect(output).not.toMatch(/^\[?[\d;]*m/);
      if (budget >= 1000) expect(output.endsWith('current line\x1b[m\r\n\x1b[?25h')).toBe(true);
    }
    expect(restored(former, current, 20_000)).toContain('former line');
  });

  test('S6: takes any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 300 }), fc.nat({ max: 700 }), (former, current, budget) => {
        const output = restoredBytes({ former: Buffer.from(former), current: Buffer.from(current) }, budget);
        expect(output.length).toBeLessThanOrEqual(budget);
        expect(restoredBytes({ former: output, current: Buffer.alloc(0) }, MIB).equals(output)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a fresh line', () => {
  const fresh = (output: string) => freshLineAfter(Buffer.from(output));

  test('is below all that an inline interface drew, when its cursor was left inside', () => {
    expect(fresh('one\r\ntwo\r\nthree\x1b[2A\x1b[5G')).toBe('\x1b[2B\r\n');
    expect(fresh('box\r\nbox\r\nbox\r\n\x1b[2A')).toBe('\x1b[1B\r\n');
    expect(fresh('one\r\n\x1b[Atwo\r\n')).toBe('');
  });

  test('is where the cursor is once that line was cleared', () => {
    expect(fresh('progress 10%\r\x1b[K')).toBe('');
    expect(fresh('a\r\nb\r\nc\x1b[2A\r\x1b[J')).toBe('');
    expect(fresh('lots\r\nof\r\nlines\x1b[H\x1b[2J')).toBe('');
    expect(fresh('lots\r\nof\r\nlines\x1b[2J\x1b[3J\x1b[H')).toBe('');
  });

  test('is at the foot of the screen when the cursor was moved by screen coordinates', () => {
    expect(fresh('text\x1b[5;5Hmore')).toBe('\x1b[500;1H\r\n');
    expect(fresh('text\x1b[5;5Hmore\x1b[500;1H\r\n')).toBe('');
  });

  test('is the one on the normal screen, where leaving the alternate one puts the cursor', () => {
    expect(fresh('$ vi\r\n\x1b[?1049h\x1b[10;10Htext\x1b[?1049l')).toBe('');
    expect(fresh('$ vi\x1b[?1049h\x1b[10;10Htext\x1b[?1049l')).toBe('\r\n');
  });

  test('starts at the first column', () => {
    expect(fresh('text\n')).toBe('\r');
  });

  test('needs nothing more once it was made', () => {
    const pieces = [
      'text',
      '\r\n',
      '\n',
      '\r',
      '\x1b[A',
      '\x1b[3B',
      '\x1b[5;5H',
      '\x1b[2J',
      '\x1b[J',
      '\x1b[K',
      '\x1b[?1049h',
      '\x1b[?1049l',
      '\x1b7',
      '\x1b8',
      '\x1bM',
      '\x1b[L',
      '\x1b[2;5r',
      '\x1bc',
      '\x1b[?47l',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
        const output = Buffer.from(parts.join(''));
        const closed = Buffer.concat([output, epilogue(modesAfter(output))]);
        const whole = Buffer.concat([closed, Buffer.from(freshLineAfter(closed))]);
        expect(freshLineAfter(whole)).toBe('');
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a trimmed scrollback', () => {
  test('is left as it is when it fits', () => {
    const stored = { former: Buffer.from('a\r\n'), current: Buffer.from('b\r\n') };
    expect(trimStored(stored, 100)).toEqual(stored);
  });

  test('S6: over a budget that was lowered, it is the clean tail', () => {
    const { former, current } = trimStored(
      { former: Buffer.from('former\r\n'.repeat(50)), current: Buffer.from('\x1b[31mnew\x1b[m\r\n'.repeat(50)) },
      300,
    );
    expect(former.length).toBe(0);
    expect(current.length).toBeLessThanOrEqual(300);
    expect(current.length).toBeGreaterThan(250);
    expect(current.toString()).toMatch(/^(\x1b\[31m|)(new)?(\x1b\[m|\r|\n|\x1b\[31m)/);
  });

  test('cleanTail keeps a whole output that fits and ends it at ground', () => {
    expect(cleanTail(Buffer.from('text\x1b[3'), 100).toString()).toBe('text');
    expect(cleanTail(Buffer.from('\u6f22'.repeat(100)), 100).toString()).toMatch(/^\u6f22+$/);
  });
});
