/** What is to be closed again, in the opposite order of its opening. */
export class Closing implements AsyncDisposable {
  readonly #steps: (() => unknown)[] = [];

  /** Closes `resource` when this is closed, and returns it. */
  use<T extends AsyncDisposable>(resource: T): T {
    this.#steps.push(() => resource[Symbol.asyncDispose]());
    return resource;
  }

  defer(step: () => unknown): void {
    this.#steps.push(step);
  }

  /** Runs every step, the latest first, also when one fails; then throws the first failure. */
  async [Symbol.asyncDispose](): Promise<void> {
    const failures: unknown[] = [];
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
