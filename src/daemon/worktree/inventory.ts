import { INVENTORY_LIST_LIMIT, type Inventory, type InventoryFile } from '../../protocol/index.js';
import { type Git, GitError } from '../git.js';
import { invariant } from '../invariant.js';
import type { WorktreeRecord } from '../worktree-record.js';
import { type CommitList, listCommits } from './commit-list.js';
import { gitReason } from './git-failure.js';
import { UnreadableWorktree, type WorktreePlace } from './inventory-index.js';
import { shown } from './raw-path.js';
import { asideOf, exists } from './removal-aside.js';
import { ownAdminDir } from './remove-admin.js';
import { ownedModules } from './submodules.js';
import { holdsWork, type Survey, type SurveyFile, surveyWorktree } from './survey.js';
import { checkLink, readLink } from './worktree-link.js';

/** What {@link takeInventory} says, and the exact paths that it says it of; the latter only of a worktree that can be read. */
export interface FullInventory {
  readonly inventory: Inventory;
  readonly survey: Survey | undefined;
}

/**
 * What exists nowhere but in this worktree. Nothing in it, in its index or in its repository is changed, and nothing that hides changes
 * from git is trusted. Slow on a large worktree, so not to be taken while others wait for the repository.
 */
export async function takeInventory(git: Git, record: WorktreeRecord): Promise<Inventory> {
  if (!(await exists(record.path))) return inventoryOfMissing(git, record);
  const broken = await checkLink(record);
  if (broken !== undefined) return brokenInventory(broken);
  return (await inventoryAt(git, record, await placeOf(record))).inventory;
}

/**
 * Its directory was deleted by hand, or was moved aside by a removal that was cut off. What git still knows of it is saved whenever it is
 * removed, but for what submodules hold.
 */
async function inventoryOfMissing(git: Git, record: WorktreeRecord): Promise<Inventory> {
  const { checked } = asideOf(record);
  const adminDir = await ownAdminDir(record);
  if (adminDir !== undefined && (await exists(checked))) {
    return (await inventoryAt(git, record, { cwd: checked, gitDir: adminDir, workTree: checked })).inventory;
  }
  const modules = adminDir === undefined ? [] : await ownedModules(git, adminDir);
  return { ...EMPTY, clean: modules.length === 0, dirty_submodules: modules };
}

/** Where the worktree of `record` is, once its link has been checked. */
export async function placeOf({ path, admin_dir }: WorktreeRecord): Promise<WorktreePlace> {
  const gitDir = admin_dir ?? (await readLink(path));
  invariant(gitDir !== undefined, 'a worktree with a good link has a git directory');
  return { cwd: path, gitDir, workTree: path };
}

/** The same for a worktree that was moved to `place` for the moment, whose link is not looked at. */
export async function inventoryAt(git: Git, record: WorktreeRecord, place: WorktreePlace): Promise<FullInventory> {
  try {
    const main = record.base_repo === record.git_dir ? undefined : record.base_repo;
    const survey = await surveyWorktree(git, place, { main });
    const modules = await ownedModules(git, place.gitDir);
    return { inventory: await inventoryOf(git, record, { survey, place, modules }), survey };
  } catch (error) {
    if (!(error instanceof UnreadableWorktree || error instanceof GitError)) throw error;
    const broken = error instanceof GitError ? `git cannot read it: ${gitReason(error.stderr) || error.message}` : error.message;
    return { inventory: brokenInventory(broken), survey: undefined };
  }
}

interface Found {
  readonly survey: Survey;
  readonly place: WorktreePlace;
  /** Names of submodules with commits of their own, checked out or not. */
  readonly modules: readonly string[];
}

async function inventoryOf(git: Git, record: WorktreeRecord, { survey, place, modules }: Found): Promise<Inventory> {
  const detached = survey.branch === undefined ? await detachedCommits(git, place, survey.head) : NONE;
  const onBranch =
    survey.branch === undefined ? NONE : await branchCommits(git, record, { place, head: survey.head, branch: survey.branch });
  const dirty = [...new Set([...survey.dirtySubmodules.map(shown), ...modules])].sort((a, b) => (a < b ? -1 : 1));
  return {
    clean: !holdsWork(survey) && dirty.length === 0 && detached.total === 0,
    ...(survey.branch === undefined ? {} : { branch: survey.branch }),
    ...(survey.head === undefined ? {} : { head: survey.head }),
    files: survey.files.slice(0, INVENTORY_LIST_LIMIT).map(describeFile),
    files_total: survey.files.length,
    ...{ detached_commits: detached.commits, detached_commits_total: detached.total },
    ...{ branch_commits: onBranch.commits, branch_commits_total: onBranch.total },
    nested_repositories: survey.nested.slice(0, INVENTORY_LIST_LIMIT).map(shown),
    dirty_submodules: dirty.slice(0, INVENTORY_LIST_LIMIT),
    ...(survey.operation === undefined ? {} : { operation: survey.operation }),
  };
}

const NONE: CommitList = { commits: [], total: 0 };

function detachedCommits(git: Git, place: WorktreePlace, head: string | undefined): Promise<CommitList> | CommitList {
  return head === undefined ? NONE : listCommits(git, place, [head, '--not', '--branches', '--tags', '--remotes']);
}

interface BranchAt {
  readonly place: WorktreePlace;
  readonly head: string | undefined;
  readonly branch: string;
}

async function branchCommits(git: Git, record: WorktreeRecord, { place, head, branch }: BranchAt): Promise<CommitList> {
  if (head === undefined || head === record.base_commit) return NONE;
  const known = await git.attempt(place, ['cat-file', '-e', `${record.base_commit}^{commit}`]);
  const base = known.code === 0 ? [record.base_commit] : [];
  const others = [`--exclude=${literalPattern(branch)}`, '--branches', '--tags', '--remotes'];
  return listCommits(git, place, [head, '--not', ...base, ...others]);
}

/** A branch name cannot hold `*`, `?` or `[`, which `--exclude` would take for more. */
function literalPattern(branch: string): string {
  return branch.replaceAll('\\', '\\\\');
}

export function describeFile({ path, kind, status, stats }: SurveyFile): InventoryFile {
  const bytes = stats === undefined || stats.isDirectory() ? {} : { bytes: Number(stats.size) };
  return { path: shown(path), kind, status, ...bytes };
}

export function brokenInventory(broken: string): Inventory {
  return { ...EMPTY, broken };
}

const EMPTY: Inventory = {
  ...{ clean: false, files: [], files_total: 0, detached_commits: [], detached_commits_total: 0 },
  ...{ branch_commits: [], branch_commits_total: 0, nested_repositories: [], dirty_submodules: [] },
};
