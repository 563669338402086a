import { isPlainText, MaestroError } from '../../protocol/index.js';

/** One tmux command as control mode takes it, and the number of reply blocks that it gives when it succeeds. */
export interface Command {
  readonly text: string;
  readonly replies: number;
}

export function command(...words: readonly string[]): Command {
  return { text: words.map(quote).join(' '), replies: 1 };
}

/** Runs one of two commands, decided by the server in the same step. Both give the same number of replies. */
export function either(condition: string, target: string, then: Command, otherwise: Command): Command {
  const { text } = command('if-shell', '-F', '-t', target, condition, then.text, otherwise.text);
  return { text, replies: 1 + then.replies };
}

const PLAIN = /^[A-Za-z0-9_./-]+$/;

/**
 * One word of a tmux command line. Nothing is special inside tmux's single quotes but the quote itself; a newline would end the line, so
 * it goes as `\n` of a double-quoted part. NUL and ill-formed text cannot be said at all: tmux would cut the word there and run the rest.
 */
export function quote(word: string): string {
  if (PLAIN.test(word)) return word;
  if (!isPlainText(word))
    throw new MaestroError('invalid_request', 'A text for tmux holds NUL or is not valid Unicode; remove that character');
  return `'${word.replaceAll("'", "'\\''").replaceAll('\n', `'"\\n"'`)}'`;
}

/** One word for sh. */
export function shellQuote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** How the command of every pipe starts. */
export const PIPE_PROGRAM = 'exec cat >';

/**
 * What a pipe's shell runs to copy into `fifo`. The empty quotes behind each `#` keep it apart from a `[`: tmux leaves `##[` as it is
 * where it turns any other `##` into `#`.
 */
export function pipeShellText(fifo: string): string {
  return `${PIPE_PROGRAM}${shellQuote(fifo).replaceAll('#', "#''")}`;
}

/** The same as pipe-pane takes it: tmux expands formats and strftime in it before sh sees it, so `#` and `%` are doubled. */
export function pipeCommand(fifo: string): string {
  return pipeShellText(fifo).replaceAll('#', '##').replaceAll('%', '%%');
}
