type Units = ReadonlyMap<string, number>;

const DURATION_UNITS: Units = new Map([
  ['ms', 1],
  ['', 1000],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

const SIZE_UNITS: Units = new Map([
  ['', 1],
  ['b', 1],
  ['kib', 1024],
  ['mib', 1024 * 1024],
]);

/** Whole milliseconds of a duration: a number, which counts seconds, or text such as `500ms`, `10s`, `5m`, `24h`, `7d`. */
export function readDuration(value: unknown): number | undefined {
  const ms = readQuantity(value, DURATION_UNITS);
  return ms === undefined ? undefined : Math.round(ms);
}

/** Bytes of a size: a whole number, or text such as `64KiB` or `1 MiB`. */
export function readSize(value: unknown): number | undefined {
  const bytes = readQuantity(value, SIZE_UNITS);
  return Number.isInteger(bytes) ? bytes : undefined;
}

function readQuantity(value: unknown, units: Units): number | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const match = /^(?<count>\d{1,15}(?:\.\d{1,6})?) ?(?<unit>[a-z]*)$/i.exec(String(value).trim());
  const count = match?.groups?.count;
  const factor = units.get(match?.groups?.unit?.toLowerCase() ?? '');
  return count === undefined || factor === undefined ? undefined : Number(count) * factor;
}
