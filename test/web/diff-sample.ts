import type { DiffFile, FileDiff, Hunk } from '../../src/protocol/index.js';

/** A changed file of so many lines. */
export function aFile(path: string, part: Partial<DiffFile> = {}): DiffFile {
  return { path, status: 'modified', additions: 1, deletions: 1, binary: false, ...part };
}

/** A hunk whose counts fit its lines. */
export function aHunk(
  lines: readonly string[],
  { old = 1, now = old, section }: { old?: number; now?: number; section?: string } = {},
): Hunk {
  const count = (signs: string) => lines.filter((line) => signs.includes(line.charAt(0))).length;
  return {
    old_start: old,
    old_lines: count(' -'),
    new_start: now,
    new_lines: count(' +'),
    lines: [...lines],
    ...(section === undefined ? {} : { section }),
  };
}

export function aDiff(path: string, hunks: readonly Hunk[], part: Partial<FileDiff> = {}): FileDiff {
  return { ...aFile(path), hunks: [...hunks], ...part };
}
