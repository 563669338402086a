import { DIFF_BYTES_LIMIT, DIFF_FILE_LIMIT, type DiffFile } from '../../protocol/index.js';
import type { Git } from '../git.js';
import { type Comparison, compare, type Sizes, sizesOf } from './diff-comparison.js';
import type { RawChange } from './diff-records.js';
import { type RawPath, shown } from './raw-path.js';

/** What git's comparison of two trees does not tell of the files on disk. */
export interface DiskFacts {
  readonly untracked: ReadonlySet<RawPath>;
  readonly opaque: readonly RawPath[];
  readonly conflicted: ReadonlySet<RawPath>;
}

export const NO_FACTS: DiskFacts = { untracked: new Set(), opaque: [], conflicted: new Set() };

export interface DiffFiles {
  /** At most {@link DIFF_FILE_LIMIT}, by path. */
  readonly files: DiffFile[];
  /** Of all files. */
  readonly files_total: number;
  readonly additions: number;
  readonly deletions: number;
}

export async function diffFiles(git: Git, comparison: Comparison, facts: DiskFacts): Promise<DiffFiles> {
  const { changes, counts } = await compare(git, comparison);
  const all = withoutChange(changes, facts);
  const listed = all.slice(0, DIFF_FILE_LIMIT);
  const uncounted = listed.filter(({ path }) => counts.has(path) && counts.get(path) === undefined);
  const sizes = new Map((await sizesOf(git, comparison, uncounted)).map((size, at) => [uncounted[at]?.path, size]));
  const unknown = new Set(facts.opaque);
  const files = listed.map((change) => {
    const count = counts.get(change.path);
    const size = sizes.get(change.path);
    return {
      ...named(change, facts),
      ...(count ?? (size !== undefined || unknown.has(change.path) ? {} : { additions: 0, deletions: 0 })),
      binary: size !== undefined && !isTooLarge(size),
    };
  });
  const sum = (of: 'additions' | 'deletions') => [...counts.values()].reduce((total, count) => total + (count?.[of] ?? 0), 0);
  return { files, files_total: all.length, additions: sum('additions'), deletions: sum('deletions') };
}

/** What git says where a side is not there. */
const NO_MODE = '000000';

/** The path, status and modes of a change, as the wire tells them. */
export function named(change: RawChange, { untracked, conflicted }: DiskFacts): Omit<DiffFile, 'binary'> {
  const isNew = change.status === 'added' && untracked.has(change.path);
  return {
    path: shown(change.path),
    ...(change.oldPath === undefined ? {} : { old_path: shown(change.oldPath) }),
    status: conflicted.has(change.path) ? 'conflicted' : isNew ? 'untracked' : change.status,
    ...(change.oldMode === NO_MODE ? {} : { old_mode: change.oldMode }),
    ...(change.newMode === NO_MODE ? {} : { new_mode: change.newMode }),
  };
}

/** A side over the limit is not compared, whatever is in it. */
export function isTooLarge(sizes: Sizes): boolean {
  return Math.max(sizes.old ?? 0, sizes.new ?? 0) > DIFF_BYTES_LIMIT;
}

const NOTHING = { oldMode: NO_MODE, newMode: NO_MODE, oldId: '', newId: '' };

/** The changes, and what git does not compare: conflicts whose file is as before, and untracked things that it cannot read. By path. */
export function withoutChange(changes: readonly RawChange[], { conflicted, opaque }: DiskFacts): RawChange[] {
  const known = new Set(changes.map(({ path }) => path));
  const conflicts = [...conflicted].filter((path) => !known.has(path)).map((path) => ({ ...NOTHING, status: 'conflicted' as const, path }));
  const unread = opaque.map((path) => ({ ...NOTHING, status: 'untracked' as const, path }));
  if (conflicts.length + unread.length === 0) return [...changes];
  return [...changes, ...conflicts, ...unread].sort((one, other) => (one.path < other.path ? -1 : 1));
}
