import { median, type Summary, summary } from './statistics.js';

/** What is asked of a measure, in words and as a rule. */
export interface Aim {
  readonly text: string;
  readonly isMet: (ours: number, ratio: number | undefined) => boolean;
}

/** One line of the table: a value for each round, and for the same rounds that of the floor. */
export interface Measure {
  readonly what: string;
  readonly unit: string;
  readonly ours: readonly number[];
  readonly floor?: readonly number[];
  readonly aim?: Aim;
  readonly note?: string;
}

export interface Result {
  readonly what: string;
  readonly unit: string;
  readonly ours: Summary;
  readonly floor?: Summary;
  /** Of the ratios of each round, which share what the machine was doing then. */
  readonly ratio?: Summary;
  readonly aim?: string;
  readonly met?: boolean;
  readonly note?: string;
}

export function atMost(limit: number, unit: string): Aim {
  return { text: `<= ${limit} ${unit}`, isMet: (ours) => ours <= limit };
}

export function atMostTimes(times: number): Aim {
  return { text: `<= ${times}x`, isMet: (_, ratio) => ratio !== undefined && ratio <= times };
}

export function atLeastTimes(times: number): Aim {
  return { text: `>= ${times}x`, isMet: (_, ratio) => ratio !== undefined && ratio >= times };
}

/** Judged by medians. */
export function judge({ what, unit, ours, floor, aim, note }: Measure): Result {
  const ratios = floor?.map((value, round) => (ours[round] ?? Number.NaN) / value);
  return {
    what,
    unit,
    ours: summary(ours),
    ...(floor === undefined ? {} : { floor: summary(floor) }),
    ...(ratios === undefined ? {} : { ratio: summary(ratios) }),
    ...(aim === undefined ? {} : { aim: aim.text, met: aim.isMet(median(ours), ratios && median(ratios)) }),
    ...(note === undefined ? {} : { note }),
  };
}
