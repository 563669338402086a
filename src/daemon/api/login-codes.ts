import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.js';

/** How long a login URL is good for, in milliseconds. */
const CODE_MS = 15 * 60 * 1000;

/** Codes that may wait to be used; the oldest makes room. */
const MOST_CODES = 50;

/** Wrong codes within {@link TRY_WINDOW_MS} after which no code is looked at any more. */
const MOST_TRIES = 10;
const TRY_WINDOW_MS = 60_000;

/** One-time codes for login URLs. They live in memory: a restart of the daemon voids them. */
export class LoginCodes {
  readonly #clock: Clock;
  readonly #codes = new Map<string, number>();
  #failures: number[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A new code, and how long it is good for in milliseconds. */
  issue(): { readonly code: string; readonly validMs: number } {
    const code = randomBytes(24).toString('base64url');
    this.#codes.set(code, this.#clock.monotonic() + CODE_MS);
    const [oldest] = this.#codes.keys();
    if (this.#codes.size > MOST_CODES && oldest !== undefined) this.#codes.delete(oldest);
    return { code, validMs: CODE_MS };
  }

  /** Whether {@link redeem} could accept it. It stays as it is. */
  knows(code: string): boolean {
    return this.#codes.has(code);
  }

  /** Uses a code up. `locked` when too many wrong ones were tried of late, whatever this one is. */
  redeem(code: string): 'accepted' | 'refused' | 'locked' {
    const now = this.#clock.monotonic();
    this.#failures = this.#failures.filter((at) => now - at < TRY_WINDOW_MS);
    if (this.#failures.length >= MOST_TRIES) return 'locked';
    const expires = this.#codes.get(code);
    this.#codes.delete(code);
    if (expires !== undefined && expires > now) return 'accepted';
    this.#failures.push(now);
    return 'refused';
  }

  clear(): void {
    this.#codes.clear();
  }
}
