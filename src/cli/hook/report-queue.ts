import { deliver } from './deliver.js';
import type { SessionEnv } from './session-env.js';
import { spool } from './spool.js';

const MOST_WAITING = 500;
/** The agent does not wait for this. */
const DELIVERY_MS = 1000;

/** Delivers reports one after the other, so that they come in order. When one cannot be delivered, all that wait are left in the spool. */
export class ReportQueue {
  readonly #session: SessionEnv;
  #waiting: string[] = [];
  #isSending = false;

  constructor(session: SessionEnv) {
    this.#session = session;
  }

  /** Of too many, the oldest is dropped. */
  push(report: string): void {
    this.#waiting.push(report);
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
    if (!this.#isSending) void this.#send();
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if ((await deliver(this.#session, next, DELIVERY_MS)) !== 'failed') continue;
      const undelivered = [next, ...this.#waiting.splice(0)];
      for (const report of undelivered) spool(this.#session, report);
    }
    this.#isSending = false;
  }
}
