/** The least time between the end of one scan and the begin of the next, in milliseconds. */
const MIN_GAP_MS = 10;

/** And as a multiple of what the last one took, so that scans never keep the host busy, however many are waited for. */
const GAP_PER_SCAN = 3;

/** A costly look at the system that many ask for at once: everybody gets the result of one that began after they asked. */
export class SharedScan<T> {
  readonly #scan: () => Promise<T>;
  #idle: Promise<unknown> = Promise.resolve();
  #next: Promise<T> | undefined;

  constructor(scan: () => Promise<T>) {
    this.#scan = scan;
  }

  fresh(): Promise<T> {
    this.#next ??= this.#whenIdle();
    return this.#next;
  }

  async #whenIdle(): Promise<T> {
    await this.#idle;
    // Who asks from here on may have seen something that this scan misses.
    this.#next = undefined;
    const begun = performance.now();
    const scan = this.#scan();
    this.#idle = scan.then(
      () => pause(begun),
      () => pause(begun),
    );
    return scan;
  }
}

function pause(begun: number): Promise<void> {
  const ms = Math.max(MIN_GAP_MS, GAP_PER_SCAN * (performance.now() - begun));
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
