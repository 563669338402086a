import { characterKey, controlKey, functionKey, paramsOf } from './key-name.js';

/**
 * What the user's terminal sent, in one piece.
 *
 * - `key`: a key was pressed; `name` is tmux's word for it, such as `C-b`, `M-a`, `F5` or `d`; undefined for keys that never matter
 * - `text`: characters, one or many, none of which is a control character
 * - `report`: no key: a mouse, focus or modifier event, or a key that was let go
 * - `paste`: the beginning, the end or content of a bracketed paste
 */
export interface Typed {
  readonly kind: 'key' | 'text' | 'report' | 'paste';
  readonly bytes: Buffer;
  readonly name?: string | undefined;
}

const ESC = 0x1b;
const SPACE = 0x20;
const DELETE = 0x7f;
const CSI = 0x5b;
const SS3 = 0x4f;
/** Longer than any sequence that a key sends. */
const LONGEST = 64;
/** In the oldest encoding, with three bytes of any value behind it. */
const MOUSE = '\x1b[M';
const MOUSE_LENGTH = 6;
/** In bytes of UTF-8. */
const LONGEST_CHARACTER = 4;
const PASTE_START = '\x1b[200~';
const PASTE_END = Buffer.from('\x1b[201~');

/** Behind the character that begins at `at`, or behind a byte that begins none; undefined while it is not all there. */
export function characterEnd(bytes: Buffer, at: number): number | undefined {
  const wanted = at + characterLength(bytes[at] as number);
  for (let end = at + 1; end < wanted; end++) {
    if (end === bytes.length) return undefined;
    if (!isContinuation(bytes[end] as number)) return end;
  }
  return wanted;
}

function characterLength(lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** Takes apart what a terminal sends, however it is cut into reads. Nothing is lost or changed: the pieces together are the input. */
export class KeyDecoder {
  #held: Buffer = Buffer.alloc(0);
  #inPaste = false;

  /** An unfinished sequence is held back; it may be a lone Escape, so after a moment call {@link flush}. */
  get isHolding(): boolean {
    return this.#held.length > 0;
  }

  *feed(bytes: Buffer): Generator<Typed> {
    let rest = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    this.#held = Buffer.alloc(0);
    while (rest.length > 0) {
      const typed = this.#inPaste ? this.#pasted(rest) : this.#next(rest);
      if (typed === undefined) {
        this.#held = rest;
        return;
      }
      rest = rest.subarray(typed.bytes.length);
      yield typed;
    }
  }

  /** What is held back, as it is. */
  flush(): Typed | undefined {
    const bytes = this.#held;
    this.#held = Buffer.alloc(0);
    if (bytes.length === 0) return undefined;
    if (this.#inPaste) return { kind: 'paste', bytes };
    if (bytes[0] !== ESC) return { kind: 'text', bytes };
    return { kind: 'key', bytes, name: bytes.length === 1 ? 'Escape' : undefined };
  }

  /** The paste up to its end mark. What may be the beginning of one is held back. */
  #pasted(bytes: Buffer): Typed | undefined {
    const at = bytes.indexOf(PASTE_END);
    if (at >= 0) {
      this.#inPaste = false;
      return { kind: 'paste', bytes: bytes.subarray(0, at + PASTE_END.length) };
    }
    let tail = Math.min(bytes.length, PASTE_END.length - 1);
    while (tail > 0 && !bytes.subarray(-tail).equals(PASTE_END.subarray(0, tail))) tail -= 1;
    return tail === bytes.length ? undefined : { kind: 'paste', bytes: bytes.subarray(0, bytes.length - tail) };
  }

  #next(bytes: Buffer): Typed | undefined {
    const first = bytes[0] as number;
    if (first === ESC) return this.#escape(bytes);
    if (first < SPACE || first === DELETE) return { kind: 'key', bytes: bytes.subarray(0, 1), name: controlKey(first) };
    const end = bytes.findIndex((byte) => byte < SPACE || byte === DELETE);
    return end < 0 ? this.#lastText(bytes) : { kind: 'text', bytes: bytes.subarray(0, end) };
  }

  /** A character that the read cut in two is held back: the leader before it takes it as a whole. */
  #lastText(bytes: Buffer): Typed | undefined {
    let last = bytes.length - 1;
    while (last > 0 && bytes.length - last < LONGEST_CHARACTER && isContinuation(bytes[last] as number)) last -= 1;
    if (characterEnd(bytes, last) !== undefined) return { kind: 'text', bytes };
    return last === 0 ? undefined : { kind: 'text', bytes: bytes.subarray(0, last) };
  }

  #escape(bytes: Buffer): Typed | undefined {
    const second = bytes[1];
    if (second === undefined) return undefined;
    if (second === ESC) return { kind: 'key', bytes: bytes.subarray(0, 1), name: 'Escape' };
    if (second === CSI) return this.#control(bytes);
    if (second === SS3)
      return bytes.length < 3 ? undefined : key(bytes.subarray(0, 3), functionKey('', String.fromCharCode(bytes[2] as number)));
    const end = characterEnd(bytes, 1);
    if (end === undefined) return undefined;
    const plain = second < SPACE || second === DELETE ? controlKey(second) : end > 2 ? undefined : characterKey(second, 0);
    return key(bytes.subarray(0, end), plain === undefined ? undefined : `M-${plain}`);
  }

  #control(bytes: Buffer): Typed | undefined {
    const from = bytes[2] === CSI ? 3 : 2; // the function keys of the Linux console begin with two brackets
    const end = bytes.findIndex((byte, at) => at >= from && (byte < SPACE || byte >= 0x40));
    if (end < 0) return bytes.length > LONGEST ? key(bytes.subarray(0, LONGEST), undefined) : undefined;
    if ((bytes[end] as number) < SPACE) return key(bytes.subarray(0, end), undefined); // cut off by another key
    const sequence = bytes.subarray(0, end + 1);
    const text = sequence.toString('latin1');
    if (text === MOUSE) return bytes.length < MOUSE_LENGTH ? undefined : { kind: 'report', bytes: bytes.subarray(0, MOUSE_LENGTH) };
    if (text === PASTE_START) {
      this.#inPaste = true;
      return { kind: 'paste', bytes: sequence };
    }
    return isReport(text) ? { kind: 'report', bytes: sequence } : key(sequence, functionKey(text.slice(2, -1), text.slice(-1)));
  }
}

function key(bytes: Buffer, name: string | undefined): Typed {
  return { kind: 'key', bytes, name };
}

/** Mouse, focus, and in the kitty keyboard protocol the release of a key and the modifier keys themselves. */
function isReport(sequence: string): boolean {
  if (/^\x1b\[(?:<[\d;]*[Mm]|[IO])$/.test(sequence)) return true;
  const { code, event } = paramsOf(sequence.slice(2, -1));
  return event === 3 || (sequence.endsWith('u') && ((code >= 57441 && code <= 57454) || (code >= 57358 && code <= 57360)));
}
