import { GAUGES, type Gauge, type Sample } from './soak-gauge.js';
import { median, quantile } from './statistics.js';

interface Tolerance {
  /** What the end may be above the middle: a share of the middle, and so much on top. */
  readonly share: number;
  readonly slack: number;
}

const TOLERANCES: Readonly<Record<Gauge, Tolerance>> = {
  rss: { share: 0.1, slack: 8 },
  heap: { share: 0.1, slack: 2 },
  buffers: { share: 0.1, slack: 2 },
  descriptors: { share: 0.05, slack: 6 },
  threads: { share: 0, slack: 2 },
  processes: { share: 0.05, slack: 4 },
  delay: { share: 1, slack: 10 },
  latency: { share: 1, slack: 20 },
  'tmux rss': { share: 0.1, slack: 4 },
  'tmux descriptors': { share: 0.05, slack: 6 },
};

export interface Judged {
  readonly gauge: Gauge;
  readonly unit: string;
  readonly start: number;
  readonly middle: number;
  readonly end: number;
  readonly limit: number;
  readonly isFlat: boolean;
}

/**
 * Compares the fifth of the samples in the middle with the last fifth. The first fifth is only shown: buffers fill and code is compiled
 * then. A leak grows from the middle to the end as much as before.
 */
export function judge(samples: readonly Sample[]): Judged[] {
  const at = (share: number) => Math.floor(share * samples.length);
  const parts = [samples.slice(0, at(0.2)), samples.slice(at(0.4), at(0.6)), samples.slice(at(0.8))];
  return (Object.keys(GAUGES) as Gauge[]).map((gauge) => {
    const [start = 0, middle = 0, end = 0] = parts.map((part) => typical(gauge, part));
    const { share, slack } = TOLERANCES[gauge];
    const limit = middle * (1 + share) + slack;
    return { gauge, unit: GAUGES[gauge], start, middle, end, limit, isFlat: end <= limit };
  });
}

/** The median; of times the first quartile, as whatever else runs on the machine only ever makes them longer. */
function typical(gauge: Gauge, part: readonly Sample[]): number {
  const values = part.map((one) => one[gauge]);
  return GAUGES[gauge] === 'ms' ? quantile(values, 0.25) : median(values);
}

/** In Markdown, to be read as it is. */
export function verdictTable(judged: readonly Judged[]): string {
  const number = (value: number) => value.toFixed(1).padStart(8);
  const rows = judged.map(({ gauge, unit, start, middle, end, limit, isFlat }) =>
    ['', gauge.padEnd(16), unit.padEnd(4), ...[start, middle, end, limit].map(number), isFlat ? 'flat ' : 'GROWS', ''].join(' | ').trim(),
  );
  const head = ['', 'of the daemon'.padEnd(16), '    ', ...['start', 'middle', 'end', 'limit'].map((one) => one.padStart(8)), '     ', ''];
  return [head.join(' | ').trim(), `|${'-'.repeat(18)}|${'-'.repeat(6)}|${`${'-'.repeat(10)}|`.repeat(4)}${'-'.repeat(7)}|`, ...rows].join(
    '\n',
  );
}
