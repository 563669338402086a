import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ProgramEvent, ProgramStatusParser, programStatusOf } from '../../../src/daemon/bridge/program-status-parser.js';

const ST = '\x1b\\';
const b64 = (text: string) => Buffer.from(text).toString('base64');

function eventsOf(chunks: readonly (string | Buffer)[]): ProgramEvent[] {
  const events: ProgramEvent[] = [];
  const parser = new ProgramStatusParser((event) => events.push(event));
  const shared = Buffer.alloc(64 * 1024);
  for (const chunk of chunks) {
    const bytes = Buffer.from(chunk);
    bytes.copy(shared);
    parser.feed(shared.subarray(0, bytes.length));
    shared.fill(0x58, 0, bytes.length); // as the next read would
  }
  return events;
}

const status = (fields: Record<string, string>) => ({ type: 'status', status: fields });
const title = (text: string) => ({ type: 'title', title: text });
const wrapped = (inner: string) => `\x1bPtmux;${inner.replaceAll('\x1b', '\x1b\x1b')}${ST}`;

describe('a program status', () => {
  test.each(['idle', 'working', 'blocked', 'done', 'error', 'clear'])('of %s is found, ended by BEL and by ST', (state) => {
    expect(eventsOf([`text\x1b]7501;state=${state}\x07more`])).toEqual([status({ state })]);
    expect(eventsOf([`text\x1b]7501;state=${state}${ST}more`])).toEqual([status({ state })]);
  });

  test('tells kind, app and id, and title and message decoded', () => {
    const fields = `state=blocked:kind=permission:app=codex:id=a-1:title=${b64('Fix it')}:msg=${b64('Run `npm test`? ✋')}`;
    const told = { state: 'blocked', kind: 'permission', app: 'codex', id: 'a-1', title: 'Fix it', msg: 'Run `npm test`? ✋' };
    expect(eventsOf([`\x1b]7501;${fields}${ST}`])).toEqual([status(told)]);
  });

  test('is found inside a passthrough for tmux, whichever way the two end', () => {
    expect(eventsOf([wrapped(`\x1b]7501;state=working${ST}`)])).toEqual([status({ state: 'working' })]);
    expect(eventsOf([wrapped('\x1b]7501;state=done\x07')])).toEqual([status({ state: 'done' })]);
  });

  test('of an unknown state, and a query, tell nothing', () => {
    expect(eventsOf([`\x1b]7501;?${ST}\x1b]7501;state=sleeping${ST}\x1b]7501;${ST}\x1b]7501${ST}\x1b]75010;state=idle${ST}`])).toEqual([]);
  });

  test.each(['msg=%%%', 'msg=QQ=', 'msg=/w==', 'msg=', 'kind=a b', 'app=\u00e9', 'unknown=1', '=', 'msg'])(
    'keeps its state when %j is no value',
    (field) => {
      expect(programStatusOf(`state=idle:${field}`)).toEqual({ state: 'idle' });
    },
  );

  test('is not carried out when CAN or SUB breaks it off', () => {
    expect(eventsOf(['\x1b]7501;state=idle\x18\x1b]7501;state=done\x1a'])).toEqual([]);
  });

  test('of more than 4 KiB is dropped, and the next one is found', () => {
    const long = `\x1b]7501;state=idle:msg=${'QUJD'.repeat(2000)}${ST}`;
    expect(eventsOf([long, `\x1b]7501;state=done${ST}`])).toEqual([status({ state: 'done' })]);
    expect(eventsOf([...long, `\x1b]7501;state=done${ST}`])).toEqual([status({ state: 'done' })]);
  });
});

describe('a title', () => {
  test('is told for OSC 0 and 2, without control characters', () => {
    expect(eventsOf(['\x1b]0;✦  Working… (dir)\x07', `\x1b]2;a\tb${ST}`, '\x1b]2;\x07', '\x1b]0;a\u009cb\x07'])).toEqual([
      title('✦  Working… (dir)'),
      title('ab'),
      title(''),
      title('a'),
    ]);
  });

  test('is told when it changes, a status each time', () => {
    const again = '\x1b]0;a\x07\x1b]7501;state=idle\x07';
    expect(eventsOf([again, again])).toEqual([title('a'), status({ state: 'idle' }), status({ state: 'idle' })]);
  });

  test('is not what other strings hold: icons, links, directories, clipboards, graphics', () => {
    expect(eventsOf(['\x1b]1;icon\x07\x1b]8;;http://x\x07\x1b]7;file://h/\x07\x1b]52;c;AAAA\x07\x1b_Gi=31;OK\x1b\\\x1b]21;x\x07'])).toEqual(
      [],
    );
  });
});

test('how the output is cut into chunks makes no difference', () => {
  const piece = fc.constantFrom(
    'plain ',
    '\x1b',
    ']',
    '\x1b[1;31m',
    '\x1b]',
    '\x07',
    ST,
    '\x18',
    '7501;',
    '0;',
    '✦ title',
    '\x1b]7501;state=working\x07',
    `\x1b]7501;state=blocked:msg=${b64('go?')}${ST}`,
    wrapped('\x1b]7501;state=idle\x1b\\'),
    '\x1b]0;a title\x07',
    `\x1b]52;c;${'A'.repeat(5000)}\x07`,
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat({ max: 200 }), { maxLength: 12 }), (pieces, cuts) => {
      const whole = Buffer.from(pieces.join(''));
      const at = [...new Set([0, ...cuts.map((cut) => cut % (whole.length + 1)), whole.length])].sort((a, b) => a - b);
      const chunks = at.slice(1).map((end, index) => whole.subarray(at[index], end));
      expect(eventsOf(chunks)).toEqual(eventsOf([whole]));
    }),
    { numRuns: 300 },
  );
});

test('any bytes at all are taken', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 })), (chunks) => {
      expect(() => eventsOf(chunks.map((chunk) => Buffer.from(chunk)))).not.toThrow();
    }),
  );
});
