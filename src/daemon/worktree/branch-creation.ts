import { MaestroError } from '../../protocol/index.js';
import { type Git, GitError, type GitPlace } from '../git.js';
import type { WorktreeRecord } from '../worktree-record.js';
import { branchTip, branchUse } from './branch-use.js';
import { retryWhileLocked } from './lock-retry.js';
import { NO_HOOKS } from './salvage-commit.js';

const TAKEN = /reference already exists|exists; cannot create|is at [0-9a-f]+ but expected/;

const placeOf = ({ git_dir }: WorktreeRecord): GitPlace => ({ cwd: git_dir, gitDir: git_dir });

/** The entry of the branch's log that says whose it is; a branch without one is somebody else's. */
const markOf = ({ id, base, base_commit }: WorktreeRecord) => `branch: Created from ${base ?? base_commit} (maestro ${id})`;

/**
 * Makes the branch, if there is none of that name. No tracking is written, whatever the user's settings say of new branches: the config
 * file has one lock, at which branches that are made at the same time would fail.
 */
export async function createBranch(git: Git, record: WorktreeRecord): Promise<void> {
  const input = `create refs/heads/${record.branch}\0${record.base_commit}\0`;
  const args = ['update-ref', '-m', markOf(record), '--create-reflog', '--stdin', '-z'];
  try {
    await retryWhileLocked(() => git.run(placeOf(record), args, { input }));
  } catch (error) {
    if (!(error instanceof GitError && TAKEN.test(error.stderr))) throw error;
    const message = `the branch ${record.branch} exists by now, or one that it cannot be beside; take another name`;
    throw new MaestroError('branch_conflict', message, { details: { branch: record.branch }, cause: error });
  }
}

/** A branch that is made from the remote branch of its own name goes on with it: `git pull` and `git push` need no more words. */
export async function trackRemoteBranch(git: Git, record: WorktreeRecord): Promise<void> {
  const remote = await remoteOf(git, record);
  if (remote === undefined) return;
  const args = ['branch', `--set-upstream-to=refs/remotes/${record.base}`, record.branch];
  try {
    await retryWhileLocked(() => git.run(placeOf(record), args));
  } catch (error) {
    // The remote fetches its branches to other names: there is nothing that could be tracked.
    if (!(error instanceof GitError && /cannot set up tracking/.test(error.stderr))) throw error;
  }
}

async function remoteOf(git: Git, record: WorktreeRecord): Promise<string | undefined> {
  const { base, branch } = record;
  if (base === undefined || !base.endsWith(`/${branch}`)) return undefined;
  const remote = base.slice(0, -branch.length - 1);
  const remotes = (await git.text(placeOf(record), ['remote'])).split('\n');
  if (!remotes.includes(remote)) return undefined;
  const { code } = await git.attempt(placeOf(record), ['show-ref', '--verify', '--quiet', `refs/remotes/${base}`]);
  return code === 0 ? remote : undefined;
}

/** Removes the branch if it is the one that was made for `record`, nothing was ever committed to it and no worktree has it. */
export async function removeUnusedBranch(git: Git, record: WorktreeRecord): Promise<void> {
  if (!record.created_branch || !(await isUnused(git, record))) return;
  const args = [...NO_HOOKS, 'update-ref', '-d', `refs/heads/${record.branch}`, record.base_commit];
  await retryWhileLocked(() => git.run(placeOf(record), args));
  await untrack(git, record);
}

async function isUnused(git: Git, record: WorktreeRecord): Promise<boolean> {
  const { branch, base_commit, git_dir, base_repo } = record;
  if ((await branchTip(git, git_dir, branch)) !== base_commit) return false;
  const log = await git.attempt(placeOf(record), ['reflog', 'show', '--format=%H %gs', `refs/heads/${branch}`, '--']);
  const entries = log.stdout.toString().trimEnd().split('\n');
  const isMarked = entries.at(-1) === `${base_commit} ${markOf(record)}`;
  if (!isMarked || !entries.every((entry) => entry.startsWith(`${base_commit} `))) return false;
  const mainWorktree = base_repo === git_dir ? undefined : base_repo;
  return (await branchUse(git, { gitDir: git_dir, mainWorktree }, branch)).length === 0;
}

async function untrack(git: Git, record: WorktreeRecord): Promise<void> {
  const remote = await remoteOf(git, record);
  if (remote === undefined) return;
  const section = `branch.${record.branch}`;
  const { stdout } = await git.attempt(placeOf(record), ['config', '--local', '--get', `${section}.remote`]);
  if (stdout.toString().trimEnd() !== remote) return;
  for (const key of ['remote', 'merge', 'rebase']) {
    await retryWhileLocked(async () => {
      const args = ['config', '--local', '--unset', `${section}.${key}`];
      const { code, stderr, truncated } = await git.attempt(placeOf(record), args);
      if (code !== 0 && code !== 5) throw new GitError(args, { code, stderr, truncated });
    });
  }
}
