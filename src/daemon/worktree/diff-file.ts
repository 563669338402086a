import { DIFF_LINE_LIMIT, type FileDiff, MaestroError } from '../../protocol/index.js';
import { type Git, GitError } from '../git.js';
import { type Comparison, changesOf, patchOf, type Sizes, sizesOf } from './diff-comparison.js';
import { type DiskFacts, isTooLarge, named, withoutChange } from './diff-files.js';
import { parseHunks, patchHead } from './diff-hunks.js';
import { parseRaw, type RawChange } from './diff-records.js';
import { bytesOf, type RawPath, rawPath, shown } from './raw-path.js';

interface FileOptions {
  readonly path: string;
  readonly context: number;
  readonly facts: DiskFacts;
}

/** The hunks of one changed file. Rejects with `not_found` for a path that is none: it then is no path of anything. */
export async function diffOfFile(git: Git, comparison: Comparison, { path, context, facts }: FileOptions): Promise<FileDiff> {
  const change = await findChange(git, comparison, { path, facts });
  const [sizes = {}] = await sizesOf(git, comparison, [change]);
  const head = { ...named(change, facts), ...sizeFields(sizes) };
  if (isTooLarge(sizes)) return { ...head, binary: false, hunks: [], cut: 'too_large' };
  if (facts.opaque.includes(change.path)) return { ...head, binary: false, hunks: [] };
  const answer = await patchOf(git, comparison, { change, context });
  if (answer.code !== 0 && !answer.truncated) throw new GitError(['diff'], answer);
  const { counts, rest } = parseRaw(answer.stdout);
  if (counts.has(change.path) && counts.get(change.path) === undefined) return { ...head, binary: true, hunks: [] };
  const patch = parseHunks(answer.stdout.subarray(rest), {
    head: patchHead(change.oldPath ?? change.path, change.path),
    maxLines: DIFF_LINE_LIMIT,
  });
  const count = counts.get(change.path) ?? { additions: 0, deletions: 0 };
  const cut = patch.cut || answer.truncated ? { cut: 'too_many_lines' as const } : {};
  return { ...head, ...count, binary: false, hunks: [...patch.hunks], ...cut };
}

/** The wanted path is only ever compared with git's own list, so that no path leads out of the tree. */
async function findChange(git: Git, comparison: Comparison, { path, facts }: Omit<FileOptions, 'context'>): Promise<RawChange> {
  const wanted = rawPath(Buffer.from(path));
  const change = withoutChange(await changesOf(git, comparison), facts).find((candidate) => candidate.path === wanted);
  if (change === undefined) {
    throw new MaestroError('not_found', `${path} is not among the changed files; it may have changed back, so look at their list again`, {
      details: { path },
    });
  }
  // A name that is not UTF-8 cannot be given to git again, so that the file shows as new.
  if (change.oldPath === undefined || isText(change.oldPath)) return change;
  const { oldPath: _, ...added } = change;
  return { ...added, status: 'added', oldMode: '000000' };
}

function isText(path: RawPath): boolean {
  return bytesOf(path).equals(Buffer.from(shown(path)));
}

function sizeFields({ old: oldBytes, new: newBytes }: Sizes): Pick<FileDiff, 'old_bytes' | 'new_bytes'> {
  return {
    ...(oldBytes === undefined ? {} : { old_bytes: oldBytes }),
    ...(newBytes === undefined ? {} : { new_bytes: newBytes }),
  };
}
