import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Machine } from './machine.js';
import type { Result } from './measure.js';
import type { Summary } from './statistics.js';

const ROOT = join(import.meta.dirname, '../..');
const DOCUMENT = join(ROOT, 'docs/PERFORMANCE.md');
const BEGIN = '<!-- npm run bench -- --doc -->';
const END = '<!-- end -->';

export interface Report {
  readonly machine: Machine;
  readonly rounds: number;
  readonly seconds: number;
  readonly rows: readonly (Result & { readonly row: string; readonly load: number })[];
}

const HEAD = ['what', 'Maestro', 'floor', 'ratio', 'aim', ''] as const;

/** In Markdown, to be read as it is. */
export function table({ rows, machine, rounds, seconds }: Report): string {
  const cells = [HEAD, ...rows.map(line)];
  const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  const format = (row: readonly string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = HEAD, ...body] = cells;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  const about = `${machine.date}: ${machine.cpus} x ${machine.cpu}, Linux ${machine.kernel}, Node ${machine.node}, ${machine.tmux}; load before ${machine.load.toFixed(1)}.`;
  const how = `Medians of ${rounds} rounds, turn and turn about with the floor, with (least..most); ratios are of each round; ${Math.round(seconds)} s in all.`;
  return [format(head), rule, ...body.map(format), '', about, how].join('\n');
}

function line(result: Result): string[] {
  const { what, unit, ours, floor, ratio, aim, met, note } = result;
  const verdict = met === undefined ? '' : met ? 'met' : '**missed**';
  return [
    what,
    `${spread(ours)} ${unit}`.trim(),
    floor === undefined ? '' : spread(floor),
    ratio === undefined ? '' : `${spread(ratio)}`,
    aim ?? '',
    [verdict, note ?? ''].filter((part) => part !== '').join(', '),
  ];
}

function spread({ median, min, max }: Summary): string {
  return min === max ? brief(median) : `${brief(median)} (${brief(min)}..${brief(max)})`;
}

function brief(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value) || size >= 100) return value.toFixed(0);
  return value.toFixed(size >= 10 ? 1 : size >= 0.1 ? 2 : 3);
}

/** Returns the path of the file. */
export function writeJson(report: Report): string {
  const path = join(ROOT, 'bench/results', `${report.machine.date.replaceAll(':', '-')}.json`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(report, undefined, 2)}\n`);
  return path;
}

/** Puts the table in place of the one in the document. */
export function writeDocument(report: Report): void {
  const text = readFileSync(DOCUMENT, 'utf8');
  const [before, after] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`${DOCUMENT} has no ${BEGIN} with ${END} behind it`);
  writeFileSync(DOCUMENT, `${text.slice(0, before + BEGIN.length)}\n${table(report)}\n${text.slice(after)}`);
}
