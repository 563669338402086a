import { ByteSet } from './byte-set.js';
import { STATE, VT, VtParser } from './vt-parser.js';

/** Taller than any pane: rows from here on are the last one, and so many columns to the left is the first. */
const BEYOND_SCREEN = 500;

const CONTROLS = new ByteSet(...Array.from({ length: 0x20 }, (_, byte) => byte), 0x7f);

interface Cursor {
  /** Rows below where the output began, less those above. */
  readonly row: number;
  readonly atLineStart: boolean;
  /** False once it was put somewhere by screen coordinates, which have no place on that count. */
  readonly isKnown: boolean;
}

const AT_START: Cursor = { row: 0, atLineStart: true, isKnown: true };
const LOST: Cursor = { ...AT_START, isKnown: false };

/**
 * What brings the cursor, after `output` in a reset terminal, to the start of an empty line below all that was written; empty if it is
 * there. A program that died while it drew has its cursor anywhere, and what follows must not overwrite what it left.
 */
export function freshLineAfter(output: Buffer): string {
  const follower = new CursorFollower();
  follower.feed(output);
  const { cursor, lowest } = follower;
  if (!cursor.isKnown) return `\x1b[${BEYOND_SCREEN};1H\r\n`;
  if (cursor.row > lowest) return cursor.atLineStart ? '' : '\r';
  return cursor.row === lowest ? '\r\n' : `\x1b[${lowest - cursor.row}B\r\n`;
}

/** Follows the cursor as far as that goes without knowing the size of the screen. */
class CursorFollower {
  readonly #parser = new VtParser();
  cursor = AT_START;
  /** The lowest row with anything written to it. */
  lowest = -1;
  #saved = LOST;
  /** The cursor on the normal screen while the alternate one is shown. */
  #behind: Cursor | undefined;
  #isBlank = true;

  feed(output: Buffer): void {
    for (let i = 0; i < output.length; i++) {
      if (this.#parser.state === STATE.ground) i = this.#text(output, i);
      if (i < output.length) this.#step(output[i] as number);
    }
  }

  /** Passes over printable bytes, and tells where they end. */
  #text(output: Buffer, from: number): number {
    const end = CONTROLS.indexIn(output, from, output.length);
    if (end === from) return end;
    if (this.#behind === undefined) this.lowest = Math.max(this.lowest, this.cursor.row);
    this.#isBlank = false;
    if (this.cursor.atLineStart) this.#move({ atLineStart: false });
    return end;
  }

  #step(byte: number): void {
    const event = this.#parser.step(byte);
    if (event === VT.text || event === VT.control) this.#character(byte);
    else if (event === VT.escape && this.#parser.intermediates === 0) this.#escape(String.fromCharCode(this.#parser.final));
    else if (event === VT.csi && this.#parser.intermediates === 0) this.#control();
  }

  #character(byte: number): void {
    if (byte === 0x0d) this.#move({ atLineStart: true });
    else if (byte >= 0x0a && byte <= 0x0c) this.#down(1, true);
    else if (byte === 0x09) this.#move({ atLineStart: false });
  }

  #escape(final: string): void {
    if (final === '7') this.#saved = this.cursor;
    else if (final === '8') this.cursor = this.#saved;
    else if (final === 'D' || final === 'E') this.#down(1, true);
    else if (final === 'M') this.#move({ row: this.cursor.row - 1 });
    else if (final === 'c') this.#clear();
    if (final === 'E') this.#move({ atLineStart: true });
  }

  #control(): void {
    const { prefix, final } = this.#parser;
    const first = this.#parser.param(0);
    if (prefix === 0) this.#plainControl(String.fromCharCode(final), first);
    else if (prefix === 0x3f && (final === 0x68 || final === 0x6c)) this.#privateMode(first, final === 0x68);
  }

  #plainControl(final: string, first: number): void {
    const times = Math.max(1, first);
    switch (final) {
      case 'A':
      case 'F':
        this.#move({ row: this.cursor.row - times, atLineStart: final === 'F' || this.cursor.atLineStart });
        break;
      case 'B':
      case 'E':
      case 'e':
        this.#down(times, false);
        if (final === 'E') this.#move({ atLineStart: true });
        break;
      case 'C':
      case 'D':
        this.#move({ atLineStart: final === 'D' && (first >= BEYOND_SCREEN || this.cursor.atLineStart) });
        break;
      case 'G':
      case '`':
        this.#move({ atLineStart: first <= 1 });
        break;
      case 'H':
      case 'f':
      case 'd':
        this.#jump(first, final === 'd' ? this.cursor.atLineStart : this.#parser.param(1) <= 1);
        break;
      case 'r':
        this.#jump(1, true);
        break;
      case 's':
        this.#saved = this.cursor;
        break;
      case 'u':
        this.cursor = this.#saved;
        break;
      default:
        this.#edit(final, first);
    }
  }

  #edit(final: string, first: number): void {
    if (this.#behind !== undefined) return;
    const { row, atLineStart, isKnown } = this.cursor;
    if (final === 'J' && first === 2) this.#clear();
    else if (final === 'J' && first === 0) {
      this.lowest = isKnown ? Math.min(this.lowest, atLineStart ? row - 1 : row) : row;
      this.#move({ isKnown: true });
    } else if (final === 'K' && row === this.lowest && (first === 2 || (first === 0 && atLineStart))) this.lowest -= 1;
    else if ((final === 'L' || final === 'T') && this.lowest >= row) this.lowest += Math.max(1, first);
  }

  #privateMode(mode: number, on: boolean): void {
    if (mode === 6) this.#jump(1, true);
    if (mode !== 1049 && mode !== 1047 && mode !== 47) return;
    if (on) this.#behind ??= this.cursor;
    else if (this.#behind !== undefined) {
      this.cursor = mode === 1049 ? this.#behind : LOST;
      this.#behind = undefined;
    }
  }

  /** Only a line feed makes a line at the foot of the screen; other moves end there. */
  #down(rows: number, scrolls: boolean): void {
    const { row } = this.cursor;
    this.#move({ row: scrolls ? row + rows : Math.max(row, Math.min(row + rows, this.lowest)) });
  }

  #jump(row: number, atLineStart: boolean): void {
    if (row >= BEYOND_SCREEN) this.cursor = { row: Math.max(this.lowest, this.cursor.row), atLineStart, isKnown: true };
    else if (this.#isBlank) this.cursor = { row: this.lowest + 1, atLineStart, isKnown: true };
    else this.cursor = { ...LOST, atLineStart };
  }

  #clear(): void {
    this.#isBlank = true;
    this.lowest = this.cursor.row - 1;
    this.#move({ isKnown: true });
  }

  #move(change: Partial<Cursor>): void {
    this.cursor = { ...this.cursor, ...change };
  }
}
