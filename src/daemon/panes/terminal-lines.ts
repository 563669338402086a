import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { MaestroError } from '../../protocol/index.js';
import type { Pane } from './panes.js';
import { bodiesOf } from './tmux-failure.js';
import type { TmuxLink } from './tmux-link.js';
import { command } from './tmux-quote.js';

const run = promisify(execFile);

/** Bytes of one line, its end not counted, that a terminal keeps for a program that reads lines. */
const LINE_LIMIT = process.platform === 'darwin' ? 1023 : 4095;

/** How long `stty` may take, in milliseconds. */
const STTY_MS = 2000;

/** Line feed, carriage return and Ctrl-D end a line; Ctrl-C and Ctrl-U throw it away. */
const LINE_ENDS = new Set([0x0a, 0x0d, 0x04, 0x03, 0x15]);

/**
 * The lines that input makes in the terminals of panes.
 *
 * A terminal that hands on whole lines silently drops what a line has beyond {@link LINE_LIMIT}, however it is cut into pieces. Programs
 * that read keys switch that off, but not before they have started. So lines are counted, and where one gets too long, and only there,
 * the terminal is asked.
 */
export class TerminalLines {
  readonly #link: TmuxLink;
  /** Bytes behind the last line end that went to a pane. */
  readonly #open = new WeakMap<Pane, number>();

  constructor(link: TmuxLink) {
    this.#link = link;
  }

  /** Counts what is about to be typed. Undefined where it fits in any terminal; else rejects if it does not in this pane's. */
  fits(pane: Pane, bytes: Uint8Array): Promise<void> | undefined {
    let [longest, last] = [0, this.#open.get(pane) ?? 0];
    for (const byte of bytes) {
      last = LINE_ENDS.has(byte) ? 0 : last + 1;
      longest = Math.max(longest, last);
    }
    if (longest > LINE_LIMIT) return this.#askTerminal(pane, longest);
    this.#open.set(pane, last);
    return undefined;
  }

  async #askTerminal(pane: Pane, longest: number): Promise<void> {
    const reply = await this.#link.run([command('display-message', '-p', '-t', pane.paneId, '#{pane_tty}')]);
    const [tty] = bodiesOf(reply, pane.sessionId);
    if (tty !== undefined && (await readsLines(tty.toString()))) throw lineTooLong(pane, longest);
    this.#open.delete(pane);
  }
}

/**
 * True while the terminal hands on whole lines, as for `cat`, and for any program that does not read keys yet. One that cannot be asked
 * counts as one that hands on keys.
 */
async function readsLines(tty: string): Promise<boolean> {
  const flag = process.platform === 'darwin' ? '-f' : '-F';
  try {
    const { stdout } = await run('stty', [flag, tty, '-a'], { timeout: STTY_MS, env: { PATH: process.env.PATH, LC_ALL: 'C' } });
    return /(?:^|\s)icanon\b/.test(stdout);
  } catch {
    return false;
  }
}

function lineTooLong({ sessionId }: Pane, longest: number): MaestroError {
  const why = `its program reads whole lines now, of ${LINE_LIMIT} bytes at most, and this would make one of ${longest}`;
  return new MaestroError(
    'payload_too_large',
    `nothing was typed into session ${sessionId}: ${why}; send shorter lines, or send it again once the program reads keys`,
    { details: { id: sessionId, limit: LINE_LIMIT } },
  );
}
