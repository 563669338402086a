/** So much goes on at once after a pause: the echo of a keystroke, and most of what a program draws for one. */
const AT_ONCE_BYTES = 8 * 1024;
/** Output pauses when nothing comes for so long, in milliseconds. */
const PAUSE_MS = 2;
/** How long a flood is gathered, in milliseconds. */
const GATHER_MS = 1;

/**
 * When output that has been read is handed on: at once, but in a flood what comes within a millisecond, up to a limit, goes together. A
 * flood is read in pieces of some 7 KB, and each frame costs its viewer and the system about as much, however large it is.
 */
export class OutputPace {
  readonly #handOn: () => void;
  readonly #mostGathered: number;
  #lastAt = Number.NEGATIVE_INFINITY;
  #sincePause = 0;
  #gathered = 0;
  #timer: NodeJS.Timeout | undefined;

  /** With `mostGathered` of 0 or less nothing is gathered. */
  constructor(handOn: () => void, mostGathered: number) {
    this.#handOn = handOn;
    this.#mostGathered = mostGathered;
  }

  /** So many bytes have come in at `now`, in milliseconds of `performance.now()`. */
  came(bytes: number, now: number): void {
    if (now - this.#lastAt > PAUSE_MS) this.#sincePause = 0;
    this.#lastAt = now;
    this.#sincePause += bytes;
    this.#gathered += bytes;
    if (this.#sincePause <= AT_ONCE_BYTES || this.#gathered >= this.#mostGathered) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), GATHER_MS);
  }

  /** Hands on what has been gathered. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#gathered = 0;
    this.#handOn();
  }
}
