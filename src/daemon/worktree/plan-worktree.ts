import { stat } from 'node:fs/promises';
import type { z } from 'zod';
import { MaestroError, type WorktreeRequestSchema } from '../../protocol/index.js';
import { type Clock, formatTime } from '../clock.js';
import type { Git } from '../git.js';
import { WORKTREE_RECORD_VERSION, type WorktreeRecord } from '../worktree-record.js';
import { remoteBranches, resolveBase } from './base-commit.js';
import { checkBranchName } from './branch-name.js';
import { branchTip, branchUse } from './branch-use.js';
import { openRepository, type Repository, refsPlace, requireCommits, shellQuote } from './repository.js';
import { freeWorktreePath } from './worktree-path.js';

interface PlanParts {
  readonly git: Git;
  readonly clock: Clock;
  /** Where worktrees are kept, absolute. It need not exist. */
  readonly directory: string;
}

export interface WorktreePlan {
  /** Of the session that it is for. */
  readonly id: string;
  /** `base_repo` is absolute. */
  readonly request: Pick<z.output<typeof WorktreeRequestSchema>, 'base_repo' | 'branch' | 'create_branch' | 'base'>;
  /** The session's display name. */
  readonly name?: string | undefined;
}

type Branch = Pick<WorktreeRecord, 'branch' | 'created_branch' | 'base_commit' | 'base'>;

/** The record of a worktree that can be made as things stand. Nothing is made yet. */
export async function planWorktree({ git, clock, directory }: PlanParts, { id, request, name }: WorktreePlan): Promise<WorktreeRecord> {
  const repository = await openRepository(git, request.base_repo);
  await checkBranchName(git, refsPlace(repository), request.branch);
  await requireCommits(git, repository);
  const branch = request.create_branch ? await newBranch(git, repository, request) : await existingBranch(git, repository, request.branch);
  return {
    version: WORKTREE_RECORD_VERSION,
    id,
    path: await freeWorktreePath({ directory, repositoryPath: repository.path, branch: request.branch, id }),
    base_repo: repository.path,
    git_dir: repository.gitDir,
    ...branch,
    ...(name === undefined ? {} : { name }),
    created_at: formatTime(clock.now()),
    state: 'making',
  };
}

async function newBranch(git: Git, repository: Repository, { branch, base }: WorktreePlan['request']): Promise<Branch> {
  const [user] = await branchUse(git, repository, branch);
  const tip = await branchTip(git, repository.gitDir, branch);
  if (user !== undefined) throw await inUse(branch, user);
  if (tip !== undefined) throw conflict(branch, { exists: true, problem: 'exists already; take another name, or use the existing branch' });
  const clash = await clashingBranch(git, repository, branch);
  if (clash !== undefined) {
    const problem = `cannot be beside the branch ${clash}, as git keeps branches as files and directories; take another name`;
    throw conflict(branch, { exists: false, problem });
  }
  const { commit, base: baseName } = await resolveBase(git, repository, base);
  return { branch, created_branch: true, base_commit: commit, ...(baseName === undefined ? {} : { base: baseName }) };
}

async function existingBranch(git: Git, repository: Repository, branch: string): Promise<Branch> {
  const tip = await branchTip(git, repository.gitDir, branch);
  if (tip === undefined) throw await missing(git, repository, branch);
  const [user] = await branchUse(git, repository, branch);
  if (user !== undefined) throw await inUse(branch, user);
  return { branch, created_branch: false, base_commit: tip };
}

/** A branch whose name is a directory where the other's is a file: `feat` beside `feat/x`. */
async function clashingBranch(git: Git, repository: Repository, branch: string): Promise<string | undefined> {
  const parts = branch.split('/');
  for (let length = 1; length < parts.length; length += 1) {
    const above = parts.slice(0, length).join('/');
    if ((await branchTip(git, repository.gitDir, above)) !== undefined) return above;
  }
  const below = await git.text(refsPlace(repository), [
    'for-each-ref',
    '--count=1',
    '--format=%(refname:lstrip=2)',
    `refs/heads/${branch}/`,
  ]);
  return below === '' ? undefined : below;
}

async function missing(git: Git, repository: Repository, branch: string): Promise<MaestroError> {
  const remote = await remoteBranches(git, repository, branch);
  const next = remote.length === 0 ? 'let it be created' : `create it with base ${remote.map((name) => JSON.stringify(name)).join(' or ')}`;
  return new MaestroError('invalid_request', `worktree.branch: there is no branch ${branch} in ${repository.path}; ${next}`, {
    details: { field: 'worktree.branch', remote_branches: remote },
  });
}

/** `exists` says whether the branch could be used as it is. */
function conflict(branch: string, { exists, problem }: { readonly exists: boolean; readonly problem: string }): MaestroError {
  return new MaestroError('branch_conflict', `the branch ${branch} ${problem}`, { details: { branch, exists } });
}

async function inUse(branch: string, path: string): Promise<MaestroError> {
  const isThere = (await stat(path).catch(() => undefined)) !== undefined;
  const next = isThere
    ? `; take another branch, or work there: cd ${shellQuote(path)}`
    : ', which is gone; make git forget it with `git worktree prune`, then try again';
  return new MaestroError('branch_conflict', `the branch ${branch} is in use by the worktree at ${path}${next}`, {
    details: { branch, path },
  });
}
