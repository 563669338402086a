import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ControlParser, type ReplyBlock } from '../../../src/daemon/panes/control-parser.js';

interface Parsed {
  readonly blocks: { ok: boolean; own: boolean; body: string }[];
  readonly notifications: string[];
}

/** Parses `output`, cut into pieces of the given sizes and then the rest. */
function parse(output: Buffer, sizes: readonly number[] = []): Parsed {
  const parsed: Parsed = { blocks: [], notifications: [] };
  const parser = new ControlParser({
    block: ({ ok, own, body }: ReplyBlock) => parsed.blocks.push({ ok, own, body: body.toString('latin1') }),
    notification: (line) => parsed.notifications.push(line),
  });
  let at = 0;
  for (const size of sizes) {
    parser.push(output.subarray(at, at + size));
    at += size;
  }
  parser.push(output.subarray(at));
  return parsed;
}

const text = (...lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1');

describe('a block', () => {
  test('holds the lines between its guards', () => {
    const { blocks } = parse(text('%begin 17 5 1', 'one', 'two', '%end 17 5 1', '%begin 17 6 1', '%end 17 6 1'));
    expect(blocks).toEqual([
      { ok: true, own: true, body: 'one\ntwo' },
      { ok: true, own: true, body: '' },
    ]);
  });

  test('tells an error, and what was not asked for here', () => {
    const { blocks } = parse(text('%begin 17 5 0', '%end 17 5 0', '%begin 17 6 1', 'no such thing', '%error 17 6 1'));
    expect(blocks).toEqual([
      { ok: true, own: false, body: '' },
      { ok: false, own: true, body: 'no such thing' },
    ]);
  });

  test('ends at its own guard only: whatever else looks like one is body', () => {
    const lines = [
      '%end 1 1 1',
      '%error 17 6 1',
      '%end 17 5 0',
      '%end 17 55 1',
      '%exit',
      '%begin 17 9 1',
      ' %end 17 5 1',
      '%end 17 5 1 ',
      '',
    ];
    const { blocks, notifications } = parse(text('%begin 17 5 1', ...lines, '%end 17 5 1'));
    expect(blocks).toEqual([{ ok: true, own: true, body: lines.join('\n') }]);
    expect(notifications).toEqual([]);
  });

  test('keeps every byte', () => {
    const body = Buffer.from(Array.from({ length: 256 }, (_, value) => value).filter((value) => value !== 0x0a));
    const { blocks } = parse(Buffer.concat([text('%begin 17 5 1'), body, text('', '%end 17 5 1')]));
    expect(blocks[0]?.body).toBe(body.toString('latin1'));
  });
});

test('lines outside of blocks are notifications', () => {
  const { blocks, notifications } = parse(text('%session-changed $0 maestro-ctl', '/nope: No such file or directory', '%exit lost server'));
  expect(blocks).toEqual([]);
  expect(notifications).toEqual(['%session-changed $0 maestro-ctl', '/nope: No such file or directory', '%exit lost server']);
});

test('what is parsed does not depend on how the output is cut into pieces', () => {
  const line = fc.oneof(
    fc.constantFrom('', '%end 1 1 1', '%exit', '%begin 2 3 1', '%error 9 9 1', '%output %1 x'),
    fc.string({ unit: 'binary', maxLength: 40 }).map((value) => Buffer.from(value).toString('latin1').replaceAll('\n', ' ')),
  );
  const event = fc.oneof(
    fc.record({ kind: fc.constant('notification' as const), line: fc.constantFrom('%sessions-changed', 'loose text') }),
    fc.record({ kind: fc.constant('block' as const), ok: fc.boolean(), own: fc.boolean(), lines: fc.array(line, { maxLength: 5 }) }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 8 }), fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 60 }), (events, sizes) => {
      // Numbers that none of the lines above has.
      const guarded = events.map((one, index) => {
        if (one.kind === 'notification') return [one.line];
        const guard = `1700000000 ${1000 + index} ${one.own ? 1 : 0}`;
        return [`%begin ${guard}`, ...one.lines, `%${one.ok ? 'end' : 'error'} ${guard}`];
      });
      expect(parse(text(...guarded.flat()), sizes)).toEqual({
        blocks: events.flatMap((one) => (one.kind === 'block' ? [{ ok: one.ok, own: one.own, body: one.lines.join('\n') }] : [])),
        notifications: events.flatMap((one) => (one.kind === 'notification' ? [one.line] : [])),
      });
    }),
    { numRuns: 500 },
  );
});
