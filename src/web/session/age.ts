import { text } from '../text/text.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long ago, in one unit: `31s`, `2m`, `1h`, `3d`. */
export function formatAge(ms: number): string {
  const { age } = text.session;
  if (ms < MINUTE_MS) return age.seconds(Math.max(0, Math.floor(ms / 1000)));
  if (ms < HOUR_MS) return age.minutes(Math.floor(ms / MINUTE_MS));
  if (ms < DAY_MS) return age.hours(Math.floor(ms / HOUR_MS));
  return age.days(Math.floor(ms / DAY_MS));
}

/** A moment in words that fit behind a verb: `at 10:37`, or `on 7 Dec at 10:37` when that was another day. */
export function formatMoment(at: number, now: number, locale?: string): string {
  const { day, time } = partsOf(at, now, locale);
  return day === undefined ? text.session.moment.at(time) : text.session.moment.on(day, time);
}

/** The same to stand behind "since": `10:37`, or `7 Dec, 10:37`. */
export function formatSince(at: number, now: number, locale?: string): string {
  const { day, time } = partsOf(at, now, locale);
  return day === undefined ? time : text.session.moment.since(day, time);
}

/** The day only where it is not that of `now`. */
function partsOf(at: number, now: number, locale?: string): { day?: string; time: string } {
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(at);
  if (new Date(at).toDateString() === new Date(now).toDateString()) return { time };
  return { day: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }).format(at), time };
}

/** The time of day to the second, to compare with a clock: `10:41:58`. */
export function formatClock(at: number, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }).format(at);
}
