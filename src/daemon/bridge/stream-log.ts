import { invariant } from '../invariant.js';
import { Checkpoints, type CleanStart } from './checkpoints.js';
import { ModeTracker } from './mode-tracker.js';
import { ReplayRing } from './replay-ring.js';
import type { TerminalModes } from './terminal-modes.js';

const NOTHING: Buffer = Buffer.alloc(0);

/** So many places of repaints are told apart. */
const MOST_REPAINTS = 32;

/** The bytes of former lives and of the current one, as they are stored. */
export interface StoredScrollback {
  readonly former: Buffer;
  readonly current: Buffer;
}

/**
 * One epoch's stream: its last bytes, where in them a replay may start, and the modes at its end.
 *
 * The stream begins with the bytes restored from former lives, so that these have offsets like all others and go out ahead of what
 * is new, and are gone once a full ring of new output has come (S3).
 */
export class StreamLog {
  readonly #ring: ReplayRing;
  readonly #tracker = new ModeTracker();
  readonly #checkpoints: Checkpoints;
  #formerEnd = 0;
  #lifeStart = 0;
  #isResized = false;
  /** Positions inside repaints, from the first that was announced to the one behind; ascending by `to`. */
  #repaints: { readonly from: number; readonly to: number }[] = [];

  constructor(capacity: number) {
    this.#ring = new ReplayRing(capacity);
    this.#checkpoints = new Checkpoints(capacity, this.#tracker.modes);
  }

  /** The offset of the oldest byte held. */
  get start(): number {
    return this.#ring.start;
  }

  /** The offset of the next byte to come. */
  get end(): number {
    return this.#ring.end;
  }

  /** The modes in force at the end. */
  get modes(): TerminalModes {
    return this.#tracker.modes;
  }

  /** True at the end of a whole character or sequence. */
  get isGround(): boolean {
    return this.#tracker.isGround;
  }

  /** What follows is the output of the current life. `lead` goes ahead of it and belongs to no life, so it is never stored. */
  beginLife(lead: Buffer = NOTHING): void {
    this.#formerEnd = this.#ring.end;
    this.append(lead);
    this.#lifeStart = this.#ring.end;
  }

  append(bytes: Buffer): void {
    const { end } = this.#ring;
    for (let at = 0; at < bytes.length; ) {
      const due = Math.max(at, Math.min(bytes.length, this.#checkpoints.due - end));
      this.#tracker.feed(bytes.subarray(at, due));
      at = due + this.#tracker.feedToGround(bytes.subarray(due));
      if (this.#tracker.isGround && end + at >= this.#checkpoints.due) this.#checkpoints.record(end + at, this.#tracker.modes);
    }
    this.#ring.push(bytes);
    this.#checkpoints.prune(this.#ring.start);
  }

  /** A copy of at most `limit` bytes from offset `from` on, which must be held. */
  read(from: number, limit: number): Buffer {
    return this.#ring.read(from, limit);
  }

  /**
   * Where the longest replay starts, or undefined while one giant sequence fills the ring. Its first position is its offset less the
   * length of the preamble; so a start that would make this negative is passed over.
   */
  cleanStart(): CleanStart | undefined {
    return this.#checkpoints.find(this.#ring.start, (offset, preambleBytes) => offset >= preambleBytes);
  }

  /**
   * True if a viewer that has all bytes before `offset` can go on from there. What is ahead of the clean start cannot be told from a
   * position inside a preamble that was sent before, so it does not count.
   */
  canContinue(offset: number): boolean {
    if (this.#repaints.some(({ from, to }) => offset >= from && offset < to)) return false;
    return offset <= this.end && offset >= (this.cleanStart()?.offset ?? this.start);
  }

  /** The program's screen has another size from here on: what was drawn before looks different in a terminal of that size. */
  resized(): void {
    this.#isResized = true;
  }

  /** True if a replay from `offset` on shows what the program's screen does: it holds all that the current life has put out, for one size. */
  isWhole(offset: number): boolean {
    return !this.#isResized && offset <= this.#lifeStart;
  }

  /**
   * The position at which to announce `length` bytes that are not of this stream, so that the count is right behind them. From the
   * positions within, which others have come by otherwise, nobody goes on.
   */
  repaintAt(length: number): number {
    const { start, end } = this.#ring;
    invariant(length <= end, 'a repaint has no more bytes than the stream ahead of it');
    const held = this.#repaints.filter(({ to }) => to > start);
    const last = held.at(-1);
    const from = end - length;
    if (last?.to === end) held.splice(-1, 1, { from: Math.min(from, last.from), to: end });
    else held.push({ from, to: end });
    const [oldest, next] = held;
    if (held.length > MOST_REPAINTS && oldest && next) held.splice(0, 2, { from: Math.min(oldest.from, next.from), to: next.to });
    this.#repaints = held;
    return from;
  }

  /**
   * The newest bytes, at most `budget` of them together with the preamble that they start with, whole to both ends (S5, S7). What former
   * lives printed goes first.
   */
  stored(budget: number): StoredScrollback {
    const end = this.end - this.#tracker.unfinishedBytes;
    const from = Math.max(this.start, end - budget);
    const found = this.#checkpoints.find(from, (offset, preambleBytes) => offset < end && preambleBytes + end - offset <= budget);
    if (found === undefined) return { former: NOTHING, current: NOTHING };
    const { offset, preamble } = found;
    const lifeStart = Math.min(this.#lifeStart, end);
    const current = this.#ring.slice(Math.max(offset, lifeStart), end);
    if (offset >= this.#formerEnd) return { former: NOTHING, current: Buffer.concat([preamble, current]) };
    return { former: Buffer.concat([preamble, this.#ring.slice(offset, this.#formerEnd)]), current };
  }
}
