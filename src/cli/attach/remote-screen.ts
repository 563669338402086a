import type { Size } from '../../protocol/index.js';
import { displayWidth } from '../display-width.js';
import { AlternateScreen } from './alternate-screen.js';
import { HostCommandFilter } from './host-command-filter.js';
import { MODES_OFF } from './terminal-guard.js';
import { TerminalWriter } from './terminal-writer.js';

export interface RemoteScreenOptions {
  readonly fd: number;
  size(): Size;
  /** The terminal is slow: no more output for now. */
  onFull(): void;
  onDrained(): void;
}

/** Ends a sequence that was cut off, so that what follows is not taken for its rest. */
const CANCEL = '\x18';
/** What a program that writes straight to the terminal may leave behind, beside {@link MODES_OFF}. */
const MORE_OFF = [
  '\x1b[?2026l',
  '\x1b[<u\x1b[=0u', // kitty's extended keys, however often they were pushed
  '\x1b[?9l\x1b[?1016l', // mouse reports
  '\x1b[?2031l\x1b[?2048l', // reports of the colour scheme and of the size
  '\x1b[?5l\x1b[20l', // reverse video, new line mode
  '\x1b)B\x1b[0 q', // character set G1, cursor shape
  '\x1b]8;;\x1b\\', // an open hyperlink
  '\x1b]110\x1b\\\x1b]111\x1b\\\x1b]112\x1b\\', // default colours
].join('');
const ALTERNATE_OFF = '\x1b[<u\x1b[=0u\x1b[r\x1b[?1049l';
const TITLE_SAVED = '\x1b[22;0t';
const TITLE_RESTORED = '\x1b[23;0t';
const FOOT = '\x1b[999;1H';

/** The user's terminal while it shows the output of a session as it comes. */
export class RemoteScreen {
  readonly #writer: TerminalWriter;
  readonly #options: RemoteScreenOptions;
  readonly #alternate = new AlternateScreen();
  readonly #filter = new HostCommandFilter();

  constructor(options: RemoteScreenOptions) {
    this.#options = options;
    const { fd, onFull, onDrained } = options;
    this.#writer = new TerminalWriter({ fd, onFull, onDrained, onWrite: (piece) => this.#alternate.feed(piece) });
  }

  /** Scrolls what the terminal shows into its history, without a line more, as a replay begins on an empty screen. */
  begin(): void {
    this.#writer.write(`${TITLE_SAVED}\r${'\n'.repeat(Math.max(0, this.#options.size().rows - 1))}\x1b[H\x1b[J`);
  }

  output(bytes: Uint8Array): void {
    this.#writer.write(this.#filter.feed(bytes));
  }

  /** Empties the terminal, with its history: all of it comes again, and nothing may be there twice. */
  reset(): void {
    this.#writer.write(`${CANCEL}${ALTERNATE_OFF}${MODES_OFF}${MORE_OFF}\x1b[?6l\x1b[r\x1b[H\x1b[2J\x1b[3J`);
  }

  /** Writes over the last line. Only a fresh replay brings back what was there. */
  notice(text: string): void {
    const { cols } = this.#options.size();
    this.#writer.write(`${CANCEL}\x1b7\x1b[?6l\x0f\x1b(B${FOOT}\x1b[0m\x1b[2K\x1b[7m${cut(` ${text} `, cols - 1)}\x1b[0m\x1b8`);
  }

  bell(): void {
    this.#writer.write('\x07');
  }

  /** Waits for what is on its way to the terminal; what only waits for it is dropped unless it is to be `complete`. */
  async end({ complete, withinMs }: { readonly complete: boolean; readonly withinMs: number }): Promise<void> {
    if (!complete) this.#writer.discard();
    await this.#writer.settled(withinMs);
  }

  /** What puts the terminal back, ahead of {@link MODES_OFF}: the normal screen, with the cursor on a free line below all that is shown. */
  leave(): string {
    const alternate = this.#alternate.isOn ? ALTERNATE_OFF : '';
    return `${CANCEL}${alternate}${MORE_OFF}\x1b7\x1b[r\x1b8${FOOT}\x1b[0m\r\n${TITLE_RESTORED}`;
  }
}

function cut(text: string, cols: number): string {
  let kept = '';
  for (const character of text) {
    if (displayWidth(kept + character) > cols) break;
    kept += character;
  }
  return kept;
}
