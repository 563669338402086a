import { mkdir, realpath, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { MaestroError } from '../../protocol/index.js';
import { type Git, GitError } from '../git.js';
import { invariant } from '../invariant.js';
import type { WorktreeRecord } from '../worktree-record.js';
import { createBranch, trackRemoteBranch } from './branch-creation.js';
import { gitFailed } from './git-failure.js';
import type { RepositoryQueue } from './repository-queue.js';
import { takeBack } from './undo-make.js';
import { readLink } from './worktree-link.js';

interface MakeParts {
  readonly git: Git;
  readonly queue: RepositoryQueue;
}

/**
 * Makes the worktree that `record` plans, and its branch. When it rejects, all that it made is gone again. The record is on disk before
 * this is called, so that what a crash leaves half-made is found and undone.
 */
export function makeWorktree({ git, queue }: MakeParts, record: WorktreeRecord): Promise<WorktreeRecord> {
  return queue.run(record.git_dir, async () => {
    const parents = await makeDirectory(record.path);
    try {
      if (record.created_branch) await createBranch(git, record);
      await addWorktree(git, record);
      if (record.created_branch) await trackRemoteBranch(git, record);
      return { ...record, admin_dir: await adminDirOf(record), state: 'made' as const };
    } catch (error) {
      // What cannot be taken back now is still on record, and undone later: what went wrong first is what the user has to know.
      await takeBack(git, record, { certain: true }).catch(() => undefined);
      await removeParents(parents);
      throw gitFailed(`make the worktree ${record.path}`, error);
    }
  });
}

interface MadeParents {
  readonly lowest: string;
  /** The highest that was made; absent when all were there. */
  readonly highest: string | undefined;
}

/** The directory is made here and not by git, as git also takes one that is there. */
async function makeDirectory(path: string): Promise<MadeParents> {
  const lowest = dirname(path);
  // Another worktree's failure may remove the empty directory between the two steps.
  for (let attempt = 1; ; attempt += 1) {
    try {
      const highest = await mkdir(lowest, { recursive: true });
      await mkdir(path);
      return { lowest, highest };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === 5) throw notMade(path, error);
    }
  }
}

function notMade(path: string, cause: unknown): MaestroError {
  const { code, message } = cause as NodeJS.ErrnoException;
  const isTaken = code === 'EEXIST';
  const text = isTaken
    ? `there is something already at ${path}; move it away, then try again`
    : `cannot make the directory ${path}: ${message}; check worktrees_dir, its permissions and its disk`;
  return new MaestroError('storage_failed', text, { details: { path, errno: code }, cause });
}

async function removeParents({ lowest, highest }: MadeParents): Promise<void> {
  if (highest === undefined) return;
  for (let directory = lowest; directory.length >= highest.length; directory = dirname(directory)) {
    const isRemoved = await rmdir(directory).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}

/** From the main worktree, as a user would: git copies its sparse checkout, and finds hooks that are named relative to it. */
async function addWorktree(git: Git, { base_repo, git_dir, path, branch }: WorktreeRecord): Promise<void> {
  try {
    await git.run({ cwd: base_repo, gitDir: git_dir }, ['worktree', 'add', '--quiet', '--', path, branch], { patient: true });
  } catch (error) {
    const user =
      error instanceof GitError ? /is already (?:checked out|used by worktree) at '([\s\S]*)'\s*$/.exec(error.stderr)?.[1] : undefined;
    if (user === undefined) throw error;
    const message = `the branch ${branch} is in use by the worktree at ${user}; take another branch, or work there`;
    throw new MaestroError('branch_conflict', message, { details: { branch, path: user }, cause: error });
  }
}

async function adminDirOf({ path }: WorktreeRecord): Promise<string> {
  const adminDir = await readLink(path);
  invariant(adminDir !== undefined, 'git links a worktree that it made');
  return realpath(adminDir);
}
