export interface PaceLimits {
  /** A read begins this long after the last event of a burst. */
  readonly quietMs: number;
  /** Two reads of one worktree are at least this far apart, */
  readonly leastGapMs: number;
  /** and at least so many times as far as the last one took. */
  readonly costFactor: number;
}

export const PACE_LIMITS: PaceLimits = { quietMs: 300, leastGapMs: 1000, costFactor: 10 };

/** When one worktree is to be read next. All times in milliseconds of one clock that only goes forward. */
export class Pace {
  readonly #limits: PaceLimits;
  #firstEvent: number | undefined;
  #lastEvent = 0;
  #started = Number.NEGATIVE_INFINITY;
  #ended = Number.NEGATIVE_INFINITY;

  constructor(limits: PaceLimits) {
    this.#limits = limits;
  }

  event(now: number): void {
    this.#firstEvent ??= now;
    this.#lastEvent = now;
  }

  /** A read begins, which sees all that was told of so far. */
  start(now: number): void {
    this.#firstEvent = undefined;
    this.#started = now;
  }

  end(now: number): void {
    this.#ended = now;
  }

  /** Undefined while nothing has changed. A burst that does not end is read now and then nevertheless. */
  get dueAt(): number | undefined {
    if (this.#firstEvent === undefined) return undefined;
    const { quietMs, leastGapMs, costFactor } = this.#limits;
    const gap = Math.max(leastGapMs, costFactor * this.#cost);
    return Math.max(this.#ended + gap, Math.min(this.#lastEvent + quietMs, this.#firstEvent + gap));
  }

  get #cost(): number {
    return this.#ended > this.#started ? this.#ended - this.#started : 0;
  }
}
