import { spawnSync } from 'node:child_process';
import { writeSync } from 'node:fs';

/** What a program may have switched on in a terminal, switched off: none of it moves the cursor or clears anything. */
export const MODES_OFF = [
  '\x1b[?2026l', // synchronised output: first, as all else would wait for its end
  '\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l', // mouse reports
  '\x1b[?1004l', // focus reports
  '\x1b[?2004l', // bracketed paste
  '\x1b[<u\x1b[>4;0m', // kitty's and xterm's extended keys
  '\x1b[?1l\x1b>', // application cursor keys and keypad
  '\x1b[4l\x1b[?7h', // insert mode off, wrapping on
  '\x0f\x1b(B', // ASCII again after line drawing
  '\x1b[?25h', // the cursor
  '\x1b[0m',
].join('');

/** Only where tmux had no chance to do it: on a terminal that is back on its normal screen this would move the cursor. */
const ALTERNATE_SCREEN_OFF = '\x1b[r\x1b[?1049l\r\n';

/** Remembers how the user's terminal was, and puts it back, however the program in it ended. */
export class TerminalGuard {
  readonly #saved: string | undefined;
  readonly #leave: () => string;
  readonly #onExit = () => this.restore({ clean: false });
  #restored: boolean = false;

  /**
   * Covers the terminal on standard input and output from here on, also when this process ends by an error. `leave` gives what else to
   * write where nobody put the terminal back in order.
   */
  constructor(leave: () => string = () => ALTERNATE_SCREEN_OFF) {
    this.#leave = leave;
    const { status, stdout } = spawnSync('stty', ['-g'], { stdio: ['inherit', 'pipe', 'ignore'], encoding: 'utf8' });
    this.#saved = status === 0 ? stdout.trim() : undefined;
    process.once('exit', this.#onExit);
  }

  /** `clean`: tmux ended in order and has left its alternate screen. */
  restore({ clean }: { clean: boolean }): void {
    if (this.#restored) return;
    this.#restored = true;
    process.off('exit', this.#onExit);
    if (this.#saved !== undefined) spawnSync('stty', [this.#saved], { stdio: ['inherit', 'ignore', 'ignore'] });
    try {
      writeSync(1, clean ? MODES_OFF : this.#leave() + MODES_OFF);
    } catch {
      // The terminal is gone.
    }
  }
}
