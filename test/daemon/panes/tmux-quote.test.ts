import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { command, pipeShellText, quote, shellQuote } from '../../../src/daemon/panes/tmux-quote.js';

const run = promisify(execFile);

test('plain words stay as they are, all others are quoted', () => {
  expect(command('set-option', '-g', 'status', 'off').text).toBe('set-option -g status off');
  expect(quote('')).toBe("''");
  expect(quote("it's\n$HOME ~ ; #{x}")).toBe(`'it'\\''s'"\\n"'$HOME ~ ; #{x}'`);
  expect(quote('%if')).toBe("'%if'");
});

test.each(['nul \0', 'half \ud800 of a pair'])('C4: %j cannot be said to tmux and is refused', (word) => {
  expect(() => quote(word)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
});

test('a quoted word never ends the line', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }).filter((word) => !word.includes('\0')),
      (word) => !quote(word).includes('\n'),
    ),
  );
});

test('sh reads a quoted word back as it was', async () => {
  const words = ["'", "''", 'a b', '$(touch x)', '`x`', '\\', '"', '\n', '*', '!', 'ü🎉', '-n', '#[', ''];
  const { stdout } = await run('/bin/sh', ['-c', `printf '%s|' ${words.map(shellQuote).join(' ')}`]);
  expect(stdout).toBe(words.map((word) => `${word}|`).join(''));
});

test('sh reads the fifo of a pipe as it is', async () => {
  const path = "/tmp/a'b #[x ##{y} #(z) #";
  const { stdout } = await run('/bin/sh', ['-c', pipeShellText(path).replace('exec cat >', "printf '%s' ")]);
  expect(stdout).toBe(path);
});
