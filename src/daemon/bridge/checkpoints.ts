import { preamble, type TerminalModes } from './terminal-modes.js';

/** Where a replay may start, and what brings a reset terminal into the modes in force there. */
export interface CleanStart {
  readonly offset: number;
  readonly preamble: Buffer;
}

interface Checkpoint {
  readonly offset: number;
  readonly modes: TerminalModes;
}

const MOST_BYTES_APART = 4096;
/** At most this share of a ring is lost when a replay starts at its first checkpoint. */
const LEAST_PER_RING = 16;

/**
 * The points at ground at which a replay may start, with the modes in force there; one about every 4 KiB, or every sixteenth of a small
 * ring. They are as few as the ring is short.
 */
export class Checkpoints {
  readonly #interval: number;
  #points: Checkpoint[] = [];
  /** Points before this index are dropped; the array is cut when they are many, so that dropping one costs nothing. */
  #first = 0;
  #due: number;

  constructor(capacity: number, modes: TerminalModes) {
    this.#interval = Math.max(1, Math.min(MOST_BYTES_APART, Math.floor(capacity / LEAST_PER_RING)));
    this.#points.push({ offset: 0, modes });
    this.#due = this.#interval;
  }

  /** From this offset on, the next point at ground is to be recorded. */
  get due(): number {
    return this.#due;
  }

  record(offset: number, modes: TerminalModes): void {
    this.#points.push({ offset, modes });
    this.#due = offset + this.#interval;
  }

  /** Forgets the points before `start`. */
  prune(start: number): void {
    while (this.#first < this.#points.length && (this.#points[this.#first] as Checkpoint).offset < start) this.#first += 1;
    if (this.#first * 2 < this.#points.length) return;
    this.#points = this.#points.slice(this.#first);
    this.#first = 0;
  }

  /** The first point at or after `from` that `fits`, given the length of its preamble. */
  find(from: number, fits: (offset: number, preambleBytes: number) => boolean): CleanStart | undefined {
    for (let i = this.#first; i < this.#points.length; i++) {
      const { offset, modes } = this.#points[i] as Checkpoint;
      if (offset < from) continue;
      const lead = preamble(modes);
      if (fits(offset, lead.length)) return { offset, preamble: lead };
    }
    return undefined;
  }
}
