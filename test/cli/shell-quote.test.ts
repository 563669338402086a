import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandText, shellQuote } from '../../src/cli/shell-quote.js';

test('plain words stay readable', () => {
  expect(['claude', '--model=opus', '/bin/a-b', 'a_b.c:1,2@%+'].map(shellQuote)).toEqual([
    'claude',
    '--model=opus',
    '/bin/a-b',
    'a_b.c:1,2@%+',
  ]);
});

test('no words are no command, one word is shell text as it stands, several are a program and its arguments', () => {
  expect(commandText([])).toBeUndefined();
  expect(commandText(['make test && make run'])).toBe('make test && make run');
  expect(commandText(['echo', '$HOME', "it's"])).toBe("echo '$HOME' 'it'\\''s'");
});

test('C4: a program gets exactly the arguments that were typed', () => {
  const word = fc.string({ unit: fc.constantFrom(...'ab \'"\\$`!*?[]{}()<>|&;#~=%\n\té😀'), maxLength: 8 });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
      const text = commandText(['printf', '%s\\0', ...words]) ?? '';
      const got = execFileSync('/bin/sh', ['-c', text], { encoding: 'utf8' }).split('\0').slice(0, -1);
      expect(got).toEqual(words);
    }),
    { numRuns: 60 },
  );
});

test('a first word that looks like an assignment is still a program', () => {
  expect(commandText(['A=1', 'b'])).toBe("'A=1' b");
});
