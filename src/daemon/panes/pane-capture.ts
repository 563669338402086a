import { invariant } from '../invariant.js';
import type { CaptureOptions } from './panes.js';
import { type Command, command } from './tmux-quote.js';

const BUFFER = 'maestro-capture';
const SHOW = command('show-buffer', '-b', BUFFER);
/** Behind the captures: shows a lone backslash, and leaves no buffer. */
const PROBE = [command('set-buffer', '-b', BUFFER, '\\'), SHOW, command('delete-buffer', '-b', BUFFER)];
const BACKSLASH = 0x5c;

/**
 * Prints what `capture-pane` with each of these words shows, for {@link captured}. They come first in their line.
 *
 * By way of a paste buffer: up to 3.5a tmux never frees what `capture-pane -p` prints to a control client, half a megabyte for a full
 * history. Some versions show a buffer with escapes (3.3a), others as it is (3.5a); how a lone backslash comes out tells which.
 */
export function captureCommands(...captures: readonly (readonly string[])[]): Command[] {
  return [...captures.flatMap((words) => [command('capture-pane', '-b', BUFFER, ...words), SHOW]), ...PROBE];
}

/** Captures the screen, and above it so much of the history. */
export function screenCommands(paneId: string, { ansi, history }: CaptureOptions): Command[] {
  return captureCommands(['-J', ...(ansi ? ['-e'] : []), '-S', history === 0 ? '0' : `-${history}`, '-t', paneId]);
}

/**
 * What `count` captures showed, by the reply to a line that starts with them; the newline of the last line is left out. A capture of
 * nothing, as `-q` allows, comes out as the one before it.
 */
export function captured(bodies: readonly Buffer[], count: number): Buffer[] {
  const probe = bodies[2 * count + 1];
  invariant(probe, 'each command of a capture has its reply');
  const plain = probe.length === 1 ? (body: Buffer) => body : unescaped;
  return bodies
    .slice(0, 2 * count)
    .filter((_, index) => index % 2 === 1)
    .map((body) => withoutNewline(plain(body)));
}

function withoutNewline(text: Buffer): Buffer {
  return text.at(-1) === 0x0a ? text.subarray(0, -1) : text;
}

/** Undoes the escapes of vis(3) that a capture can have: three octal digits for a control character, else the character itself. */
function unescaped(body: Buffer): Buffer {
  const text = Buffer.allocUnsafe(body.length);
  let length = 0;
  let from = 0;
  for (let at = body.indexOf(BACKSLASH); at >= 0; at = body.indexOf(BACKSLASH, from)) {
    length += body.copy(text, length, from, at);
    const isOctal = isDigit(body[at + 1]);
    text[length] = isOctal ? Number.parseInt(body.toString('latin1', at + 1, at + 4), 8) : (body[at + 1] ?? BACKSLASH);
    length += 1;
    from = at + (isOctal ? 4 : 2);
  }
  length += body.copy(text, length, from);
  return text.subarray(0, length);
}

function isDigit(byte = 0): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
