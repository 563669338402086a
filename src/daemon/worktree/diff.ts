import { type Diff, type DiffAgainst, type FileDiff, MaestroError } from '../../protocol/index.js';
import type { Git, GitPlace } from '../git.js';
import { commitsIn } from './diff-commits.js';
import type { Comparison } from './diff-comparison.js';
import { diffOfFile } from './diff-file.js';
import { diffFiles, NO_FACTS } from './diff-files.js';
import { DiffIndex } from './diff-index.js';
import { type DiffTree, isDirectory } from './diff-tree.js';
import { gitFailed } from './git-failure.js';
import { type ComparedRef, comparedRef, distance, type Head, readHead } from './git-state-branch.js';
import { operationIn } from './git-state-operation.js';

/** Unchanged lines around each change, unless asked for otherwise. */
const CONTEXT_LINES = 3;

interface DiffOptions {
  readonly against: DiffAgainst;
}

interface FileDiffOptions extends DiffOptions {
  /** As {@link Diff} names it. */
  readonly path: string;
  readonly context?: number | undefined;
}

/**
 * What differs between the files on disk, untracked ones included, and where the session began or the last commit. Changes nothing in the
 * worktree and the repository, its index included.
 */
export async function diffOf(git: Git, tree: DiffTree, { against }: DiffOptions): Promise<Diff> {
  return readable(tree.root, async () => {
    const place = await standing(git, tree);
    const base = await baseOf(git, tree, { ...place, against });
    await using index = await DiffIndex.open(git, tree);
    const [files, commits, apart, operation] = await Promise.all([
      diffFiles(git, await comparisonWith(git, index, { base, root: tree.root }), index),
      base === undefined || place.head.commit === undefined
        ? { commits: [], commits_total: 0 }
        : commitsIn(git, tree.place, { from: base, to: place.head.commit }),
      place.compared === undefined ? undefined : distance(git, tree.place, place.compared.ref),
      tree.place.gitDir === undefined ? undefined : operationIn(tree.place.gitDir),
    ]);
    return {
      against,
      root: tree.root,
      ...described(place.head, base),
      ...files,
      ...commits,
      ...(place.compared === undefined || apart === undefined ? {} : { compared_with: place.compared.name, ...apart }),
      ...(operation === undefined ? {} : { operation }),
    };
  });
}

/** One file of {@link diffOf}. Rejects with `not_found` for a path that is not among them. */
export async function fileDiffOf(git: Git, tree: DiffTree, { against, path, context = CONTEXT_LINES }: FileDiffOptions): Promise<FileDiff> {
  return readable(tree.root, async () => {
    const base = await baseOf(git, tree, { ...(await standing(git, tree)), against });
    await using index = await DiffIndex.open(git, tree);
    return await diffOfFile(git, await comparisonWith(git, index, { base, root: tree.root }), { path, context, facts: index });
  });
}

export interface CommitRange {
  readonly from: string;
  readonly to: string;
}

/** What differs between two commits of a repository, in the shape of {@link diffOf}. */
export async function commitRangeDiff(git: Git, place: GitPlace, { from, to }: CommitRange): Promise<Diff> {
  return readable(place.cwd, async () => {
    const files = await diffFiles(git, { place, between: [from, to] }, NO_FACTS);
    return { against: 'head', root: place.cwd, base: from, head: to, ...files, commits: [], commits_total: 0 };
  });
}

interface RangeFileOptions extends CommitRange {
  readonly path: string;
  readonly context?: number | undefined;
}

/** One file of {@link commitRangeDiff}. */
export async function commitRangeFileDiff(git: Git, place: GitPlace, options: RangeFileOptions): Promise<FileDiff> {
  const { from, to, path, context = CONTEXT_LINES } = options;
  return readable(place.cwd, () => diffOfFile(git, { place, between: [from, to] }, { path, context, facts: NO_FACTS }));
}

interface Standing {
  readonly head: Head;
  readonly compared: ComparedRef | undefined;
}

async function standing(git: Git, { place, comparedWith }: DiffTree): Promise<Standing> {
  const head = await readHead(git, place);
  return { head, compared: await comparedRef(git, place, { branch: head.branch, comparedWith }) };
}

/**
 * Where the session began. Once its branch has taken in newer commits of the one it came from, by a rebase or a merge, where it leaves that
 * one now, so that others' work does not show as the session's; but not when all of it has been merged there. An upstream is not the branch
 * that it came from: what was pushed is the session's still. Else the last commit.
 */
async function baseOf(
  git: Git,
  { place, baseCommit, comparedWith }: DiffTree,
  { against, head, compared }: Standing & DiffOptions,
): Promise<string | undefined> {
  if (against === 'head' || head.commit === undefined) return head.commit;
  const [began, left] = await Promise.all([
    baseCommit === undefined ? undefined : commitOf(git, place, ['rev-parse', '--verify', '--quiet', `${baseCommit}^{commit}`]),
    compared === undefined ? undefined : commitOf(git, place, ['merge-base', compared.ref, head.commit]),
  ]);
  if (began === undefined) return left ?? head.commit;
  if (left === undefined || left === began || left === head.commit || compared?.name !== comparedWith) return began;
  const isNewer = (await git.attempt(place, ['merge-base', '--is-ancestor', began, left])).code === 0;
  return isNewer ? left : began;
}

async function commitOf(git: Git, place: GitPlace, args: readonly string[]): Promise<string | undefined> {
  const answer = await git.attempt(place, args);
  return answer.code === 0 ? answer.stdout.toString('utf8').trim().split('\n')[0] : undefined;
}

interface DiskOptions {
  readonly base: string | undefined;
  readonly root: string;
}

/** Without a commit everything is new. */
async function comparisonWith(git: Git, { place }: DiffIndex, { base, root }: DiskOptions): Promise<Comparison> {
  return { place, root, between: [base ?? (await git.text(place, ['hash-object', '-t', 'tree', '--stdin'], { input: '' }))] };
}

function described(head: Head, base: string | undefined): Pick<Diff, 'branch' | 'base' | 'head'> {
  return {
    ...(head.branch === undefined ? {} : { branch: head.branch }),
    ...(base === undefined ? {} : { base }),
    ...(head.commit === undefined ? {} : { head: head.commit }),
  };
}

async function readable<T>(root: string, work: () => Promise<T>): Promise<T> {
  if (!(await isDirectory(root))) throw new MaestroError('cwd_missing', `${root} is not there any more, so there is nothing to compare`);
  try {
    return await work();
  } catch (error) {
    throw gitFailed(`compare the files in ${root}`, error);
  }
}
