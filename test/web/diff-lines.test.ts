import { describe, expect, test } from 'vitest';
import { readHunks } from '../../src/web/changes/diff-lines.js';
import { changedWords } from '../../src/web/changes/word-change.js';
import { aDiff, aHunk } from './diff-sample.js';

const HUNK = aHunk([' one', '-two', '-three', '+TWO', ' four', '+five', '\\ No newline at end of file'], {
  old: 10,
  now: 12,
  section: 'f()',
});

describe('the lines of a hunk', () => {
  const [hunk] = readHunks(aDiff('a.ts', [HUNK]));

  test('have their number on each side that has them', () => {
    expect(hunk?.lines.map(({ sign, old, now, text }) => [sign, old, now, text])).toEqual([
      [' ', 10, 12, 'one'],
      ['-', 11, undefined, 'two'],
      ['-', 12, undefined, 'three'],
      ['+', undefined, 13, 'TWO'],
      [' ', 13, 14, 'four'],
      ['+', undefined, 15, 'five'],
    ]);
  });

  test('say where the file ends without the end of a line', () => {
    expect(hunk?.lines.map(({ endsFile }) => endsFile)).toEqual([false, false, false, false, false, true]);
  });

  test('stand under the range as diff writes it', () => {
    expect(hunk).toMatchObject({ range: '@@ -10,4 +12,4 @@', section: 'f()' });
  });

  test('keep what is text, also where it looks like a mark of diff', () => {
    const [odd] = readHunks(aDiff('a', [aHunk(['+++ b', '--- a', ' ', '+'])]));
    expect(odd?.lines.map(({ sign, text }) => sign + text)).toEqual(['+++ b', '--- a', ' ', '+']);
  });

  test('are coloured each with the other lines of its side', async () => {
    const [comment] = readHunks(aDiff('a.ts', [aHunk([' /* begins', '-ends */ let a;', '+still', '+ends */ let b;', ' let c;'])]));
    const colors = await Promise.all(
      (comment?.lines ?? []).map(async ({ side, at }) => {
        await new Promise<void>((colored) => {
          const stop = side.watch(at, () => {
            stop();
            colored();
          });
          if (side.tokens(at) !== undefined) colored();
        });
        return side.tokens(at)?.map(({ color, text }) => `${color ?? '-'}:${text}`);
      }),
    );
    expect(colors).toEqual([
      ['hljs-comment:/* begins'],
      ['hljs-comment:ends */', '-: ', 'hljs-keyword:let', '-: a;'],
      ['hljs-comment:still'],
      ['hljs-comment:ends */', '-: ', 'hljs-keyword:let', '-: b;'],
      ['hljs-keyword:let', '-: c;'],
    ]);
  });
});

describe('what changed within a line', () => {
  const changed = (before: string, after: string) => {
    const words = changedWords(before, after);
    return words && [before.slice(words.before.start, words.before.end), after.slice(words.after.start, words.after.end)];
  };

  test('is told in whole words', () => {
    expect(changed('const timeout = 200;', 'const timeout = 250;')).toEqual(['200', '250']);
    expect(changed('call(a, b);', 'call(a, b, c);')).toEqual(['', ', c']);
    expect(changed('größe = 1', 'grösse = 1')).toEqual(['größe', 'grösse']);
  });

  test('is not told where two lines have little in common', () => {
    expect(changed('return undefined;', 'if (x > 3) {')).toBeUndefined();
    expect(changed('', 'x')).toBeUndefined();
  });

  test('is not looked for in a very long line', () => {
    expect(changedWords('x'.repeat(3000), `${'x'.repeat(2999)}y`)).toBeUndefined();
  });

  test('is marked in the first of the old lines against the first of the new ones', () => {
    const [hunk] = readHunks(
      aDiff('a', [aHunk(['-let a = 1;', '-let b = 1;', '+let a = 2;', '+let b = 2;', '+let c = 2;', ' z', '+let d = 3;'])]),
    );
    expect(hunk?.lines.map(({ text, words }) => words && text.slice(words.start, words.end))).toEqual([
      '1',
      '1',
      '2',
      '2',
      undefined,
      undefined,
      undefined,
    ]);
  });
});
