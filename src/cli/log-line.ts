import type { Style } from './output.js';
import { printable } from './printable.js';

const LEVELS: readonly { readonly from: number; readonly name: string; readonly style?: Style }[] = [
  { from: 60, name: 'fatal', style: 'red' },
  { from: 50, name: 'error', style: 'red' },
  { from: 40, name: 'warn', style: 'yellow' },
  { from: 30, name: 'info', style: 'green' },
  { from: 0, name: 'debug', style: 'grey' },
];

/** A JSON line of the daemon's log (pino's form) for people; any other line as it is. Safe for a terminal. */
export function logLineText(line: string, paint: (style: Style, text: string) => string): string {
  const record = parseRecord(line);
  if (record === undefined) return printable(line);
  const { level, time, msg, ...fields } = record;
  const { name, style = 'grey' } = LEVELS.find(({ from }) => Number(level) >= from) ?? { name: 'info' };
  const data = Object.entries(fields).map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const clock = new Date(typeof time === 'number' || typeof time === 'string' ? time : Number.NaN);
  const at = Number.isNaN(clock.getTime()) ? '' : `${clock.toTimeString().slice(0, 8)} `;
  const rest = data.length === 0 ? '' : `  ${paint('grey', printable(data.join(' ')))}`;
  return `${paint('grey', at)}${paint(style, name.padEnd(5))} ${printable(String(msg ?? ''))}${rest}`;
}

function parseRecord(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'level' in value ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
