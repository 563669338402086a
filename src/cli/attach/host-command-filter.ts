const ESC = 0x1b;
const BEL = 0x07;
const BACKSLASH = 0x5c;
const CANCELS: ReadonlySet<number> = new Set([0x18, 0x1a]);
/** The first byte of U+009D, which begins a command too where it is decoded. */
const C1_LEAD = 0xc2;

/** What may be the beginning of an operating system command, up to its number; with controls in between, as terminals skip those. */
const BEGINNING = /^(?:\x1b[\x00-\x06\x08-\x17\x19\x1c-\x1f\x7f]*(?:\]|$)|\xc2(?:\x9d|$))[0-9\x00-\x06\x08-\x17\x19\x1c-\x1f\x7f-\xff]*$/;
/** More than any such beginning needs. */
const LONGEST = 64;

/** Clipboards, and iTerm2's own commands, which also save files. tmux passes none of them on either. */
const HOST_COMMANDS: ReadonlySet<number> = new Set([52, 5522, 1337]);

/**
 * Takes commands for the user's host out of what a program prints: a terminal that shows a session must not let it write the clipboard, and
 * least of all once more with every replay. Everything else passes byte for byte, however the output is cut into pieces.
 */
export class HostCommandFilter {
  /** Bytes that may begin such a command. */
  #held = '';
  #isDropping = false;
  /** Within what is dropped, an ESC that may begin its end. */
  #sawEscape = false;

  feed(bytes: Uint8Array): Uint8Array {
    const isPlain = this.#held === '' && !this.#isDropping;
    if (isPlain && !bytes.includes(ESC) && !bytes.includes(C1_LEAD)) return bytes;
    const kept = Buffer.allocUnsafe(this.#held.length + 1 + bytes.length);
    let length = 0;
    const keep = (text: string): void => {
      length += kept.write(text, length, 'latin1');
    };
    for (const byte of bytes) {
      if (this.#isDropping) this.#drop(byte, keep);
      else if (this.#held !== '') this.#decide(byte, keep);
      else if (byte === ESC || byte === C1_LEAD) this.#held = String.fromCharCode(byte);
      else kept[length++] = byte;
    }
    return kept.subarray(0, length);
  }

  #decide(byte: number, keep: (text: string) => void): void {
    const text = this.#held + String.fromCharCode(byte);
    if (text.length <= LONGEST && BEGINNING.test(text)) this.#held = text;
    else if (byte === ESC || byte === C1_LEAD) {
      keep(this.#held);
      this.#held = String.fromCharCode(byte);
    } else {
      const number = Number(this.#held.replace(/^(?:\x1b|\xc2\x9d)|\D/g, '') || Number.NaN);
      this.#isDropping = byte !== BEL && !CANCELS.has(byte) && (HOST_COMMANDS.has(number) || text.length > LONGEST);
      this.#held = '';
      if (!this.#isDropping) keep(text);
    }
  }

  /** A string ends at BEL, at ESC \, where it is cancelled, or where another sequence begins. */
  #drop(byte: number, keep: (text: string) => void): void {
    if (this.#sawEscape) {
      this.#sawEscape = this.#isDropping = false;
      if (byte === BACKSLASH) return;
      this.#held = '\x1b';
      this.#decide(byte, keep);
    } else if (byte === ESC) this.#sawEscape = true;
    else if (byte === BEL || CANCELS.has(byte)) this.#isDropping = false;
  }
}
