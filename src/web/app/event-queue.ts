/** Values that are pushed by one side and awaited, in order, by the other. */
export class EventQueue<T> implements AsyncIterable<T> {
  readonly #values: T[] = [];
  #end: { readonly error?: unknown } | undefined;
  #wake: () => void = () => {};

  push(value: T): void {
    if (this.#end !== undefined) return;
    this.#values.push(value);
    this.#wake();
  }

  /** Nothing more comes; who waits is done behind what was pushed before. */
  end(): void {
    this.#end ??= {};
    this.#wake();
  }

  /** Like {@link end}, but who waits gets `error`. */
  fail(error: unknown): void {
    this.#end ??= { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const [value] = this.#values;
      if (this.#values.length > 0) {
        this.#values.shift();
        yield value as T;
      } else if (this.#end !== undefined) {
        if ('error' in this.#end) throw this.#end.error;
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
