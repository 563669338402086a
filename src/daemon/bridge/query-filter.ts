import { ByteSet } from './byte-set.js';
import { harmlessControlEnd } from './control-queries.js';
import { QueryMatcher, VERDICT } from './query-matcher.js';
import { BEL, C1_LEAD, CAN, c1Final, ENQ, ESC, SUB } from './vt-parser.js';

/** Enough for every query that is one; what is longer goes out as it comes. */
const MOST_HELD_BYTES = 4096;
/** All that can matter outside of a sequence, or inside a string that goes out. */
const STOPS = new ByteSet(ESC, C1_LEAD, ENQ, BEL, CAN, SUB);
const NONE = -1;
const NOTHING: Buffer = Buffer.alloc(0);
const C1_LEAD_BYTE = Buffer.from([C1_LEAD]);
const CANCEL = Buffer.from([CAN]);
/** Does nothing outside of a sequence, and ends any unfinished one. */
const STRING_TERMINATOR = Buffer.from('\x1b\\');

export interface QueryFilterOptions {
  /** Gets what goes out, as views that hold until the next call of the filter. */
  readonly emit: (bytes: Buffer) => void;
  /** The payload of the one operating system command 7750 that is Maestro's own end mark. */
  readonly endMark?: string | undefined;
  /** Called when all that precedes the mark has been emitted. */
  readonly onEndMark?: (() => void) | undefined;
}

/**
 * Takes terminal queries out of a program's output (T1): viewers never answer for the program, tmux does where it can. All other bytes
 * pass as they are, invalid UTF-8 included; how the output is cut into chunks makes no difference.
 *
 * Only what may turn out to be a query is held back, and at most 4 KiB of it. A longer one is made void by a CAN in place of its last
 * byte. Where a query broke off an unfinished sequence, ST takes its place, so that the two halves around it never make a new one.
 */
export class QueryFilter {
  readonly #matcher: QueryMatcher;
  readonly #options: QueryFilterOptions;
  // What is held is #held and then #chunk from #mark on, or nothing while #mark is NONE. Bytes of #chunk before #from are done with.
  #held = NOTHING;
  #chunk = NOTHING;
  #from = 0;
  #mark = NONE;
  /** What is held broke off an unfinished sequence that went out. */
  #isBehindUnfinished = false;
  /** What was held grew too long, so it went out and the rest of it goes out as it comes. */
  #isSpilling = false;
  #endsInC1Lead = false;
  #lastOut = 0;

  constructor(options: QueryFilterOptions) {
    this.#matcher = new QueryMatcher(options.endMark);
    this.#options = options;
  }

  push(chunk: Buffer): void {
    if (chunk.length === 0) return;
    if (!this.#endsInC1Lead && this.#isUndisturbed(chunk)) {
      this.#emit(chunk);
      return;
    }
    const bytes = this.#endsInC1Lead ? Buffer.concat([C1_LEAD_BYTE, chunk]) : chunk;
    this.#endsInC1Lead = bytes[bytes.length - 1] === C1_LEAD;
    this.#run(this.#endsInC1Lead ? bytes.subarray(0, -1) : bytes);
  }

  /** True when nothing is held and the next byte starts something new. */
  get isIdle(): boolean {
    return this.#held.length === 0 && !this.#endsInC1Lead && this.#matcher.isPlain && this.#matcher.isGround;
  }

  /** The stream is over: lets out what is held, unless it would act as a query there. */
  end(): void {
    this.#chunk = NOTHING;
    this.#from = this.#mark = 0;
    if (this.#matcher.isRaw && !this.#matcher.isRemovedAtEnd()) this.#reread(0);
    if (!this.#matcher.isRemovedAtEnd()) this.#emit(this.#held);
    if (this.#endsInC1Lead) this.#emit(C1_LEAD_BYTE);
    this.#held = NOTHING;
    this.#endsInC1Lead = false;
  }

  /** Searching for three bytes by memchr is some ten times as fast as looking at each. */
  #isUndisturbed(chunk: Buffer): boolean {
    if (!this.#matcher.isPlain || !this.#matcher.isGround) return false;
    return chunk.indexOf(ESC) < 0 && chunk.indexOf(C1_LEAD) < 0 && chunk.indexOf(ENQ) < 0;
  }

  #run(chunk: Buffer): void {
    this.#chunk = chunk;
    this.#from = 0;
    this.#mark = this.#held.length > 0 ? 0 : NONE;
    for (let i = 0; i < chunk.length; ) {
      if (this.#matcher.isPlain) i = this.#skipHarmless(chunk, i);
      if (i < chunk.length) i = this.#step(chunk, i);
    }
    this.#finish();
  }

  /** Takes the byte at `at`, or the two that make a control, and tells where to go on. */
  #step(chunk: Buffer, at: number): number {
    const byte = chunk[at] as number;
    const final = byte === C1_LEAD && !this.#matcher.isRaw ? c1Final(chunk[at + 1]) : undefined;
    if (final === undefined) return this.#apply(byte, at) ? at + 1 : at;
    this.#apply(ESC, at);
    this.#apply(final, at + 1);
    return at + 2;
  }

  #skipHarmless(chunk: Buffer, from: number): number {
    let i = STOPS.indexIn(chunk, from, chunk.length);
    if (!this.#matcher.isGround) return i;
    for (let end = harmlessControlEnd(chunk, i); end > i; end = harmlessControlEnd(chunk, i)) i = STOPS.indexIn(chunk, end, chunk.length);
    return i;
  }

  /** Lets out what is done with, and copies what is held, as the chunk is the caller's. */
  #finish(): void {
    const { length } = this.#chunk;
    this.#emitUpTo(this.#mark === NONE ? length : this.#mark);
    if (this.#mark !== NONE && this.#mark < length) this.#held = Buffer.concat([this.#held, this.#chunk.subarray(this.#mark)]);
  }

  /** False if the byte is to be taken again. */
  #apply(byte: number, at: number): boolean {
    switch (this.#matcher.step(byte)) {
      case VERDICT.pass:
        this.#release();
        break;
      case VERDICT.hold:
        this.#hold(at);
        break;
      case VERDICT.drop:
        this.#discard(at);
        this.#from = at + 1;
        break;
      case VERDICT.skip:
        this.#skip(at);
        break;
      case VERDICT.passThenHold:
        this.#release();
        this.#hold(at);
        this.#isBehindUnfinished = true;
        break;
      case VERDICT.dropThenHold:
        this.#discard(at);
        this.#hold(at);
        break;
      case VERDICT.reread:
        this.#reread(at);
        return false;
    }
    return true;
  }

  #hold(at: number): void {
    if (this.#isSpilling) return;
    if (this.#mark === NONE) {
      this.#mark = at;
      this.#isBehindUnfinished = this.#isBehindC1Lead(at);
    } else if (this.#held.length + at - this.#mark >= MOST_HELD_BYTES) this.#spill(at);
  }

  #spill(at: number): void {
    if (this.#matcher.isRaw) this.#reread(at + 1);
    else {
      this.#release();
      this.#isSpilling = true;
    }
  }

  #release(): void {
    if (this.#held.length > 0) this.#emit(this.#held);
    this.#held = NOTHING;
    this.#mark = NONE;
    this.#isSpilling = false;
  }

  /** Removes what is held up to `end`. */
  #discard(end: number): void {
    const isBehindUnfinished = this.#mark === NONE ? this.#isBehindC1Lead(end) : this.#isBehindUnfinished;
    this.#emitUpTo(this.#mark === NONE ? end : this.#mark);
    this.#from = end;
    if (this.#isSpilling) this.#emit(CANCEL);
    else if (isBehindUnfinished) this.#emit(STRING_TERMINATOR);
    if (this.#mark !== NONE && this.#matcher.controls.length > 0) this.#emit(Buffer.from(this.#matcher.controls));
    this.#isSpilling = false;
    this.#held = NOTHING;
    this.#mark = NONE;
    if (this.#matcher.takeEndMark()) this.#options.onEndMark?.();
  }

  /** Removes one byte from the middle of what is held. */
  #skip(at: number): void {
    const isHolding = this.#mark !== NONE;
    this.#emitUpTo(isHolding ? this.#mark : at);
    if (isHolding) this.#held = Buffer.concat([this.#held, this.#chunk.subarray(this.#mark, at)]);
    this.#from = at + 1;
    if (isHolding) this.#mark = at + 1;
  }

  #reread(end: number): void {
    const chunk = this.#chunk;
    this.#emitUpTo(this.#mark);
    const held = Buffer.concat([this.#held, chunk.subarray(this.#mark, end)]);
    this.#held = NOTHING;
    this.#matcher.beginReread();
    this.#run(held);
    this.#matcher.endReread();
    this.#chunk = chunk;
    this.#from = end;
    this.#mark = this.#held.length > 0 ? end : NONE;
  }

  /** The last byte to go out before `at`, maybe of an earlier chunk, would make a control with one that comes after what is removed. */
  #isBehindC1Lead(at: number): boolean {
    return (at > this.#from ? this.#chunk[at - 1] : this.#lastOut) === C1_LEAD;
  }

  #emitUpTo(end: number): void {
    if (end > this.#from) this.#emit(this.#chunk.subarray(this.#from, end));
    this.#from = end;
  }

  #emit(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#lastOut = bytes[bytes.length - 1] as number;
    this.#options.emit(bytes);
  }
}
