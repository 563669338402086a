import { readFile, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MaestroError } from '../../protocol/index.js';
import type { Git } from '../git.js';
import { invariant } from '../invariant.js';
import type { WorktreeRecord } from '../worktree-record.js';
import { emptyDirectory } from './delete-tree.js';
import { diskFailed } from './disk-failure.js';
import { gitFailed } from './git-failure.js';
import { brokenInventory, type FullInventory, inventoryAt, placeOf } from './inventory.js';
import type { WorktreePlace } from './inventory-index.js';
import { type Aside, asideOf, exists, move } from './removal-aside.js';
import { fingerprint } from './removal-fingerprint.js';
import { ownAdminDir, removeAdminDir } from './remove-admin.js';
import { removeBranch } from './remove-branch.js';
import type { RepositoryQueue } from './repository-queue.js';
import { type SavedSalvage, saveSalvage } from './salvage.js';
import { savedSalvage } from './salvage-read.js';
import { few, worktreeDirty } from './salvage-refusal.js';
import { rescueCommits } from './salvage-rescue.js';
import { ownedModules } from './submodules.js';
import { markOf } from './survey.js';
import { checkLink } from './worktree-link.js';
import { dropEmptyParent } from './worktree-path.js';

export interface RemovalParts {
  readonly git: Git;
  readonly queue: RepositoryQueue;
  /** Below which worktrees are made, in a directory for each repository. Such a one goes with its last worktree. */
  readonly directory?: string | undefined;
}

export interface RemovalOptions {
  /** Save what would be lost, and go on. */
  readonly salvage: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The display name of the session. */
  readonly name?: string | undefined;
}

export interface Removal {
  /** The branch of the record if it is still there; else another one that the worktree was on. */
  readonly branch_kept?: string;
  readonly salvage?: SavedSalvage;
}

const TRIES = 3;

/**
 * Removes a worktree that Maestro made: its directory, git's entry for it, and its branch if that holds nothing.
 *
 * It is looked at first. What would be lost is saved, or it is refused as `worktree_dirty` with nothing touched; commits that no ref holds are
 * saved in any case. Then the directory is moved aside in one step and looked at again there: if anything has come meanwhile, it is
 * moved back and all begins anew. Only then is it deleted. Whenever this is cut off or fails, it can be called again and goes on.
 */
export async function removeWorktree(parts: RemovalParts, record: WorktreeRecord, options: RemovalOptions): Promise<Removal> {
  const aside = asideOf(record);
  invariant(record.path !== record.base_repo && record.path !== record.git_dir, 'a main worktree is never removed');
  if (!(await exists(record.path)) && (await exists(aside.checked))) await move(aside.checked, record.path);
  let head: string | undefined;
  if (await exists(aside.doomed)) await requireOnlyOne(record, aside);
  else if (await exists(record.path)) head = await setAside(parts.git, record, { ...options, aside });
  else await rescueOfMissing(parts.git, record, options);
  await emptyOut(aside.doomed);
  const branch = (await parts.queue.run(record.git_dir, () => forget(parts.git, record))) ?? (head === record.branch ? undefined : head);
  await finish(parts, record, aside);
  const salvage = await savedSalvage(parts.git, record);
  return { ...(branch === undefined ? {} : { branch_kept: branch }), ...(salvage === undefined ? {} : { salvage }) };
}

type SetAsideOptions = RemovalOptions & { readonly aside: Aside };

/** Answers the branch that it was on. */
async function setAside(git: Git, record: WorktreeRecord, options: SetAsideOptions): Promise<string | undefined> {
  const { aside } = options;
  for (let tries = 1; tries <= TRIES; tries++) {
    const place = await lookedAt(record);
    const full = await secured(git, record, { ...options, place });
    const before = fingerprint(full);
    await move(record.path, aside.checked);
    let isSame = false;
    try {
      const moved = { ...place, cwd: aside.checked, workTree: aside.checked };
      isSame = fingerprint(await inventoryAt(git, record, moved)) === before && (await markOf(place.gitDir)) === full.survey?.mark;
    } finally {
      await move(aside.checked, isSame ? aside.doomed : record.path);
    }
    if (isSame) return full.survey?.head === undefined ? undefined : full.survey.branch;
  }
  const { inventory } = await inventoryAt(git, record, await lookedAt(record));
  throw worktreeDirty(record, 'is being written to all the time: stop what writes there, then try again', inventory);
}

/** Rejects where git must not be asked: the link is broken. And where somebody has locked the worktree. */
async function lookedAt(record: WorktreeRecord): Promise<WorktreePlace> {
  const broken = await checkLink(record);
  if (broken !== undefined) {
    throw worktreeDirty(
      record,
      `is broken: ${broken}; repair it (\`git worktree repair\`), or keep it (keep_worktree)`,
      brokenInventory(broken),
    );
  }
  const place = await placeOf(record);
  await requireUnlocked(record, place.gitDir);
  return place;
}

async function requireUnlocked(record: WorktreeRecord, adminDir: string): Promise<void> {
  const reason = await readFile(join(adminDir, 'locked'), 'utf8').catch(() => undefined);
  if (reason === undefined) return;
  const why = reason.trim() === '' ? '' : ` (${reason.trim()})`;
  const text = `worktree ${record.path} was locked with \`git worktree lock\`${why}; unlock it with \`git worktree unlock\`, or keep it (keep_worktree)`;
  throw new MaestroError('worktree_dirty', text, { details: { id: record.id, path: record.path, locked: reason.trim() } });
}

/** Nothing is lost any more when this resolves, as the worktree was. */
async function secured(
  git: Git,
  record: WorktreeRecord,
  options: RemovalOptions & { readonly place: WorktreePlace },
): Promise<FullInventory> {
  const full = await inventoryAt(git, record, options.place);
  if (full.inventory.clean) {
    await rescueCommits(git, record, options);
    return full;
  }
  if (options.salvage) return (await saveSalvage(git, record, options)).full;
  throw worktreeDirty(
    record,
    `holds work that exists nowhere else; commit it, remove it by force to have it saved first, or keep it`,
    full.inventory,
  );
}

/** Somebody has deleted the directory. What git still knows of it is saved. */
async function rescueOfMissing(git: Git, record: WorktreeRecord, { now, name }: RemovalOptions): Promise<void> {
  const adminDir = await ownAdminDir(record);
  if (adminDir === undefined) return;
  await requireUnlocked(record, adminDir);
  const modules = await ownedModules(git, adminDir);
  if (modules.length > 0) {
    const problem = `is gone, but git still has commits of its submodules (${few(modules)}) that were never pushed, in ${adminDir}/modules: push them from there, or keep the worktree (keep_worktree)`;
    throw worktreeDirty(record, problem, { ...brokenInventory(`its directory ${record.path} is gone`), dirty_submodules: modules });
  }
  await rescueCommits(git, record, { now, name, staged: true, place: { cwd: adminDir, gitDir: adminDir, workTree: adminDir } });
}

/** A worktree was made anew at the path of one that was being removed, and took over git's entry: it is not the one to be deleted. */
async function requireOnlyOne(record: WorktreeRecord, { doomed }: Aside): Promise<void> {
  if ((await checkLink(record)) !== undefined) return;
  const { id, path } = record;
  const text = `worktree ${path} was to be removed, and is there again beside ${doomed}; delete the latter if nothing in it is needed, then try again`;
  throw new MaestroError('worktree_dirty', text, { details: { id, path } });
}

async function emptyOut(directory: string): Promise<void> {
  try {
    await emptyDirectory(Buffer.from(directory));
  } catch (error) {
    throw diskFailed('delete all of', directory, error);
  }
}

/** The empty directory is there until git's entry is gone: it says that this was no directory that somebody deleted. */
async function forget(git: Git, record: WorktreeRecord): Promise<string | undefined> {
  if (!(await exists(record.git_dir))) return undefined;
  const adminDir = await ownAdminDir(record);
  try {
    await removeAdminDir(record, adminDir);
  } catch (error) {
    throw diskFailed("delete git's entry of the worktree", adminDir ?? record.git_dir, error);
  }
  try {
    return await removeBranch(git, record);
  } catch (error) {
    throw gitFailed(`remove the branch ${record.branch}`, error);
  }
}

async function finish({ directory }: RemovalParts, record: WorktreeRecord, { doomed }: Aside): Promise<void> {
  try {
    if (await exists(doomed)) await rmdir(doomed);
  } catch (error) {
    throw diskFailed('delete', doomed, error);
  }
  if (directory !== undefined) await dropEmptyParent(directory, record.path);
}
