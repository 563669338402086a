import { MaestroError } from '../../protocol/index.js';

/** Bytes that may wait for one pane before more are refused. */
export const INPUT_LIMIT = 16 * 1024 * 1024;

/** Delivers input to one pane in the order in which it came, one piece at a time. */
export class InputQueue {
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** Bytes that are not delivered yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Runs `deliver` once all earlier input has been delivered or has failed. Rejects with `payload_too_large` when too much waits. */
  push(bytes: number, deliver: () => Promise<void>): Promise<void> {
    if (this.#waiting + bytes > INPUT_LIMIT) {
      return Promise.reject(
        new MaestroError(
          'payload_too_large',
          `more than ${INPUT_LIMIT} bytes of input wait for this session; send more when they are taken in`,
        ),
      );
    }
    this.#waiting += bytes;
    const done = this.#tail.then(deliver).finally(() => {
      this.#waiting -= bytes;
    });
    this.#tail = done.catch(() => undefined);
    return done;
  }
}
