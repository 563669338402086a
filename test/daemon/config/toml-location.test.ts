import fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { locateToml } from '../../../src/daemon/config/toml-location.js';

type Path = readonly (string | number)[];

/** The document's lines, with a mark `#@ path` behind those on which the path stands. */
function check(marked: string): void {
  const lineOf = locateToml(marked);
  parse(marked);
  for (const [index, text] of marked.split('\n').entries()) {
    const path = /#@ (.*)$/.exec(text)?.[1];
    if (path === undefined) continue;
    expect({ path, line: lineOf(JSON.parse(path) as Path) }).toEqual({ path, line: index + 1 });
  }
}

describe('the line of a key is found', () => {
  test('at the top, behind comments and empty lines', () => {
    check(
      ['# first = 1', '', 'a = 1 #@ ["a"]', '  b="x#y" #@ ["b"]', 'c = true #@ ["c"]', '# [t]', 'd = 1979-05-27 07:32:00 #@ ["d"]'].join(
        '\n',
      ),
    );
  });

  test('in tables, their sub-tables and dotted keys', () => {
    check(
      [
        '[a] #@ ["a"]',
        'x = 1 #@ ["a","x"]',
        'y.z = 2 #@ ["a","y","z"]',
        '[ b . c ] #@ ["b","c"]',
        'x = 1 #@ ["b","c","x"]',
        '[b] ',
        'q = 1 #@ ["b","q"]',
      ].join('\n'),
    );
  });

  test('in arrays of tables, counted, and in the sub-tables of their last one', () => {
    check(
      [
        '[[p]] #@ ["p",0]',
        'id = "a" #@ ["p",0,"id"]',
        '[p.env] #@ ["p",0,"env"]',
        'x = 1 #@ ["p",0,"env","x"]',
        '[[p]] #@ ["p",1]',
        'id = "b" #@ ["p",1,"id"]',
        '[[p.q]] #@ ["p",1,"q",0]',
        '[[p.q]] #@ ["p",1,"q",1]',
        'x = 1 #@ ["p",1,"q",1,"x"]',
      ].join('\n'),
    );
  });

  test('in lists and inline tables over several lines', () => {
    check(
      [
        'list = [ # ] #@ ["list"]',
        '  1, #@ ["list",0]',
        '  # 2,',
        '  [3, 4], #@ ["list",1,1]',
        '  { id = "x", of = [1,',
        '     2] }, #@ ["list",2,"of",1]',
        ']',
        'after = {a.b = 1, "c d" = "}"} #@ ["after","c d"]',
        'last = 1 #@ ["last"]',
      ].join('\n'),
    );
  });

  test('behind strings that hold what looks like TOML', () => {
    check(
      [
        'a = "\\" = [x]" #@ ["a"]',
        'b = \'C:\\\' #@ ["b"]',
        'c = """',
        '[no]',
        'no = 1 \\""" no',
        '"""""',
        "d = '''",
        "no = '' ",
        "''''' ",
        'e = "" #@ ["e"]',
        'f = \'\' #@ ["f"]',
        '"g.h" = 1 #@ ["g.h"]',
        '"\\u00e9" . \'k l\' = 1 #@ ["é","k l"]',
      ].join('\n'),
    );
  });

  test('with line ends of two characters', () => {
    const lineOf = locateToml('a = 1\r\n[t]\r\nb = [\r\n1,\r\n2]\r\nc = 1\r\n');
    expect([lineOf(['a']), lineOf(['t', 'b', 1]), lineOf(['t', 'c'])]).toEqual([1, 5, 6]);
  });
});

test('what is missing is looked for in the table around it', () => {
  const lineOf = locateToml('a = 1\n\n[[p]]\nx = 1\n[[p]]\n');
  expect([lineOf(['p', 1, 'id']), lineOf(['nowhere']), lineOf([])]).toEqual([5, 1, 1]);
});

interface Line {
  readonly text: string;
  readonly path: Path;
}

const KEY = fc.constantFrom('a', 'b-c', 'd_1', '"e f"', "'g.h'", '"\\"#="');
const VALUE = fc.constantFrom(
  '1',
  '"x # [y]"',
  "'z'",
  'true',
  '-1.5e3',
  '[1, 2]',
  '{ k = "}" , l.m = [ "]" ] }',
  '""',
  "''''q'''",
  '"""a"b"""',
  '[\n]',
  '["""\n#\n"""\n, 1]',
);
const FILLER = fc.constantFrom('', ' ', '# [c]', '\t# d = "', '\r');

/** Tables `t0`, `t1`… and entries of the array `p`, each with some keys that differ within it. */
const DOCUMENT = fc.array(
  fc.record({ isList: fc.boolean(), keys: fc.uniqueArray(KEY), values: fc.array(VALUE, { minLength: 6, maxLength: 6 }), filler: FILLER }),
  {
    maxLength: 6,
  },
);

test('every key of a document made at random is found on its line', () => {
  fc.assert(
    fc.property(DOCUMENT, (tables) => {
      const lines: Line[] = [];
      let entries = 0;
      for (const [index, { isList, keys, values, filler }] of tables.entries()) {
        const table: Path = isList ? ['p', entries++] : [`t${index}`];
        lines.push({ text: filler, path: [] }, { text: isList ? '[[p]]' : `[t${index}]`, path: table });
        for (const [at, key] of keys.entries()) {
          const name = Object.keys(parse(`${key} = 1`))[0] ?? '';
          lines.push({ text: `${key} = ${values[at]} # = [`, path: [...table, name] }, { text: filler, path: [] });
        }
      }
      const text = lines.map((line) => `${line.text}\n`).join('');
      parse(text);
      const lineOf = locateToml(text);
      let line = 1;
      for (const { text: own, path } of lines) {
        if (path.length > 0) expect({ path, line: lineOf(path) }).toEqual({ path, line });
        line += own.split('\n').length;
      }
    }),
    { numRuns: 300 },
  );
});
