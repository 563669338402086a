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

/** The first and the last second that RFC 3339 has a form for. */
const [FIRST_SECOND, LAST_SECOND] = [Date.parse('0000-01-01T00:00:00Z') / 1000, Date.parse('9999-12-31T23:59:59Z') / 1000];

/** The same for the time of a commit, in seconds since 1970: whoever makes a commit writes any number there. */
export function formatCommitTime(seconds: number): string {
  return formatTime(Math.min(LAST_SECOND, Math.max(FIRST_SECOND, seconds || 0)) * 1000);
}
