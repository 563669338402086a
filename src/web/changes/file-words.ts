import { DIFF_BYTES_LIMIT, DIFF_LINE_LIMIT, type DiffFile, type FileDiff, type FileStatus } from '../../protocol/index.js';
import { text } from '../text/text.js';

interface StatusWords {
  readonly letter: string;
  readonly label: string;
}

/** As git and editors have them. */
const LETTERS: Readonly<Record<FileStatus, string>> = {
  added: 'A',
  modified: 'M',
  deleted: 'D',
  renamed: 'R',
  copied: 'C',
  type_changed: 'T',
  conflicted: '!',
  untracked: 'U',
};

export function statusWords(status: FileStatus): StatusWords {
  return { letter: LETTERS[status], label: text.changes.status[status] };
}

/** What is said in place of lines where a file has none to compare. */
export function lackText(diff: FileDiff): string | undefined {
  const { lack } = text.changes;
  if (diff.cut === 'too_large') return lack.tooLarge(formatBytes(DIFF_BYTES_LIMIT), sizes(diff));
  if (diff.binary) return lack.binary(sizes(diff));
  if (diff.hunks.length > 0) return undefined;
  return modeText(diff) ?? emptyText(diff.status) ?? lack.none;
}

function modeText({ old_mode, new_mode }: FileDiff): string | undefined {
  if (old_mode === undefined || new_mode === undefined || old_mode === new_mode) return undefined;
  return text.changes.lack.mode(old_mode, new_mode);
}

function emptyText(status: FileStatus): string | undefined {
  const { empty, deletedEmpty, renamed, copied, conflict } = text.changes.lack;
  const words = { added: empty, untracked: empty, deleted: deletedEmpty, renamed, copied, conflicted: conflict };
  return status in words ? words[status as keyof typeof words] : undefined;
}

/** What is said behind the last line of a file that has more. */
export function endText({ cut }: FileDiff): string | undefined {
  return cut === 'too_many_lines' ? text.changes.lack.tooManyLines(DIFF_LINE_LIMIT) : undefined;
}

function sizes({ old_bytes, new_bytes }: FileDiff): string {
  return [old_bytes, new_bytes]
    .filter((bytes) => bytes !== undefined)
    .map(formatBytes)
    .join(' → ');
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return text.parts.size(String(bytes), 'B');
  const [size, unit] = bytes < 1024 ** 2 ? ([bytes / 1024, 'KiB'] as const) : ([bytes / 1024 ** 2, 'MiB'] as const);
  return text.parts.size(String(size < 10 ? Number(size.toFixed(1)) : Math.round(size)), unit);
}

/** A file passes a filter if its path, or the one it had, has every word of it. */
export function matchesFilter({ path, old_path = '' }: DiffFile, filter: string): boolean {
  const whole = `${path}\n${old_path}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}
