import { type Clock, formatTime } from './clock.js';

/** How far the wall clock may be from where it was expected, in milliseconds. A host that was off or asleep for a night is not doubted. */
const JUMP_MS = 24 * 60 * 60 * 1000;

/** How long a clock that has jumped must go on evenly before anything is deleted by it, in milliseconds. */
const HOLD_MS = 24 * 60 * 60 * 1000;

/** What the daemon before noted of its clock. */
export interface FormerClock {
  readonly last_sign_of_life: string;
  readonly doubted_at?: string | undefined;
}

/**
 * Whether the wall clock may be believed enough to delete by it what is old.
 *
 * A clock that is set years ahead, be it by an empty battery, a bad time server or a hand, makes everything old at once, and nobody can
 * tell that from a host that was off for years. So after a jump nothing is deleted for a day, in which the clock can be put right. A
 * jump back makes nothing older.
 */
export class ClockWatch {
  readonly #clock: Clock;
  #doubtedAt: number | undefined;
  #last: { readonly wall: number; readonly monotonic: number };

  constructor(clock: Clock, former?: FormerClock) {
    this.#clock = clock;
    this.#last = { wall: clock.now(), monotonic: clock.monotonic() };
    if (former === undefined) return;
    this.#doubtedAt = former.doubted_at === undefined ? undefined : Date.parse(former.doubted_at);
    this.#judge(this.#last.wall - Date.parse(former.last_sign_of_life));
  }

  /** When a jump was last seen, for the next daemon. */
  get doubtedAt(): string | undefined {
    return this.#doubtedAt === undefined ? undefined : formatTime(this.#doubtedAt);
  }

  /** To be called every so often. */
  look(): void {
    const { wall, monotonic } = this.#last;
    this.#last = { wall: this.#clock.now(), monotonic: this.#clock.monotonic() };
    this.#judge(this.#last.wall - wall - (this.#last.monotonic - monotonic));
  }

  /** False for a day after a jump. */
  get mayDelete(): boolean {
    this.look();
    return this.#doubtedAt === undefined || this.#clock.now() - this.#doubtedAt >= HOLD_MS;
  }

  #judge(offMs: number): void {
    if (Math.abs(offMs) >= JUMP_MS) this.#doubtedAt = this.#clock.now();
  }
}
