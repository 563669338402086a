import type { Log } from '../log.js';
import { messageOf } from './record-keeper.js';

/** Work that nobody waits for, until the daemon stops. A failure is logged. */
export class Background {
  readonly #log: Log;
  readonly #running = new Set<Promise<void>>();

  constructor(log: Log) {
    this.#log = log;
  }

  start(work: () => Promise<void>): void {
    const running = work()
      .catch((error: unknown) => this.#log.error({ error: messageOf(error) }, 'background work failed'))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Resolves once nothing runs any more. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
