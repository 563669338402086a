import { ByteSet } from './byte-set.js';
import { ModeState } from './mode-state.js';
import { RESET_MODES, type TerminalModes } from './terminal-modes.js';
import { BEL, C1_LEAD, CAN, c1Final, ESC, OSC, STATE, SUB, VT, type VtEvent, VtParser } from './vt-parser.js';

const SHIFT_OUT = 0x0e;
const SHIFT_IN = 0x0f;
const STOPS = new ByteSet(ESC, C1_LEAD, SHIFT_OUT, SHIFT_IN, BEL, CAN, SUB);
/** Enough for titles and links; what is told by a longer string is not followed. */
const MOST_PAYLOAD_BYTES = 2048;

/** The modes that `output` leaves a reset terminal in. */
export function modesAfter(output: Buffer): TerminalModes {
  const tracker = new ModeTracker();
  tracker.feed(output);
  return tracker.modes;
}

/**
 * Follows a stream of output and knows at each point in which modes it leaves a terminal, and whether the point is at *ground*: not
 * inside a sequence, a string or a UTF-8 character. Only at ground may a replay start or end.
 */
export class ModeTracker {
  readonly #parser = new VtParser();
  readonly #state: ModeState;
  #payload: Buffer[] = [];
  #payloadBytes = 0;
  /** Continuation bytes that the character under way still needs. */
  #missing = 0;
  #endsInC1Lead = false;
  /** How many bytes were fed before the chunk under way. */
  #position = 0;
  /** The position at which ground was left, while not at ground. */
  #leftGroundAt = 0;

  constructor(modes: TerminalModes = RESET_MODES) {
    this.#state = new ModeState(modes);
  }

  get modes(): TerminalModes {
    return this.#state.modes;
  }

  get isGround(): boolean {
    return this.#parser.state === STATE.ground && this.#missing === 0 && !this.#endsInC1Lead;
  }

  /** How many bytes were fed since the last point at ground. */
  get unfinishedBytes(): number {
    return this.isGround ? 0 : this.#position - this.#leftGroundAt;
  }

  feed(bytes: Buffer): void {
    this.#feed(bytes, false);
  }

  /** Takes bytes up to the first point at ground, and tells how many that were. */
  feedToGround(bytes: Buffer): number {
    return this.#feed(bytes, true);
  }

  #feed(bytes: Buffer, toGround: boolean): number {
    let i = bytes.length > 0 ? this.#finishCharacter(bytes) : 0;
    while (i < bytes.length && !(toGround && this.isGround)) {
      i = this.#skip(bytes, i);
      if (i < bytes.length) i = this.#step(bytes, i);
    }
    this.#position += i;
    return i;
  }

  /** Completes the character that the last chunk ended in the middle of. */
  #finishCharacter(bytes: Buffer): number {
    if (this.#endsInC1Lead) return this.#finishC1(bytes);
    let i = 0;
    while (i < bytes.length && this.#missing > 0 && isContinuation(bytes[i] as number)) {
      i += 1;
      this.#missing -= 1;
    }
    if (i < bytes.length) this.#missing = 0;
    return i;
  }

  #finishC1(bytes: Buffer): number {
    this.#endsInC1Lead = false;
    const final = c1Final(bytes[0]);
    if (final !== undefined) {
      this.#control(final, -1);
      return 1;
    }
    if (this.#parser.state === STATE.string) this.#collect(Buffer.from([C1_LEAD]));
    return this.#parser.state === STATE.ground && isContinuation(bytes[0] as number) ? 1 : 0;
  }

  /** Passes over bytes that change nothing. */
  #skip(bytes: Buffer, from: number): number {
    const { state } = this.#parser;
    if (state !== STATE.ground && state !== STATE.string) return from;
    const stop = STOPS.indexIn(bytes, from, bytes.length);
    if (state === STATE.string) this.#collect(bytes.subarray(from, stop));
    else if (stop === bytes.length) this.#endInText(bytes, from);
    return stop;
  }

  /** Notes the character that the chunk ends in the middle of. */
  #endInText(bytes: Buffer, from: number): void {
    let lead = bytes.length - 1;
    while (lead > from && lead > bytes.length - 3 && isContinuation(bytes[lead] as number)) lead -= 1;
    const missing = continuationsAfter(bytes[lead] as number) - (bytes.length - 1 - lead);
    if (missing <= 0) return;
    this.#missing = missing;
    this.#leftGroundAt = this.#position + lead;
  }

  #step(bytes: Buffer, at: number): number {
    const byte = bytes[at] as number;
    if (byte !== C1_LEAD) {
      this.#on(this.#parser.step(byte), byte, at);
      return at + 1;
    }
    const final = c1Final(bytes[at + 1]);
    if (final !== undefined) {
      this.#control(final, at);
      return at + 2;
    }
    this.#endsInC1Lead = at + 1 === bytes.length;
    if (this.#parser.state === STATE.ground) this.#leftGroundAt = this.#position + at;
    if (!this.#endsInC1Lead) this.#on(this.#parser.step(byte), byte, at);
    return at + 1;
  }

  /** A C1 control, which is the same as ESC and its final. */
  #control(final: number, at: number): void {
    this.#on(this.#parser.step(ESC), ESC, at);
    this.#on(this.#parser.step(final), final, at);
  }

  #on(event: VtEvent, byte: number, at: number): void {
    switch (event) {
      case VT.text:
      case VT.control:
        if (byte === SHIFT_OUT || byte === SHIFT_IN) this.#state.shiftTo(byte === SHIFT_OUT ? 1 : 0);
        break;
      case VT.begin:
        if (this.#parser.broken === STATE.ground) this.#leftGroundAt = this.#position + at;
        else if (this.#parser.broken === STATE.string) this.#endString();
        break;
      case VT.escape:
        this.#state.escape(this.#parser);
        break;
      case VT.csi:
        this.#state.control(this.#parser);
        break;
      case VT.string:
        this.#payload = [];
        this.#payloadBytes = 0;
        break;
      case VT.payload:
        this.#collect(Buffer.from([byte]));
        break;
      case VT.end:
        if (byte === BEL) this.#endString();
    }
  }

  #collect(bytes: Buffer): void {
    if (this.#parser.kind !== OSC) return;
    this.#payloadBytes += bytes.length;
    if (bytes.length > 0 && this.#payloadBytes <= MOST_PAYLOAD_BYTES) this.#payload.push(Buffer.from(bytes));
  }

  #endString(): void {
    if (this.#parser.kind === OSC && this.#payloadBytes <= MOST_PAYLOAD_BYTES) this.#state.command(Buffer.concat(this.#payload).toString());
    this.#payload = [];
  }
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** How many bytes a character has after its first. U+0080 to U+00BF are handled on their own. */
function continuationsAfter(lead: number): number {
  if (lead < 0xc3 || lead > 0xf4) return 0;
  if (lead < 0xe0) return 1;
  return lead < 0xf0 ? 2 : 3;
}
