import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { salvageRef } from '../../protocol/index.js';
import type { Git, GitPlace } from '../git.js';
import { invariant } from '../invariant.js';
import type { WorktreeRecord } from '../worktree-record.js';
import type { WorktreePlace } from './inventory-index.js';
import { lostCommits } from './lost-commits.js';
import { type SalvageManifest, salvageMessage } from './salvage-manifest.js';

/** No hook of the user's runs on a ref that is Maestro's. */
export const NO_HOOKS = ['-c', 'core.hooksPath=/dev/null'];

export interface CommitParts {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly at: number;
}

/** Writes a commit; it needs nobody's name, and takes any number of parents. Answers its id. */
export function writeCommit(git: Git, place: GitPlace, { tree, parents, message, at }: CommitParts): Promise<string> {
  const by = `Maestro <maestro@localhost> ${Math.floor(at / 1000)} +0000`;
  const head = [`tree ${tree}`, ...new Set(parents.map((parent) => `parent ${parent}`)), `author ${by}`, `committer ${by}`];
  return git.text(place, ['hash-object', '-t', 'commit', '-w', '--stdin'], { input: `${head.join('\n')}\n\n${message}` });
}

/** The commit of a salvage that is there already. */
export async function salvageCommitOf(git: Git, place: GitPlace, id: string): Promise<string | undefined> {
  const answer = await git.attempt(place, ['rev-parse', '--verify', '--quiet', `${salvageRef(id)}^{commit}`]);
  return answer.code === 0 ? answer.stdout.toString('latin1').trim() : undefined;
}

interface Keeping {
  readonly manifest: SalvageManifest;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly at: number;
  /** The repository's common git directory. */
  readonly gitDir: string;
  /** Throws where the commit does not hold what it is to hold. */
  readonly verify: (commit: string) => Promise<void>;
}

/**
 * Writes the salvage commit, verifies it, and only then makes its ref, over a former salvage of the same id which becomes its last
 * parent. When this resolves all of it has reached the disk, the names of the files too.
 */
export async function keepSalvage(git: Git, place: GitPlace, keeping: Keeping): Promise<string> {
  const { manifest, tree, parents, at, gitDir, verify } = keeping;
  const ref = salvageRef(manifest.id);
  const former = await salvageCommitOf(git, place, manifest.id);
  const all = former === undefined ? parents : [...parents, former];
  const commit = await writeCommit(git, place, { tree, parents: all, message: salvageMessage(manifest), at });
  await verify(commit);
  await git.run(place, [...NO_HOOKS, 'update-ref', ref, commit, former ?? '0'.repeat(commit.length)]);
  invariant((await salvageCommitOf(git, place, manifest.id)) === commit, `${ref} is the commit that was written`);
  for (const directory of ['objects', join('objects', 'pack'), join('objects', commit.slice(0, 2)), 'refs/maestro/salvage']) {
    await syncDirectory(join(gitDir, directory));
  }
  return commit;
}

/** Not all are there: a repository may keep its refs in a table, or its objects elsewhere. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r').catch(() => undefined);
  if (directory === undefined) return;
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** The message of the commit whose tree is what was staged. */
export const STAGED = 'What was staged\n';

/** One parent, or none. */
export function parentOf(id: string | undefined): string[] {
  return id === undefined ? [] : [id];
}

/** The commits that only this worktree knows and no salvage of it has yet. */
export async function lostCommitsOf(git: Git, record: WorktreeRecord, place: WorktreePlace): Promise<string[]> {
  const former = await salvageCommitOf(git, place, record.id);
  return lostCommits(git, place, { adminDir: place.gitDir, gitDir: record.git_dir, branches: [record.branch], former });
}
