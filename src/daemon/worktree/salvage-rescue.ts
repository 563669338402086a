import { salvageRef } from '../../protocol/index.js';
import type { Git } from '../git.js';
import type { WorktreeRecord } from '../worktree-record.js';
import { gitFailed } from './git-failure.js';
import type { WorktreePlace } from './inventory-index.js';
import type { SavedSalvage, SaveOptions } from './salvage.js';
import { keepSalvage, lostCommitsOf, parentOf, STAGED, writeCommit } from './salvage-commit.js';
import { manifestOf } from './salvage-manifest.js';
import { changedTree, stagedTree } from './salvage-trees.js';

export interface RescueOptions extends SaveOptions {
  /** Also the index, if it differs from HEAD. */
  readonly staged?: boolean;
}

/**
 * For a worktree that is clean: saves commits that no ref holds, such as what was amended or reset away, under the salvage ref. Answers
 * undefined where there are none. `staged` also saves the index if it differs from HEAD, for a worktree whose directory is gone.
 */
export async function rescueCommits(git: Git, record: WorktreeRecord, options: RescueOptions): Promise<SavedSalvage | undefined> {
  const { place, staged = false } = options;
  try {
    const lost = await lostCommitsOf(git, record, place);
    if (lost.length === 0 && !staged) return undefined;
    const head = await headOf(git, place);
    const tree = await changedTree(git, place, { head, changes: new Map() });
    const index = staged ? await stagedTree(git, place) : undefined;
    if (lost.length === 0 && (index ?? tree) === tree) return undefined;
    return await saveCommits(git, record, { ...options, head, lost, tree, index });
  } catch (error) {
    throw gitFailed(`save the commits of the worktree ${record.path}`, error);
  }
}

interface Rescued extends RescueOptions {
  readonly head: string | undefined;
  readonly lost: readonly string[];
  readonly tree: string;
  /** The tree of what is staged. */
  readonly index: string | undefined;
}

async function saveCommits(git: Git, record: WorktreeRecord, rescued: Rescued): Promise<SavedSalvage> {
  const { place, now, name, head, lost, tree, index } = rescued;
  const staged =
    index === undefined ? undefined : await writeCommit(git, place, { tree: index, parents: parentOf(head), message: STAGED, at: now });
  const branch = await branchOf(git, place);
  const manifest = manifestOf(record, { now, name, head, branch, index: staged, files: [] });
  const parents = [...parentOf(head), ...parentOf(staged), ...lost];
  const commit = await keepSalvage(git, place, { manifest, tree, parents, at: now, gitDir: record.git_dir, verify: async () => undefined });
  return { ref: salvageRef(record.id), commit, branch, files_total: 0, bytes: 0 };
}

async function headOf(git: Git, place: WorktreePlace): Promise<string | undefined> {
  const answer = await git.attempt(place, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  return answer.code === 0 ? answer.stdout.toString('latin1').trim() : undefined;
}

async function branchOf(git: Git, place: WorktreePlace): Promise<string | undefined> {
  const answer = await git.attempt(place, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  return answer.code === 0 ? answer.stdout.toString('utf8').trim() : undefined;
}
