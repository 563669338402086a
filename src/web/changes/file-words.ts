import { DIFF_BYTES_LIMIT, DIFF_LINE_LIMIT, type DiffFile, type FileDiff, type FileStatus } from '../../protocol/index.js';

interface StatusWords {
  readonly letter: string;
  readonly label: string;
}

const STATUSES: Readonly<Record<FileStatus, StatusWords>> = {
  added: { letter: 'A', label: 'Added' },
  modified: { letter: 'M', label: 'Modified' },
  deleted: { letter: 'D', label: 'Deleted' },
  renamed: { letter: 'R', label: 'Renamed' },
  copied: { letter: 'C', label: 'Copied' },
  type_changed: { letter: 'T', label: 'Type changed' },
  conflicted: { letter: '!', label: 'In conflict' },
  untracked: { letter: 'U', label: 'Untracked' },
};

export function statusWords(status: FileStatus): StatusWords {
  return STATUSES[status];
}

/** What is said in place of lines where a file has none to compare. */
export function lackText(diff: FileDiff): string | undefined {
  if (diff.cut === 'too_large') return `Too large to compare: more than ${formatBytes(DIFF_BYTES_LIMIT)}${sizes(diff, ' (', ')')}.`;
  if (diff.binary) return `Binary file${sizes(diff, ': ', '')}.`;
  if (diff.hunks.length > 0) return undefined;
  return modeText(diff) ?? EMPTY[diff.status] ?? 'No line differs, only what git does not compare.';
}

function modeText({ old_mode, new_mode }: FileDiff): string | undefined {
  if (old_mode === undefined || new_mode === undefined || old_mode === new_mode) return undefined;
  return `No line differs: its mode changed from ${old_mode} to ${new_mode}.`;
}

const EMPTY: Partial<Readonly<Record<FileStatus, string>>> = {
  added: 'An empty file.',
  untracked: 'An empty file.',
  deleted: 'An empty file was deleted.',
  renamed: 'Renamed, without another change.',
  copied: 'Copied, without another change.',
  conflicted: 'In conflict: git has no lines to compare until it is resolved.',
};

/** What is said behind the last line of a file that has more. */
export function endText({ cut }: FileDiff): string | undefined {
  return cut === 'too_many_lines' ? `More than ${DIFF_LINE_LIMIT.toLocaleString('en')} lines: the rest is left out.` : undefined;
}

function sizes({ old_bytes, new_bytes }: FileDiff, before: string, behind: string): string {
  const known = [old_bytes, new_bytes].filter((bytes) => bytes !== undefined).map(formatBytes);
  return known.length === 0 ? '' : `${before}${known.join(' → ')}${behind}`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const [size, unit] = bytes < 1024 ** 2 ? [bytes / 1024, 'KiB'] : [bytes / 1024 ** 2, 'MiB'];
  return `${size < 10 ? Number(size.toFixed(1)) : Math.round(size)} ${unit}`;
}

/** A file passes a filter if its path, or the one it had, has every word of it. */
export function matchesFilter({ path, old_path = '' }: DiffFile, filter: string): boolean {
  const whole = `${path}\n${old_path}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}
