import { isCsiQuery, isEscapeQuery } from './control-queries.js';
import { type Decision, judgeString, type StringJudge } from './string-judge.js';
import { ENQ, ESC, STATE, VT, type VtEvent, VtParser } from './vt-parser.js';

/** What becomes of a byte, and of those held before it. */
export const VERDICT = {
  /** It goes out, and so does what is held. */
  pass: 0,
  /** Held: it may belong to a query. */
  hold: 1,
  /** Removed, and so is what is held. */
  drop: 2,
  /** Removed; what is held stays so. */
  skip: 3,
  /** What is held goes out, though unfinished; this byte is held. */
  passThenHold: 4,
  /** What is held is removed; this byte is held. */
  dropThenHold: 5,
  /** What is held, and then this byte, must be read again: see {@link QueryMatcher.beginReread}. */
  reread: 6,
} as const;
export type Verdict = (typeof VERDICT)[keyof typeof VERDICT];

const MOST_CONTROLS = 4096;
const BACKSLASH = 0x5c;

/** Tells, byte by byte, which sequences are queries. */
export class QueryMatcher {
  readonly #parser = new VtParser();
  readonly #endMark: string | undefined;
  #phase: 'plain' | 'open' | 'dropping' = 'plain';
  #judge: StringJudge | undefined;
  #passthrough: Passthrough | undefined;
  #isRereading = false;
  /** The sequence under way may be the terminator of a string that was removed. */
  #closesDropped = false;
  #sawEndMark = false;
  /** Control characters inside the control sequence under way: terminals carry them out though the sequence is removed. */
  controls: number[] = [];

  constructor(endMark?: string) {
    this.#endMark = endMark;
  }

  /** Nothing is held: outside of sequences, and in strings that go out. */
  get isPlain(): boolean {
    return this.#phase === 'plain';
  }

  get isGround(): boolean {
    return this.#parser.state === STATE.ground;
  }

  /** Every byte is data for tmux, so that the UTF-8 form of a control character is none. */
  get isRaw(): boolean {
    return this.#passthrough !== undefined;
  }

  /** True once, when what was removed last was the end mark. */
  takeEndMark(): boolean {
    const saw = this.#sawEndMark;
    this.#sawEndMark = false;
    return saw;
  }

  /** True if what is held must not go out when the stream ends here. */
  isRemovedAtEnd(): boolean {
    if (this.#passthrough !== undefined) return this.#passthrough.isQuery;
    const inString = this.#parser.state === STATE.string && this.#phase === 'open';
    return this.#closesDropped || (inString && this.#isRemoved(this.#judge?.end()));
  }

  /** Starts over, for what was held as the start of a passthrough; it is read as any other string until {@link endReread}. */
  beginReread(): void {
    this.#passthrough = undefined;
    this.#parser.reset();
    this.#phase = 'plain';
    this.#isRereading = true;
  }

  endReread(): void {
    this.#isRereading = false;
  }

  step(byte: number): Verdict {
    if (this.#passthrough === undefined) return this.#on(this.#parser.step(byte), byte);
    const verdict = this.#passthrough.step(byte);
    if (this.#passthrough.hasEnded) {
      this.#passthrough = undefined;
      this.#parser.reset();
      this.#phase = 'plain';
    }
    return verdict;
  }

  #on(event: VtEvent, byte: number): Verdict {
    switch (event) {
      case VT.text:
        return byte === ENQ ? VERDICT.drop : VERDICT.pass;
      case VT.begin:
        return this.#begin();
      case VT.head:
        this.#closesDropped = false;
        return VERDICT.hold;
      case VT.control:
        if (byte === ENQ) return VERDICT.skip;
        if (this.controls.length < MOST_CONTROLS) this.controls.push(byte);
        return VERDICT.hold;
      case VT.escape:
        return this.#close(isEscapeQuery(this.#parser) || (this.#closesDropped && byte === BACKSLASH));
      case VT.csi:
        return this.#close(isCsiQuery(this.#parser));
      case VT.void:
        return this.#close(false);
      case VT.string:
        return this.#openString();
      case VT.payload:
        return this.#payload(byte);
      case VT.end:
        return this.#close(this.#phase === 'dropping' || (this.#phase === 'open' && this.#isRemoved(this.#judge?.end())));
    }
  }

  /** A string that is broken off by ESC is carried out, so it is judged; a head that is broken off is void. */
  #begin(): Verdict {
    const { broken } = this.#parser;
    const removed =
      this.#phase === 'dropping' || (broken === STATE.string && this.#phase === 'open' && this.#isRemoved(this.#judge?.end()));
    this.#phase = 'open';
    this.#closesDropped = removed;
    if (this.controls.length > 0) this.controls = [];
    if (removed) return VERDICT.dropThenHold;
    return broken === STATE.ground ? VERDICT.hold : VERDICT.passThenHold;
  }

  #close(removed: boolean): Verdict {
    this.#phase = 'plain';
    this.#closesDropped = false;
    return removed ? VERDICT.drop : VERDICT.pass;
  }

  #openString(): Verdict {
    this.#closesDropped = false;
    const judge = judgeString(this.#parser, this.#endMark);
    if (typeof judge === 'string') return this.#decide(judge);
    this.#judge = judge;
    return VERDICT.hold;
  }

  #payload(byte: number): Verdict {
    if (this.#phase === 'plain') return VERDICT.pass;
    if (this.#phase === 'dropping') return VERDICT.drop;
    const decision = this.#judge?.put(byte) ?? 'plain';
    if (decision === 'passthrough' && !this.#isRereading) this.#passthrough = new Passthrough();
    return decision === 'open' || this.#passthrough !== undefined ? VERDICT.hold : this.#decide(decision);
  }

  #decide(decision: Decision): Verdict {
    const removed = this.#isRemoved(decision);
    this.#phase = removed ? 'dropping' : 'plain';
    return removed ? VERDICT.drop : VERDICT.pass;
  }

  #isRemoved(decision: Decision | undefined): boolean {
    if (decision === 'end_mark') this.#sawEndMark = true;
    return decision === 'query' || decision === 'end_mark';
  }
}

/**
 * The content of `ESC P tmux; ... ESC \`, which tmux hands to the terminal around it, ESC bytes halved. A terminal that gets it unwrapped
 * carries the content out all the same. One that starts with a query is removed whole; any other is read as the terminal reads it.
 */
class Passthrough {
  readonly #content = new QueryMatcher();
  #isEscaped = false;
  isQuery = false;
  hasEnded = false;

  step(byte: number): Verdict {
    if (!this.#isEscaped) {
      this.#isEscaped = byte === ESC;
      return this.#isEscaped ? VERDICT.hold : this.#inner(byte);
    }
    this.#isEscaped = false;
    if (byte === ESC) return this.#inner(byte);
    this.hasEnded = this.isQuery && byte === BACKSLASH;
    return this.hasEnded ? VERDICT.drop : VERDICT.reread;
  }

  #inner(byte: number): Verdict {
    if (this.isQuery) return VERDICT.drop;
    const verdict = this.#content.step(byte);
    if (verdict === VERDICT.hold || verdict === VERDICT.skip) return VERDICT.hold;
    this.isQuery = verdict === VERDICT.drop || verdict === VERDICT.dropThenHold;
    return this.isQuery ? VERDICT.drop : VERDICT.reread;
  }
}
