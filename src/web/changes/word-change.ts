/** Where in a line, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Longer lines are not compared word by word. */
const COMPARED_LENGTH = 2000;

/** Two lines that have less than this in common are two lines, not a change of one. */
const LEAST_COMMON = 0.3;

/** What changed between two versions of a line, to whole words; undefined where that says nothing. */
export function changedWords(before: string, after: string): { before: Span; after: Span } | undefined {
  if (Math.max(before.length, after.length) > COMPARED_LENGTH) return undefined;
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const head = commonLength(old, now);
  const tail = commonLength(old.slice(head).reverse(), now.slice(head).reverse());
  const start = lengthOf(old.slice(0, head));
  const ending = lengthOf(old.slice(old.length - tail));
  const common = before.slice(0, start).trim().length + before.slice(before.length - ending).trim().length;
  if (common < LEAST_COMMON * Math.max(before.trim().length, after.trim().length, 1)) return undefined;
  return { before: { start, end: before.length - ending }, after: { start, end: after.length - ending } };
}

function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

function commonLength(a: readonly string[], b: readonly string[]): number {
  const least = Math.min(a.length, b.length);
  for (let at = 0; at < least; at++) if (a[at] !== b[at]) return at;
  return least;
}

function lengthOf(words: readonly string[]): number {
  return words.reduce((sum, { length }) => sum + length, 0);
}
