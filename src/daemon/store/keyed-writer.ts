export interface KeyedWriterSteps<V> {
  /** Makes `value` durable under `key`. */
  readonly write: (key: string, value: V) => Promise<void>;
  /** Deletes `key` durably; no error if it is not there. */
  readonly erase: (key: string) => Promise<void>;
}

interface Lane<V> {
  /** Settles when the step under way has ended; never rejects. */
  readonly busy: Promise<void>;
  waiting?: { value: V; readonly done: Promise<boolean> };
}

/**
 * Writes that are one at a time and coalesced for each key, and independent between keys.
 *
 * At most one value waits behind the write under way: a newer one takes its place, so a slow disk costs one value of memory for each
 * key. A removal overtakes what waits and bars the key for good, else a write that was decided on before it would bring the file back.
 */
export class KeyedWriter<V> {
  readonly #steps: KeyedWriterSteps<V>;
  readonly #lanes = new Map<string, Lane<V>>();
  readonly #barred = new Set<string>();

  constructor(steps: KeyedWriterSteps<V>) {
    this.#steps = steps;
  }

  /**
   * Resolves once a write that began after this call, of `value` or a newer one, is durable: with true, or with false when the key was
   * removed before that write began. Rejects with what that write failed with; the next one is tried afresh.
   */
  put(key: string, value: V): Promise<boolean> {
    if (this.#barred.has(key)) return Promise.resolve(false);
    const lane = this.#lanes.get(key);
    if (lane === undefined) return this.#write(key, value);
    if (lane.waiting !== undefined) {
      lane.waiting.value = value;
      return lane.waiting.done;
    }
    const done: Promise<boolean> = lane.busy.then(() => (this.#barred.has(key) ? false : this.#write(key, waiting.value)));
    const waiting = { value, done };
    lane.waiting = waiting;
    return done;
  }

  /** Deletes the key after the write under way, if any, and bars every later one. After a rejection it can be called again. */
  remove(key: string): Promise<void> {
    this.#barred.add(key);
    const before = this.#lanes.get(key)?.busy ?? Promise.resolve();
    return this.#occupy(
      key,
      before.then(() => this.#steps.erase(key)),
    );
  }

  /** Resolves when no step is under way and none waits, whether they succeeded or not. */
  async idle(): Promise<void> {
    while (this.#lanes.size > 0) await Promise.all([...this.#lanes.values()].map((lane) => lane.busy));
  }

  #write(key: string, value: V): Promise<boolean> {
    return this.#occupy(key, this.#steps.write(key, value)).then(() => true);
  }

  #occupy(key: string, step: Promise<void>): Promise<void> {
    const end = () => {
      // With a value waiting the lane stays, until its write takes the place: a put in between must not start a second one beside it.
      if (lane.waiting === undefined && this.#lanes.get(key) === lane) this.#lanes.delete(key);
    };
    const lane: Lane<V> = { busy: step.then(end, end) };
    this.#lanes.set(key, lane);
    return step;
  }
}
