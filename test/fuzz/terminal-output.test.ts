import { createRequire } from 'node:module';
import type { Terminal } from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ModeTracker, modesAfter } from '../../src/daemon/bridge/mode-tracker.js';
import { QueryFilter } from '../../src/daemon/bridge/query-filter.js';
import { StreamLog } from '../../src/daemon/bridge/stream-log.js';
import { epilogue, preamble } from '../../src/daemon/bridge/terminal-modes.js';
import { cutAt, cuts, FUZZ_TIMEOUT, fuzz } from './fuzz-runs.js';
import { hostileOutput, orderlyOutput } from './terminal-output.js';

const MARK = 'maestro-end;3;8f14e45f-ceea-467f-a8c1-2b0d5b7a9e11';
const headless = createRequire(import.meta.url)('@xterm/headless') as { Terminal: typeof Terminal };

function filtered(chunks: readonly Buffer[]): Buffer {
  const out: Buffer[] = [];
  const subject = new QueryFilter({
    emit: (bytes) => out.push(Buffer.from(bytes)),
    endMark: MARK,
    onEndMark: () => out.push(Buffer.from('<MARK>')),
  });
  for (const chunk of chunks) subject.push(Buffer.from(chunk));
  subject.end();
  return Buffer.concat(out);
}

interface Shown {
  /** Those of the screen, and above it. */
  readonly rows: readonly string[];
  readonly history: readonly string[];
  readonly answers: string;
  readonly modes: unknown;
  readonly alternate: boolean;
}

async function shown(chunks: readonly (Buffer | string)[]): Promise<Shown> {
  const terminal = new headless.Terminal({
    cols: 40,
    rows: 12,
    scrollback: 200,
    allowProposedApi: true,
    logLevel: 'off',
    windowOptions: {
      getWinState: true,
      getWinPosition: true,
      getWinSizePixels: true,
      getScreenSizePixels: true,
      getCellSizePixels: true,
      getWinSizeChars: true,
      getScreenSizeChars: true,
      getIconTitle: true,
      getWinTitle: true,
    },
  });
  let answers = '';
  terminal.onData((data) => {
    answers += data;
  });
  terminal.onBinary((data) => {
    answers += data;
  });
  for (const chunk of chunks) await new Promise<void>((resolve) => terminal.write(chunk, resolve));
  const { active } = terminal.buffer;
  const rows = Array.from({ length: active.length }, (_, y) => {
    const line = active.getLine(y);
    const cells = Array.from({ length: 40 }, (_unused, x) => {
      const cell = line?.getCell(x);
      const text = cell?.getChars() ?? '';
      if (cell === undefined || text === '' || text === ' ') return ' ';
      const flags = [
        cell.isBold(),
        cell.isDim(),
        cell.isItalic(),
        cell.isUnderline(),
        cell.isInverse(),
        cell.isInvisible(),
        cell.isStrikethrough(),
        cell.isOverline(),
      ];
      return [
        text,
        ...flags.map((flag) => (flag === 0 ? '' : '*')),
        cell.getFgColor(),
        cell.getBgColor(),
        cell.getFgColorMode(),
        cell.getBgColorMode(),
      ].join(' ');
    });
    return cells.join('').trimEnd();
  });
  const { synchronizedOutputMode: _later, ...modes } = terminal.modes as Terminal['modes'] & { synchronizedOutputMode?: boolean };
  const result = {
    rows: rows.slice(active.baseY),
    history: rows.slice(0, active.baseY),
    answers,
    modes,
    alternate: active.type === 'alternate',
  };
  terminal.dispose();
  return result;
}

describe('the query filter, for any output', () => {
  test(
    'T1: any chunking gives the same bytes, and a second pass finds nothing more',
    async () => {
      await fuzz(
        fc.property(hostileOutput, cuts, (output, places) => {
          const whole = filtered([output]);
          expect(filtered(cutAt(output, places)).toString('latin1')).toBe(whole.toString('latin1'));
          expect(filtered([...output].map((byte) => Buffer.of(byte))).toString('latin1')).toBe(whole.toString('latin1'));
          expect(filtered([whole]).toString('latin1')).toBe(whole.toString('latin1'));
        }),
        1500,
      );
    },
    FUZZ_TIMEOUT,
  );

  test(
    'T1: a terminal that gets what is left answers nothing',
    async () => {
      await fuzz(
        fc.asyncProperty(hostileOutput, async (output) => {
          expect((await shown([filtered([output])])).answers).toBe('');
        }),
        450,
      );
    },
    FUZZ_TIMEOUT,
  );

  test(
    'T1: a terminal shows the same with the queries as without',
    async () => {
      await fuzz(
        fc.asyncProperty(orderlyOutput, async (output) => {
          const { answers: _answers, ...raw } = await shown([output]);
          const { answers: _none, ...clean } = await shown([filtered([output])]);
          expect(clean).toEqual(raw);
        }),
        350,
      );
    },
    FUZZ_TIMEOUT,
  );
});

/** A colour of no known kind: terminals disagree how many numbers belong to it. */
const UNSURE_COLOUR = /[[\x9b;:](?:38|48|58)(?!(?:;5;\d+|;2;\d+;\d+;\d+|:2::\d+:\d+:\d+)(?:;|m))[^a-zA-Z]*m/;
/** A cursor that is restored behind a link: xterm.js then draws without the link, although it is still open; others restore it. */
const UNSURE_LINK = /(?:\x1b\]|\x9d)8;.*(?:\x1b8|(?:\x1b\[|\x9b)(?:[\d;:]*u|\?[\d;:]*104[89][\d;:]*l))/s;
/** True where terminals agree. */
const isSure = (output: Buffer) => ![UNSURE_COLOUR, UNSURE_LINK].some((unsure) => unsure.test(output.toString('latin1')));

/** What was saved before a replay starts is not there to be restored in it. */
const SAVES_CURSOR = /\x1b[78]|[[\x9b][\d;:]*[su]|104[89]|1047|47/;

/** Shows the pen, the character sets, insertion, wrapping, margins and origin. */
const PROBE = '\x1b[2J\x1b[Hlqx~\x1b[1;3Hwy\r\nnext\x1b[4;38Hfold';

describe('terminal modes, for any output', () => {
  test(
    'S7: any chunking leaves the same state',
    async () => {
      await fuzz(
        fc.property(hostileOutput, cuts, (output, places) => {
          const states = [[output], cutAt(output, places), [...output].map((byte) => Buffer.of(byte))].map((chunks) => {
            const tracker = new ModeTracker();
            for (const chunk of chunks) tracker.feed(chunk);
            return [tracker.isGround, tracker.unfinishedBytes, tracker.modes];
          });
          expect(states[1]).toEqual(states[0]);
          expect(states[2]).toEqual(states[0]);
        }),
        1200,
      );
    },
    FUZZ_TIMEOUT,
  );

  test(
    'S7: the preamble brings a reset terminal into the modes of one that saw all',
    async () => {
      await fuzz(
        fc.asyncProperty(orderlyOutput, async (output) => {
          const clean = filtered([output]);
          const tracker = new ModeTracker();
          tracker.feed(clean);
          fc.pre(tracker.isGround && isSure(clean));
          const { history: _before, ...whole } = await shown([clean, PROBE]);
          const { history: _none, ...replayed } = await shown([preamble(tracker.modes), PROBE]);
          expect(replayed).toEqual(whole);
        }),
        300,
      );
    },
    FUZZ_TIMEOUT,
  );

  test(
    'S7: the epilogue leaves no mode behind',
    async () => {
      const fresh = await shown([PROBE]);
      await fuzz(
        fc.asyncProperty(orderlyOutput, async (output) => {
          const clean = filtered([output]);
          const modes = modesAfter(clean);
          const after = await shown([clean, epilogue(modes), PROBE]);
          expect([after.rows, after.modes, after.alternate]).toEqual([fresh.rows, fresh.modes, false]);
        }),
        200,
      );
    },
    FUZZ_TIMEOUT,
  );
});

describe('a replay, for any output', () => {
  test(
    'T2, S7: from every place where one may start, however small the ring, it ends like the whole stream',
    async () => {
      await fuzz(
        fc.asyncProperty(
          fc.array(orderlyOutput, { minLength: 1, maxLength: 4 }),
          fc.integer({ min: 16, max: 300 }),
          async (outputs, capacity) => {
            const all = filtered(outputs);
            fc.pre(isSure(all));
            const log = new StreamLog(capacity);
            const starts = [];
            for (let at = 0; at < all.length; at += 40) {
              log.append(all.subarray(at, at + 40));
              const start = log.cleanStart();
              if (start !== undefined) starts.push({ ...start, rest: log.read(start.offset, log.end - start.offset), end: log.end });
            }
            for (const { preamble: lead, rest, end } of starts) {
              expect(rest).toEqual(all.subarray(end - rest.length, end));
              const tracker = new ModeTracker();
              tracker.feed(Buffer.concat([lead, rest]));
              const whole = new ModeTracker();
              whole.feed(all.subarray(0, end));
              expect([tracker.isGround, tracker.unfinishedBytes]).toEqual([whole.isGround, Math.min(whole.unfinishedBytes, rest.length)]);
            }
            const last = starts.at(-1);
            if (last === undefined || last.end !== all.length || !log.isGround || SAVES_CURSOR.test(all.toString('latin1'))) return;
            const { history: _before, ...whole } = await shown([all, PROBE]);
            const { history: _none, ...replayed } = await shown([last.preamble, last.rest, PROBE]);
            expect(replayed).toEqual(whole);
          },
        ),
        150,
      );
    },
    FUZZ_TIMEOUT,
  );

  test(
    'S7: any chunking stores the same',
    async () => {
      await fuzz(
        fc.property(hostileOutput, cuts, fc.integer({ min: 8, max: 200 }), fc.nat({ max: 200 }), (output, places, capacity, budget) => {
          const stored = (chunks: readonly Buffer[]) => {
            const log = new StreamLog(capacity);
            for (const chunk of chunks) log.append(chunk);
            return [log.start, log.end, log.modes, log.isGround, log.read(log.start, capacity), log.cleanStart(), log.stored(budget)];
          };
          expect(stored(cutAt(output, places)).slice(2, 5)).toEqual(stored([output]).slice(2, 5));
          expect(stored(cutAt(output, places))).toEqual(stored([...output].map((byte) => Buffer.of(byte))));
        }),
        400,
      );
    },
    FUZZ_TIMEOUT,
  );
});
