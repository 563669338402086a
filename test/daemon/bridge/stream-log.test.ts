import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ModeTracker, modesAfter } from '../../../src/daemon/bridge/mode-tracker.js';
import { StreamLog } from '../../../src/daemon/bridge/stream-log.js';
import { preamble } from '../../../src/daemon/bridge/terminal-modes.js';

const PIECES = [
  'plain text ',
  'line\r\n',
  '\x1b[31m',
  '\x1b[0m',
  '\x1b[?25l',
  '\x1b[?25h',
  '\x1b[?2004h',
  '\x1b]0;t\x07',
  '\u6f22\u5b57',
  '\u{1f600}',
  '\x1bPq~~~~\x1b\\',
];
const outputs = fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((parts) => Buffer.from(parts.join('')));

function logOf(capacity: number, chunks: readonly Buffer[]): StreamLog {
  const log = new StreamLog(capacity);
  for (const chunk of chunks) log.append(chunk);
  return log;
}

/** Where a replay could start, by an independent reading of all output. */
function isGroundAt(all: Buffer, offset: number): boolean {
  const tracker = new ModeTracker();
  tracker.feed(all.subarray(0, offset));
  return tracker.isGround;
}

const rest = (log: StreamLog, from: number) => log.read(from, log.end - from);

describe('S7: a replay', () => {
  test('starts at ground, with the modes in force there, however small the ring', () => {
    fc.assert(
      fc.property(fc.array(outputs, { maxLength: 6 }), fc.integer({ min: 16, max: 400 }), (chunks, capacity) => {
        const all = Buffer.concat(chunks);
        const log = logOf(capacity, chunks);
        const start = log.cleanStart();
        if (start === undefined) return;
        expect(isGroundAt(all, start.offset)).toBe(true);
        expect(start.preamble).toEqual(preamble(modesAfter(all.subarray(0, start.offset))));
        expect(start.offset).toBeGreaterThanOrEqual(start.preamble.length);
        expect(rest(log, start.offset)).toEqual(all.subarray(start.offset));
      }),
      { numRuns: 500 },
    );
  });

  test('has all there is while nothing was dropped, and no preamble', () => {
    const log = logOf(4096, [Buffer.from('\x1b[?25l\x1b[31mhello')]);
    expect(log.cleanStart()).toEqual({ offset: 0, preamble: Buffer.alloc(0) });
  });

  test('loses no more than a sixteenth of the ring, or 4 KiB, and the sequence it would start in', () => {
    for (const capacity of [256, 4096, 1024 * 1024]) {
      const log = new StreamLog(capacity);
      const line = Buffer.from('\x1b[32msome line of output\x1b[m\r\n');
      while (log.end < capacity * 3 + 2000) log.append(line);
      const lost = (log.cleanStart()?.offset ?? log.end) - log.start;
      expect(lost).toBeLessThanOrEqual(Math.min(4096, capacity / 16) + line.length);
    }
  });

  test('restores modes that were set long before what the ring holds', () => {
    const log = new StreamLog(8192);
    log.append(Buffer.from('\x1b[?1049h\x1b[?1000;1006;2004;1004;1h\x1b[?25l\x1b[>1u'));
    for (let i = 0; i < 1000; i++) log.append(Buffer.from(`line ${i} of the program\r\n`));
    expect(modesAfter(log.cleanStart()?.preamble ?? Buffer.alloc(0))).toEqual(log.modes);
    expect(log.modes).toMatchObject({ alternate: 1049, mouse: 1000, bracketedPaste: true, cursorVisible: false });
  });

  test('waits while one giant sequence fills the ring', () => {
    const log = new StreamLog(1024);
    log.append(Buffer.from('before'));
    log.append(Buffer.from(`\x1bPq${'~'.repeat(5000)}`));
    expect(log.cleanStart()).toBeUndefined();
    expect(log.canContinue(log.end)).toBe(true);
    expect(log.canContinue(log.start - 1)).toBe(false);
    log.append(Buffer.from('~~~\x1b\\after'));
    expect(rest(log, log.cleanStart()?.offset ?? 0).toString()).toBe('after');
  });

  test('a position ahead of the clean start is never continued, as it may lie inside a preamble', () => {
    const log = new StreamLog(1024);
    log.append(Buffer.from('\x1b[?25l'));
    for (let i = 0; i < 100; i++) log.append(Buffer.from('some words \x1b[m'));
    const start = log.cleanStart();
    expect(start?.preamble.length).toBeGreaterThan(0);
    const offset = start?.offset ?? 0;
    expect([offset - 1, offset, log.end, log.end + 1].map((at) => log.canContinue(at))).toEqual([false, true, true, false]);
  });
});

describe('what is stored', () => {
  test('S1: has no trace of what came between the lives', () => {
    const log = new StreamLog(1000);
    log.append(Buffer.from('former\r\n'));
    log.beginLife(Buffer.from('\n\n\x1b[2J\x1b[H'));
    log.append(Buffer.from('current'));
    expect(log.stored(1000)).toEqual({ former: Buffer.from('former\r\n'), current: Buffer.from('current') });
    expect(log.isWhole(0)).toBe(true);
  });

  test('S5: is the newest output within the budget, preamble included, whole to both ends', () => {
    fc.assert(
      fc.property(
        fc.array(outputs, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 0, max: 500 }),
        fc.nat({ max: 6 }),
        (chunks, budget, lifeAt) => {
          const all = Buffer.concat(chunks);
          const log = new StreamLog(400);
          chunks.forEach((chunk, index) => {
            if (index === lifeAt) log.beginLife();
            log.append(chunk);
          });
          const { former, current } = log.stored(budget);
          const stored = Buffer.concat([former, current]);
          expect(stored.length).toBeLessThanOrEqual(budget);
          if (all.length <= Math.min(budget, 400)) expect(stored).toEqual(all);
          if (stored.length === 0) return;
          const found = Array.from({ length: all.length }, (_, offset) => offset).some((offset) => {
            const lead = preamble(modesAfter(all.subarray(0, offset)));
            return stored.equals(Buffer.concat([lead, all.subarray(offset)])) && isGroundAt(all, offset);
          });
          expect(found).toBe(true);
        },
      ),
      { numRuns: 400 },
    );
  });

  test('S3: former lives go first, and are gone once there is a full budget of new output', () => {
    const log = new StreamLog(1000);
    log.append(Buffer.from('former\r\n'.repeat(50)));
    log.beginLife();
    log.append(Buffer.from('new\r\n'.repeat(100)));
    const stored = log.stored(1000);
    expect([stored.former.toString(), stored.current.toString()]).toEqual(['former\r\n'.repeat(50), 'new\r\n'.repeat(100)]);
    const less = log.stored(700);
    expect(less.former.length).toBeGreaterThan(0);
    expect(less.current.toString()).toBe('new\r\n'.repeat(100));
    log.append(Buffer.from('new\r\n'.repeat(200)));
    expect(log.stored(1000).former.length).toBe(0);
    expect(log.stored(1000).current.toString()).toMatch(/^(w|ew|new)?\r?\n?(new\r\n)+$/);
  });

  test('leaves out a sequence or character that is not complete yet', () => {
    const log = logOf(1000, [Buffer.from('text\u6f22\x1b[31')]);
    expect(log.stored(1000).current.toString()).toBe('text\u6f22');
    log.append(Buffer.from('m!'));
    expect(log.stored(1000).current.toString()).toBe('text\u6f22\x1b[31m!');
    log.append(Buffer.from([0xe6, 0xbc]));
    expect(log.stored(1000).current.toString()).toBe('text\u6f22\x1b[31m!');
  });

  test('is empty while one giant sequence fills the ring', () => {
    const log = logOf(100, [Buffer.from(`\x1bPq${'~'.repeat(500)}`)]);
    expect(log.stored(100)).toEqual({ former: Buffer.alloc(0), current: Buffer.alloc(0) });
  });
});
