import { ByteSet } from './byte-set.js';
import { BEL, CAN, ESC, SUB } from './vt-parser.js';

export const PROGRAM_STATES = ['idle', 'working', 'blocked', 'done', 'error', 'clear'] as const;
export type ProgramState = (typeof PROGRAM_STATES)[number];

/**
 * What a program says of itself by `ESC ] 7501 ; key=value : key=value ... ST` (Program Status Protocol, revision 0.4). `title` and
 * `msg` are decoded. A value that is not what its key wants counts as not given; unknown keys are passed over.
 */
export interface ProgramStatus {
  readonly state: ProgramState;
  /** What it is blocked by: `permission`, `question` or `auth`. */
  readonly kind?: string;
  readonly app?: string;
  readonly id?: string;
  readonly title?: string;
  readonly msg?: string;
}

export type ProgramEvent =
  | { readonly type: 'status'; readonly status: ProgramStatus }
  /** OSC 0 or 2, without control characters; not when it is the same as the one before. */
  | { readonly type: 'title'; readonly title: string };

/** A longer string is dropped, whatever it is. */
const MOST_BYTES = 4096;
const START = Buffer.from('\x1b]');
const ENDS = new ByteSet(BEL, ESC, CAN, SUB);
const OSC_INTRODUCER = 0x5d;
const WANTED = ['7501;', '0;', '2;'] as const;
const SEVEN = 0x37;
const FIVE = 0x35;
const SEMICOLON = 0x3b;
const FIRST = new ByteSet(0x30, 0x32, SEVEN);
/** U+009C ends a string too. */
const C1_TERMINATOR = '\u009c';
const CONTROLS = /\p{Cc}/gu;
const TOKEN = /^[\x21-\x7e]{1,256}$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Finds program statuses and titles in raw output, however it is cut into chunks.
 *
 * `ESC ]` starts such a string wherever it stands, as an ESC ends whatever came before it. So one that is wrapped for tmux, as
 * `ESC P tmux; ESC ESC ] ... ESC ESC \ ESC \`, needs no rule of its own. Only the form in seven bits is known, as no program writes
 * another. Text without strings costs one search for two bytes; at most 4 KiB are held.
 */
export class ProgramStatusParser {
  readonly #onEvent: (event: ProgramEvent) => void;
  /** What has come of the string under way, one character a byte. */
  #payload: string | undefined;
  #endsInEscape = false;
  /** As it came, so that it is decoded only when it has changed. */
  #lastTitle: string | undefined;

  constructor(onEvent: (event: ProgramEvent) => void) {
    this.#onEvent = onEvent;
  }

  /** Takes a chunk, which the caller may reuse. */
  feed(bytes: Buffer): void {
    if (bytes.length === 0) return;
    let at = 0;
    if (this.#payload !== undefined) at = this.#collect(bytes, 0);
    else if (this.#endsInEscape && bytes[0] === OSC_INTRODUCER) at = this.#collect(bytes, 1);
    while (at < bytes.length) {
      const start = bytes.indexOf(START, at);
      if (start < 0) break;
      at = this.#collect(bytes, start + START.length);
    }
    this.#endsInEscape = bytes[bytes.length - 1] === ESC;
  }

  /** Takes the payload that starts or goes on at `from`, and tells where to search on. */
  #collect(bytes: Buffer, from: number): number {
    const held = this.#payload ?? '';
    this.#payload = undefined;
    if (held === '' && isOther(bytes, from)) return from;
    const end = ENDS.indexIn(bytes, from, bytes.length);
    if (held.length + end - from > MOST_BYTES) return end;
    const payload = held + bytes.toString('latin1', from, end);
    if (!isWanted(payload)) return end;
    if (end === bytes.length) this.#payload = payload;
    else if (bytes[end] === BEL || bytes[end] === ESC) this.#emit(payload);
    return end;
  }

  #emit(payload: string): void {
    if (payload.startsWith('7501;')) {
      const status = programStatusOf(payload.slice(5));
      if (status !== undefined) this.#onEvent({ type: 'status', status });
    } else if (payload[1] === ';' && payload !== this.#lastTitle) {
      this.#lastTitle = payload;
      const [title = ''] = Buffer.from(payload, 'latin1').toString().slice(2).split(C1_TERMINATOR, 1);
      this.#onEvent({ type: 'title', title: title.replace(CONTROLS, '') });
    }
  }
}

/** True for a number that cannot be one of those looked for, by its first two digits; so that long strings of others are not read. */
function isOther(bytes: Buffer, at: number): boolean {
  const first = bytes[at];
  const second = bytes[at + 1];
  if (first === undefined) return false;
  return !FIRST.has(first) || (second !== undefined && second !== (first === SEVEN ? FIVE : SEMICOLON));
}

/** True as long as it may become, or is, one of those looked for. */
function isWanted(head: string): boolean {
  return WANTED.some((prefix) => (head.length < prefix.length ? prefix.startsWith(head) : head.startsWith(prefix)));
}

/** By the fields behind `7501;`. Undefined for a query, and for a state that nobody knows. */
export function programStatusOf(fields: string): ProgramStatus | undefined {
  const values = new Map<string, string>();
  for (const field of fields.split(':', 32)) {
    const equals = field.indexOf('=');
    if (equals > 0) values.set(field.slice(0, equals), field.slice(equals + 1));
  }
  const state = PROGRAM_STATES.find((known) => known === values.get('state'));
  if (state === undefined) return undefined;
  const [kind, app, id] = ['kind', 'app', 'id'].map((key) => token(values.get(key)));
  const [title, msg] = ['title', 'msg'].map((key) => decoded(values.get(key)));
  return {
    state,
    ...(kind === undefined ? {} : { kind }),
    ...(app === undefined ? {} : { app }),
    ...(id === undefined ? {} : { id }),
    ...(title === undefined ? {} : { title }),
    ...(msg === undefined ? {} : { msg }),
  };
}

function token(value: string | undefined): string | undefined {
  return value !== undefined && TOKEN.test(value) ? value : undefined;
}

function decoded(value: string | undefined): string | undefined {
  if (value === undefined || value === '' || !BASE64.test(value)) return undefined;
  try {
    return strictUtf8.decode(Buffer.from(value, 'base64'));
  } catch {
    return undefined;
  }
}
