import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { QueryFilter } from '../../../src/daemon/bridge/query-filter.js';

const ESC = '\x1b';
const ST = '\x1b\\';

interface Filtered {
  readonly output: string;
  readonly marks: number;
  /** What came out before the stream was ended. */
  readonly early: string;
}

const MARK = 'maestro-end;3;8f14e45f-ceea-467f-a8c1-2b0d5b7a9e11';

function filter(chunks: readonly (string | Buffer)[], endMark?: string): Filtered {
  const out: Buffer[] = [];
  let marks = 0;
  const subject = new QueryFilter({
    emit: (bytes) => out.push(Buffer.from(bytes)),
    endMark,
    onEndMark: () => {
      marks += 1;
    },
  });
  const shared = Buffer.alloc(64 * 1024);
  for (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk;
    bytes.copy(shared);
    subject.push(shared.subarray(0, bytes.length));
    shared.fill(0x58, 0, bytes.length); // as the next read would
  }
  const early = Buffer.concat(out).toString('latin1');
  subject.end();
  return { output: Buffer.concat(out).toString('latin1'), marks, early };
}

const clean = (input: string) => filter([input]).output;

const QUERIES: Readonly<Record<string, readonly string[]>> = {
  'device attributes': ['[c', '[0c', '[>c', '[>0c', '[=c', '[=0c', 'Z'],
  'status and cursor reports': ['[5n', '[6n', '[06n', '[?6n', '[?15n', '[?996n', '[6;1n'],
  version: ['[>q', '[>0q'],
  'mode requests': ['[?2026$p', '[4$p', '[?1$p'],
  'other presentation requests': ['[1$w', '[2$w', '[1$u', '[1;1;1;1;10;10*y', '[&u', "['|", '["v', '[0#|', '[#R', '[x', '[1x'],
  'keyboard requests': ['[?u', '[?4m', '[?1g'],
  'graphics limits': ['[?1;1;0S', '[?2;1S'],
  'window reports': ['[11t', '[13;2t', '[14t', '[14;2t', '[15t', '[16t', '[18t', '[19t', '[20t', '[21t'],
  colours: [
    ']4;1;?\x07',
    ']4;1;#fff;2;?\x07',
    ']5;0;?\x07',
    ']10;?\x07',
    ']11;?\x1b\\',
    ']12;?\x07',
    ']19;?\x07',
    ']011;?\x07',
    ']10;#123456;?\x07',
  ],
  'kitty colours and pointer shape': [']21;foreground=?\x07', ']22;?__current__\x07'],
  'clipboard reads': [']52;c;?\x07', ']52;;?\x1b\\', ']5522;type=read;Lg==\x07'],
  'features, fonts, notifications, cell size': [
    ']60\x07',
    ']61;x\x07',
    ']50;?\x07',
    ']99;i=1:p=?;\x07',
    ']1337;ReportCellSize\x07',
    ']7501;?\x07',
  ],
  'settings and termcap': ['P$qm\x1b\\', 'P$q q\x1b\\', 'P+q544e;524742\x1b\\', 'P+Q544e\x1b\\'],
  'kitty graphics': ['_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\', '_Ga=q\x1b\\'],
  'those inside a tmux passthrough': [
    'Ptmux;\x1b\x1b[6n\x1b\\',
    'Ptmux;\x1b\x1b]11;?\x07\x1b\\',
    'Ptmux;\x1b\x1b]11;?\x1b\x1b\\\x1b\\',
    'Ptmux;\x1b\x1bP$qm\x1b\x1b\\\x1b\\',
    'Ptmux;\x1b\x1bPtmux;\x1b\x1b\x1b\x1b[c\x1b\x1b\\\x1b\\',
  ],
};

const KEPT: Readonly<Record<string, readonly string[]>> = {
  'text and control characters': ['plain', '\r\n\t\x08\x07', '\x00\x01\x7f', 'caf\xc3\xa9 \xc2\xa0\xc2\xb7'],
  'what is no UTF-8, 8-bit controls among it': ['\x9b6n', '\x9d11;?\x07', '\xff\xfe\xc3(', '\xe2\x82'],
  drawing: ['[m', '[1;31m', '[38;2;1;2;3m', '[2J', '[K', '[10;20H', '[?25l', '[?1049h', '[3 q', '[!p', '[1;5r', '[4:3m'],
  replies: ['[?1;2c', '[>1;276;0c', '[0n', '[1;1R', '[?2026;2$y'],
  'neighbours of queries': [
    '[1c',
    '[>1c',
    '[n',
    '[4n',
    '[>4n',
    '[>4;2m',
    '[>1u',
    '[<u',
    '[=1;2u',
    '[22;0t',
    '[23;0t',
    '[8;40;120t',
    '[2x',
    '[1;1;5;5;7$x',
    '[5$z',
    '[?1$r',
  ],
  'titles, links, colours, clipboard writes': [
    ']0;a title?\x07',
    ']2;?\x07',
    ']8;;http://x/?a=?\x1b\\',
    ']4;1;#ffffff\x07',
    ']11;rgb:00/00/00\x1b\\',
    ']104\x07',
    ']52;c;aGVsbG8=\x07',
    ']52;c;!\x07',
    ']1337;File=name=eA==:AAAA\x07',
    ']7501;id=1\x07',
    ']133;A\x07',
  ],
  strings: [
    'Pq#0;2;0;0;0~-\x1b\\',
    'P=1s\x1b\\',
    '_Gi=1,a=T,f=100;AAAA\x1b\\',
    '_hello;a=q\x1b\\',
    '^note\x1b\\',
    'Xsos\x1b\\',
    'P>|XTerm\x1b\\',
  ],
  'passthrough of anything else': [
    'Ptmux;\x1b\x1b]52;c;aGVsbG8=\x07\x1b\\',
    'Ptmux;hello\x1b\\',
    'Ptmux;\x1b\x1b[31m\x1b\\',
    'Ptmuxy\x1b\\',
    'P1tmux;\x1b\\',
  ],
  'broken sequences': ['[6 ?n', '[6\x18n', ']11;?', 'P$', '[', ''],
};

describe('T1: the program is never answered by a viewer', () => {
  for (const [what, sequences] of Object.entries(QUERIES)) {
    test(`${what} are removed`, () => {
      for (const sequence of sequences) expect([sequence, clean(`a${ESC}${sequence}b`)]).toEqual([sequence, 'ab']);
    });
  }

  for (const [what, sequences] of Object.entries(KEPT)) {
    test(`kept byte for byte: ${what}`, () => {
      for (const sequence of sequences) {
        const input = what.startsWith('text') || what.startsWith('what') ? sequence : ESC + sequence;
        if (sequence === ']11;?') continue;
        expect(clean(`a${input}`)).toBe(`a${input}`);
      }
    });
  }

  test('ENQ is removed, even from the middle of a sequence', () => {
    expect(clean('a\x05b')).toBe('ab');
    expect(clean(`${ESC}[3\x051m${ESC}\x05[c.`)).toBe(`${ESC}[31m.`);
  });

  test('control characters that a terminal carries out in the middle of a query stay', () => {
    expect(clean(`a${ESC}[6\r\nnb`)).toBe('a\r\nb');
  });

  test('the UTF-8 form of an 8-bit control starts a query too, as terminals decode before they parse', () => {
    expect(clean('a\xc2\x9b6nb')).toBe('ab');
    expect(clean('a\xc2\x9d11;?\xc2\x9cb')).toBe('ab');
    expect(clean('\xc2\x85\xc2\x9b31m')).toBe('\xc2\x85\xc2\x9b31m');
    expect(filter(['a\xc2', '\x9b', '6nb']).output).toBe('ab');
  });

  test('bytes that terminals skip do not hide a query', () => {
    expect(clean(`${ESC}[\xff6n${ESC}]11;\xff?\x07${ESC}]11;\x01?\x07.`)).toBe('.');
  });

  test('a query that breaks off another sequence leaves it broken off, and joins nothing', () => {
    expect(clean(`${ESC}${ESC}[6n[c`)).toBe(`${ESC}${ST}[c`);
    expect(clean(`${ESC}]0;title${ESC}[6ntext`)).toBe(`${ESC}]0;title${ST}text`);
    expect(clean(`\xc2${ESC}[6n\x9b6n`)).toBe(`\xc2${ST}\x9b6n`);
    expect(clean('\xc2\x05\x9b6n')).toBe(`\xc2${ST}\x9b6n`);
  });

  test('a query string that is ended by another sequence goes, and the sequence stays', () => {
    expect(clean(`${ESC}]11;?${ESC}[31mred`)).toBe(`${ESC}[31mred`);
    expect(clean(`${ESC}P$qm${ESC}]0;t\x07x`)).toBe(`${ESC}]0;t\x07x`);
  });

  test('a query too long to be held is made void', () => {
    const zeros = '0'.repeat(10_000);
    expect(clean(`${ESC}[${zeros}6nb`)).toBe(`${ESC}[${zeros}6\x18b`);
    const colours = `4;${'1;#aabbcc;'.repeat(1000)}1`;
    expect(clean(`${ESC}]${colours};?\x07b`)).toBe(`${ESC}]${colours};?\x18b`);
    expect(clean(`${ESC}]${colours};#fff\x07b`)).toBe(`${ESC}]${colours};#fff\x07b`);
    expect(clean(`${ESC}]${colours};?${ST}b`)).toBe(`${ESC}]${colours};?\x18${ESC}\\b`.replace(`${ESC}\\`, ''));
  });

  test('a passthrough with a query further in is read as a terminal reads it', () => {
    expect(clean(`${ESC}Ptmux;${ESC}${ESC}[31m${ESC}${ESC}[6n${ST}x`)).not.toContain('6n');
    const long = 'x'.repeat(6000);
    expect(clean(`${ESC}Ptmux;${ESC}${ESC}]4;1;${long}${ESC}${ESC}[6n${ST}.`)).not.toContain('6n');
  });

  test('the end of the stream lets out what is held, but no query', () => {
    expect(filter([`a${ESC}[3`])).toMatchObject({ early: 'a', output: `a${ESC}[3` });
    expect(filter(['a\xc2'])).toMatchObject({ early: 'a', output: 'a\xc2' });
    expect(filter([`a${ESC}]11;?`]).output).toBe('a');
    expect(filter([`a${ESC}]11;?${ESC}`]).output).toBe('a');
    expect(filter([`a${ESC}Ptmux;${ESC}${ESC}[31`]).output).toBe(`a${ESC}Ptmux;${ESC}${ESC}[31`);
    expect(filter([`a${ESC}Ptmux;${ESC}${ESC}[6n${ESC}`]).output).toBe('a');
  });
});

describe('output is not delayed', () => {
  test('only what may be a query waits for more', () => {
    expect(filter(['$ ']).early).toBe('$ ');
    expect(filter([`${ESC}[31m$ ${ESC}[`]).early).toBe(`${ESC}[31m$ `);
    expect(filter([`${ESC}]0;half a ti`]).early).toBe(`${ESC}]0;half a ti`);
    expect(filter([`${ESC}]52;c;aGVs`]).early).toBe(`${ESC}]52;c;aGVs`);
    expect(filter([`${ESC}]1337;File=x:AAAA`]).early).toBe(`${ESC}]1337;File=x:AAAA`);
    expect(filter([`${ESC}Pq#0~~~`]).early).toBe(`${ESC}Pq#0~~~`);
    expect(filter([`${ESC}_Ga=T;AAAA`]).early).toBe(`${ESC}_Ga=T;AAAA`);
    expect(filter([`${ESC}Ptmux;${ESC}${ESC}]52;c;aGVs`]).early).toBe(`${ESC}Ptmux;${ESC}${ESC}]52;c;aGVs`);
  });

  test('at most 4 KiB are held back', () => {
    const { early } = filter([`${ESC}]4;${'1;#aabbcc;'.repeat(1000)}`]);
    expect(early.length).toBeGreaterThan(4096);
  });
});

describe("Maestro's end mark", () => {
  test('is removed and reported when it is the one expected', () => {
    expect(filter([`bye\r\n${ESC}]7750;${MARK}\x07`], MARK)).toEqual({ early: 'bye\r\n', output: 'bye\r\n', marks: 1 });
    expect(filter([`bye${ESC}]7750;${MARK}`, `${ST}after`], MARK)).toMatchObject({ output: 'byeafter', marks: 1 });
  });

  test('passes like any other text when it names another run or session', () => {
    for (const other of [MARK.replace(';3;', ';2;'), MARK.replace('11', '12'), `${MARK}x`, MARK.slice(0, -1), 'maestro-end']) {
      const input = `x${ESC}]7750;${other}\x07y`;
      expect(filter([input], MARK)).toMatchObject({ output: input, marks: 0 });
    }
    expect(filter([`${ESC}]7750;${MARK}\x07`])).toMatchObject({ output: `${ESC}]7750;${MARK}\x07`, marks: 0 });
  });

  test('is found behind a program that died in the middle of a sequence', () => {
    for (const unfinished of [
      `${ESC}[3`,
      `${ESC}]0;half`,
      `${ESC}P$qm`,
      `${ESC}]11;?`,
      `${ESC}Ptmux;${ESC}${ESC}[6n`,
      `${ESC}Pq~~`,
      '\xe2\x82',
      '\xc2',
      ESC,
    ]) {
      const { marks, output } = filter([`a${unfinished}${ESC}]7750;${MARK}\x07`], MARK);
      expect([unfinished, marks]).toEqual([unfinished, 1]);
      expect(output).not.toContain('maestro');
    }
  });
});

const fragments = [
  ...Object.values(QUERIES)
    .flat()
    .map((sequence) => ESC + sequence),
  ...Object.values(KEPT).flat(),
  ...Object.values(KEPT)
    .flat()
    .map((sequence) => ESC + sequence),
  ...[
    ESC,
    '\x05',
    '\xc2',
    '\x9b',
    '\x9d',
    '\x9c',
    '\x18',
    '\x07',
    ST,
    `${ESC}[`,
    `${ESC}]`,
    `${ESC}P`,
    `${ESC}Ptmux;`,
    ';',
    '?',
    '6n',
    '11;?',
    `${ESC}]7750;${MARK}\x07`,
  ],
];
const streams = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...fragments) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes).toString('latin1')) },
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

/** `input` cut at some places. */
function cut(input: string, places: readonly number[]): string[] {
  const at = [...new Set(places.map((place) => place % (input.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, index) => input.slice(from, at[index] ?? input.length));
}

describe('for any stream', () => {
  test('the way it is cut into chunks makes no difference', () => {
    fc.assert(
      fc.property(streams, fc.array(fc.nat(), { maxLength: 8 }), (input, places) => {
        const whole = filter([input], MARK);
        expect(filter(cut(input, places), MARK)).toMatchObject({ output: whole.output, marks: whole.marks });
        expect(filter([...input], MARK)).toMatchObject({ output: whole.output, marks: whole.marks });
      }),
      { numRuns: 2000 },
    );
  });

  test('what is left holds no query: filtering it again changes nothing', () => {
    fc.assert(
      fc.property(streams, (input) => {
        const once = clean(input);
        expect(clean(once)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });

  test('text without ESC, ENQ and U+0080 to U+009F passes byte for byte', () => {
    const bytes = fc
      .uint8Array({ maxLength: 200 })
      .map((array) => Buffer.from(array.filter((byte) => byte !== 0x1b && byte !== 0x05 && byte !== 0xc2)));
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(), { maxLength: 5 }), (input, places) => {
        const text = input.toString('latin1');
        expect(filter(cut(text, places)).output).toBe(text);
      }),
    );
  });
});
