/** How much output came from the program, when, and who wants to hear of the next. */
export class LiveOutput {
  #received = 0;
  #lastByteAt: number | undefined;
  #lastOutputAt: number | undefined;
  #listeners: Set<() => void> | undefined;

  /** How many bytes were read, before filtering. */
  get received(): number {
    return this.#received;
  }

  /** When the last one was read, in milliseconds of `performance.now()`. */
  get lastByteAt(): number | undefined {
    return this.#lastByteAt;
  }

  /** The same in milliseconds since 1970, as the wall clock was then. */
  get lastOutputAt(): number | undefined {
    return this.#lastOutputAt;
  }

  whenNext(listener: () => void): void {
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
  }

  /** So many bytes were read, and are in the stream. */
  add(length: number): void {
    if (length === 0) return;
    this.#received += length;
    this.#lastByteAt = performance.now();
    this.#lastOutputAt = Date.now();
    if (this.#listeners === undefined) return;
    const listeners = this.#listeners;
    this.#listeners = undefined;
    for (const listener of listeners) listener();
  }
}
