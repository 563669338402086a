export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

type Branch = Json[] | { [key: string]: Json };

const STRING_LIMIT = 4096;
const MOST_ITEMS = 50;
const MOST_LEVELS = 8;
const NULL_BYTES = 4;

/**
 * As much of `value` as is worth sending: texts of at most 4096 characters, arrays of at most 50 items, and null for what is nested more
 * than 8 levels deep. What still has more than `limit` bytes of JSON loses its largest values, which become null; keys stay. Undefined
 * when the keys alone are too many.
 */
export function prune(value: Json, limit: number): Json | undefined {
  const kept = cut(value, MOST_LEVELS);
  const excess = jsonBytes(kept) - limit;
  if (excess <= 0) return kept;
  if (isBranch(kept)) lighten(kept, excess);
  return jsonBytes(kept) <= limit ? kept : undefined;
}

export function jsonBytes(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function cut(value: Json, levels: number): Json {
  if (typeof value === 'string') return beginning(value);
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return null;
  if (isArray(value)) return value.slice(0, MOST_ITEMS).map((item) => cut(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cut(item, levels - 1)]));
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** Never half of a surrogate pair. */
function beginning(text: string): string {
  if (text.length <= STRING_LIMIT) return text;
  const last = text.charCodeAt(STRING_LIMIT - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? STRING_LIMIT - 1 : STRING_LIMIT);
}

/**
 * Takes `excess` bytes out of `branch`, as far as there are values to take. The largest value goes first; of one that is larger than
 * `excess` by itself, only its own largest values go, so that what an agent says beside a tool's endless output stays whole.
 */
function lighten(branch: Branch, excess: number): void {
  const sizes = Object.entries(branch).map(([key, value]) => ({ key, value, bytes: jsonBytes(value) }));
  let left = excess;
  for (const { key, value, bytes } of sizes.sort((a, b) => b.bytes - a.bytes)) {
    if (left <= 0 || bytes <= NULL_BYTES) return;
    const isEnough = isBranch(value) && bytes - NULL_BYTES > left;
    if (isEnough) lighten(value, left);
    const saved = isEnough ? bytes - jsonBytes(value) : 0;
    if (saved >= left) return;
    Reflect.set(branch, key, null);
    left -= bytes - NULL_BYTES;
  }
}

/** What {@link cut} has made, so that it can be changed. */
function isBranch(value: Json): value is Branch {
  return typeof value === 'object' && value !== null;
}
