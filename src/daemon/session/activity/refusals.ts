import type { Explanation } from '../../../protocol/index.js';
import { formatTime } from '../../clock.js';

/** How many are kept of a session. */
const KEPT = 20;

interface Refusal {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly what: string;
  readonly why: string;
}

/** The last things that were said of a session and not believed. */
export class Refusals {
  #kept: readonly Refusal[] = [];

  add(refusal: Refusal): void {
    this.#kept = [...this.#kept, refusal].slice(-KEPT);
  }

  list(): Explanation['refused'] {
    return this.#kept.map(({ at, ...refusal }) => ({ ...refusal, at: formatTime(at) }));
  }
}
