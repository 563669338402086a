import { inspect, isDeepStrictEqual } from 'node:util';
import type { Screen } from '../support/screen-of.js';

export interface Miss {
  readonly what: string;
  readonly moment: string;
  readonly differences: string;
}

interface Count {
  exact: number;
  all: number;
}

/** How many attaches showed exactly what tmux does, by program or recording and by how they came about. */
export class Tally {
  readonly misses: Miss[] = [];
  readonly #counts = new Map<string, Map<string, Count>>();

  exact(what: string, moment: string): void {
    this.#count(what, moment, 1);
  }

  missed(miss: Miss): void {
    this.#count(miss.what, miss.moment, 0);
    this.misses.push(miss);
  }

  #count(what: string, moment: string, exact: number): void {
    const moments = this.#counts.get(what) ?? new Map<string, Count>();
    const count = moments.get(moment) ?? { exact: 0, all: 0 };
    this.#counts.set(what, moments.set(moment, { exact: count.exact + exact, all: count.all + 1 }));
  }

  /** A table: a line for each program or recording, a column for each kind of attach. */
  toString(): string {
    const moments = [...new Set([...this.#counts.values()].flatMap((counts) => [...counts.keys()]))];
    const rows = [...this.#counts].map(([what, counts]) => [what, ...moments.map((moment) => shown(counts.get(moment)))]);
    const sums = moments.map((moment) => sum([...this.#counts.values()].map((counts) => counts.get(moment))));
    const all = sum(sums);
    const table = [['', ...moments], ...rows, ['together', ...sums.map(shown)]];
    const widths = ['', ...moments].map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
    const lines = table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
    return `${lines.join('\n')}\n${all.exact} of ${all.all} exact, ${((100 * all.exact) / Math.max(1, all.all)).toFixed(2)} %`;
  }
}

function shown(count: Count | undefined): string {
  return count === undefined ? '' : `${count.exact}/${count.all}`;
}

function sum(counts: readonly (Count | undefined)[]): Count {
  return counts.reduce<Count>((a, b) => ({ exact: a.exact + (b?.exact ?? 0), all: a.all + (b?.all ?? 0) }), { exact: 0, all: 0 });
}

/** What a viewer shows where it differs from tmux, for a human. */
export function differences(shown: Screen, expected: Screen): string {
  const found: string[] = [];
  for (const key of Object.keys(expected) as (keyof Screen)[]) {
    if (isDeepStrictEqual(shown[key], expected[key])) continue;
    const [a, b] = [shown[key], expected[key]];
    if (Array.isArray(a) && Array.isArray(b)) {
      const lacks = b.filter((one) => !a.includes(one)).slice(0, 4);
      const extra = a.filter((one) => !b.includes(one)).slice(0, 4);
      found.push(`${key}: shows ${inspect(extra)}, tmux ${inspect(lacks)}`);
    } else found.push(`${key}: shows ${inspect(a)}, tmux ${inspect(b)}`);
  }
  return found.join('\n    ');
}
