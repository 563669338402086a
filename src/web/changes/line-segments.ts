import type { Token } from './token-lines.js';
import type { Span } from './word-change.js';

/** A part of a line that looks the same throughout. */
export interface Segment {
  readonly start: number;
  readonly text: string;
  readonly color?: string | undefined;
  readonly isChange: boolean;
}

/** Tokens, cut where a change begins and ends. */
export function segments(tokens: readonly Token[], words: Span | undefined): readonly Segment[] {
  const found: Segment[] = [];
  let at = 0;
  for (const { text, color } of tokens) {
    const cuts = [words?.start ?? 0, words?.end ?? 0].map((cut) => Math.min(Math.max(cut - at, 0), text.length));
    const [from = 0, to = 0] = cuts;
    for (const [start, end, isChange] of [
      [0, from, false],
      [from, to, true],
      [to, text.length, false],
    ] as const) {
      if (end > start) found.push({ start: at + start, text: text.slice(start, end), color, isChange });
    }
    at += text.length;
  }
  return found;
}
