const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long ago, in one unit: `31s`, `2m`, `1h`, `3d`. */
export function formatAge(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.max(0, Math.floor(ms / 1000))}s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)}m`;
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)}h`;
  return `${Math.floor(ms / DAY_MS)}d`;
}

/** A moment in words that fit behind a verb: `at 10:37`, or `on 7 Dec at 10:37` when that was another day. */
export function formatMoment(at: number, now: number, locale?: string): string {
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(at);
  if (new Date(at).toDateString() === new Date(now).toDateString()) return `at ${time}`;
  return `on ${new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }).format(at)} at ${time}`;
}

/** The time of day to the second, to compare with a clock: `10:41:58`. */
export function formatClock(at: number, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }).format(at);
}
