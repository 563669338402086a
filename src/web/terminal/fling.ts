/** How far back a finger's speed is measured, in milliseconds: what it did before does not tell where it was going. */
const WINDOW_MS = 100;
/** A finger that rested for so long before it was lifted has stopped, in milliseconds. */
const REST_MS = 50;
/** Slower than this nothing is flung, and a fling has ended; in pixels per millisecond. */
const SLOWEST = 0.05;
const LEAST_TO_FLING = 0.2;
const FASTEST = 8;
/** In so many milliseconds the speed falls to 1/e, about as in browsers. */
const DECAY_MS = 325;

interface Sample {
  readonly at: number;
  readonly y: number;
}

/** The last steps of a finger. Times are in milliseconds, of any clock. */
export class FingerTrace {
  #samples: Sample[] = [];

  begin(y: number, at: number): void {
    this.#samples = [{ at, y }];
  }

  move(y: number, at: number): void {
    this.#samples = [...this.#samples.filter((sample) => at - sample.at <= WINDOW_MS), { at, y }];
  }

  /** How fast it was when it was lifted, in pixels per millisecond; 0 where it had come to rest. Downwards is positive. */
  speedAt(at: number): number {
    const recent = this.#samples.filter((sample) => at - sample.at <= WINDOW_MS);
    const [first, last] = [recent[0], recent.at(-1)];
    if (first === undefined || last === undefined || last.at <= first.at || at - last.at > REST_MS) return 0;
    return Math.max(-FASTEST, Math.min(FASTEST, (last.y - first.y) / (last.at - first.at)));
  }
}

/** What goes on moving after a finger has left it, slower and slower. */
export class Fling {
  readonly #speed: number;
  readonly #start: number;
  #gone = 0;

  private constructor(speed: number, start: number) {
    this.#speed = speed;
    this.#start = start;
  }

  /** Undefined for a finger that was too slow to fling anything. */
  static from(speed: number, start: number): Fling | undefined {
    return Math.abs(speed) < LEAST_TO_FLING ? undefined : new Fling(speed, start);
  }

  /** The pixels since the last step. */
  step(at: number): number {
    const gone = this.#speed * DECAY_MS * (1 - Math.exp(-this.#elapsed(at) / DECAY_MS));
    const step = gone - this.#gone;
    this.#gone = gone;
    return step;
  }

  isOver(at: number): boolean {
    return Math.abs(this.#speed) * Math.exp(-this.#elapsed(at) / DECAY_MS) < SLOWEST;
  }

  #elapsed(at: number): number {
    return Math.max(0, at - this.#start);
  }
}
