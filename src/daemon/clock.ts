/** Two clocks: the wall's, which jumps and is written down, and one that only goes forward, for measuring how long something took. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds since some moment of this process. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** RFC 3339 in UTC, as everywhere on the wire and on disk. */
export function formatTime(ms: number): string {
  return new Date(ms).toISOString();
}
