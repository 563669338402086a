/** A connection that lasted this long was a good one. In milliseconds. */
const GOOD_AFTER_MS = 5000;

export interface BackoffOptions {
  /** The first wait, in milliseconds. It doubles with each attempt. */
  readonly firstMs?: number;
  /** The longest wait, in milliseconds. */
  readonly lastMs?: number;
  /** Between 0 and 1. For tests. */
  readonly random?: () => number;
}

/** How long to wait before the next attempt: longer each time, and never the same for two clients, so that they do not come all at once. */
export class Backoff {
  readonly #firstMs: number;
  readonly #lastMs: number;
  readonly #random: () => number;
  #attempts = 0;

  constructor({ firstMs = 250, lastMs = 10_000, random = Math.random }: BackoffOptions = {}) {
    this.#firstMs = firstMs;
    this.#lastMs = lastMs;
    this.#random = random;
  }

  /** Milliseconds, between half of this attempt's wait and all of it. */
  next(): number {
    const wait = Math.min(this.#lastMs, this.#firstMs * 2 ** this.#attempts);
    this.#attempts += 1;
    return wait * (0.5 + this.#random() / 2);
  }

  /**
   * The last attempt led to a connection that lasted for `ms`. After a good one the next wait is the first one again; one that ends as soon
   * as it is made changes nothing.
   */
  held(ms: number): void {
    if (ms >= GOOD_AFTER_MS) this.#attempts = 0;
  }
}
