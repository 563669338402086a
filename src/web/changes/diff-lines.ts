import type { FileDiff, Hunk } from '../../protocol/index.js';
import { ColoredLines } from './colored-lines.js';
import { languageOf } from './language.js';
import { changedWords, type Span } from './word-change.js';

/** One line of a hunk, with its number on the sides that have it. */
export interface DiffLine {
  readonly sign: ' ' | '+' | '-';
  readonly old?: number;
  readonly now?: number;
  readonly text: string;
  /** The file ends here, without the end of a line. */
  readonly endsFile: boolean;
  /** What changed within the line. */
  readonly words?: Span;
  readonly side: ColoredLines;
  /** The line's place in `side`. */
  readonly at: number;
}

export interface DiffHunk {
  /** As diff writes it: `@@ -1,4 +1,5 @@`. */
  readonly range: string;
  readonly section: string;
  readonly lines: readonly DiffLine[];
}

/** The hunks of a file, line by line. */
export function readHunks({ path, old_path = path, hunks }: FileDiff): readonly DiffHunk[] {
  return hunks.map((hunk) => ({
    range: `@@ -${hunk.old_start},${hunk.old_lines} +${hunk.new_start},${hunk.new_lines} @@`,
    section: hunk.section ?? '',
    lines: withWords(readLines(hunk, { old: languageOf(old_path), now: languageOf(path) })),
  }));
}

interface Side {
  readonly lines: string[];
  readonly colored: ColoredLines;
  number: number;
}

function sideOf(start: number, language: string | undefined): Side {
  const lines: string[] = [];
  return { lines, colored: new ColoredLines(lines, language), number: start };
}

function readLines(hunk: Hunk, languages: { old: string | undefined; now: string | undefined }): DiffLine[] {
  const old = sideOf(hunk.old_start, languages.old);
  const now = sideOf(hunk.new_start, languages.now);
  const lines: DiffLine[] = [];
  for (const whole of hunk.lines) {
    const [sign, text] = [whole.charAt(0), whole.slice(1)];
    const last = lines.at(-1);
    if (sign === '\\') {
      if (last !== undefined) lines[lines.length - 1] = { ...last, endsFile: true };
      continue;
    }
    if (sign === '-') lines.push({ sign, old: old.number, ...place(old, text) });
    else if (sign === '+') lines.push({ sign, now: now.number, ...place(now, text) });
    else {
      const numbers = { old: old.number, now: now.number };
      place(old, text);
      lines.push({ sign: ' ', ...numbers, ...place(now, text) });
    }
  }
  return lines;
}

/** Appends to a side. */
function place(side: Side, text: string): Pick<DiffLine, 'text' | 'endsFile' | 'side' | 'at'> {
  side.number++;
  return { text, endsFile: false, side: side.colored, at: side.lines.push(text) - 1 };
}

/** Where lines were replaced, the first of the old ones is compared with the first of the new ones, and so on. */
function withWords(lines: readonly DiffLine[]): readonly DiffLine[] {
  const marked = [...lines];
  for (const { removed, added } of replacements(lines)) {
    for (let n = 0; n < Math.min(removed.length, added.length); n++) {
      const [from, to] = [removed[n] ?? 0, added[n] ?? 0];
      const [before, after] = [marked[from], marked[to]];
      const words = before && after && changedWords(before.text, after.text);
      if (!before || !after || !words) continue;
      marked[from] = { ...before, words: words.before };
      marked[to] = { ...after, words: words.after };
    }
  }
  return marked;
}

interface Replacement {
  readonly removed: readonly number[];
  readonly added: readonly number[];
}

/** Places of removed lines and of the added ones right behind them. */
function replacements(lines: readonly DiffLine[]): Replacement[] {
  const found: { removed: number[]; added: number[] }[] = [];
  for (const [at, { sign }] of lines.entries()) {
    const before = at === 0 ? ' ' : lines[at - 1]?.sign;
    if (sign === '-' && before !== '-') found.push({ removed: [], added: [] });
    const current = found.at(-1);
    if (sign === '-') current?.removed.push(at);
    // Added lines that follow none that were removed replace nothing.
    else if (sign === '+' && (current?.removed.at(-1) ?? -2) + (current?.added.length ?? 0) + 1 === at) current?.added.push(at);
  }
  return found;
}
