import { lstat, readdir, readFile, rm, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Git } from '../git.js';
import type { WorktreeRecord } from '../worktree-record.js';
import { removeUnusedBranch } from './branch-creation.js';
import { adminDirs } from './branch-use.js';
import { emptyDirectory } from './delete-tree.js';
import { gitFailed } from './git-failure.js';
import { hasMaking } from './git-making.js';
import type { RepositoryQueue } from './repository-queue.js';
import { isSameFile, readBackLink, readLink } from './worktree-link.js';
import { holdsWork } from './worktree-work.js';

const LINK = Buffer.from('.git');

interface UndoParts {
  readonly git: Git;
  readonly queue: RepositoryQueue;
}

/**
 * Undoes a make that a crash cut off anywhere, or one that turned out not to be wanted, and only what that make made. `kept` says that
 * there is something in the directory that no one can make again, or that git is still at work in it: then nothing at all is touched.
 */
export async function undoMake({ git, queue }: UndoParts, record: WorktreeRecord): Promise<'undone' | 'kept'> {
  if (await hasMaking(record.path)) return 'kept';
  try {
    return await queue.run(record.git_dir, () => takeBack(git, record, { certain: false }));
  } catch (error) {
    throw gitFailed(`undo the worktree ${record.path}`, error);
  }
}

interface TakeBackOptions {
  /** This process has made it just now: whatever is in it, git or a hook of the repository made. */
  readonly certain: boolean;
}

/** For those who are in the repository's queue. */
export async function takeBack(git: Git, record: WorktreeRecord, { certain }: TakeBackOptions): Promise<'undone' | 'kept'> {
  const admins = await ownAdminDirs(record);
  const state = await directoryState(record.path, admins);
  if (state === 'foreign') return 'kept';
  const [adminDir] = admins;
  if (state === 'linked' && !certain && (await holdsWork(git, record, adminDir))) return 'kept';
  if (state === 'linked') await emptyWorktree(record.path);
  if (state !== 'absent') await rmdir(record.path);
  for (const admin of admins) await rm(admin, { recursive: true, force: true });
  await rmdir(join(record.git_dir, 'worktrees')).catch(() => undefined);
  await removeUnusedBranch(git, record);
  return 'undone';
}

/**
 * git's directories for this worktree: those that name it, and one that git had no time to write a path into, which has the name that git
 * makes from the path's last part.
 */
async function ownAdminDirs({ path, git_dir }: WorktreeRecord): Promise<string[]> {
  const own: string[] = [];
  for (const adminDir of await adminDirs(git_dir)) {
    const back = await readBackLink(adminDir);
    const isOwn = back === undefined ? nameOf(adminDir, path) : await isLinkOf(path, back);
    if (isOwn) own.push(adminDir);
  }
  return own;
}

function nameOf(adminDir: string, path: string): boolean {
  const [name, own] = [basename(adminDir), basename(path)];
  return name.startsWith(own) && /^\d*$/.test(name.slice(own.length));
}

/** Neither the `.git` file nor the directory need be there, so that what is above it is compared. */
async function isLinkOf(path: string, link: string): Promise<boolean> {
  const directory = dirname(link);
  return basename(link) === '.git' && basename(directory) === basename(path) && (await isSameFile(dirname(directory), dirname(path)));
}

async function directoryState(path: string, admins: readonly string[]): Promise<'absent' | 'empty' | 'linked' | 'foreign'> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return 'absent';
  if (!found.isDirectory()) return 'foreign';
  const names = await readdir(path);
  if (names.length === 0) return 'empty';
  if (names.length === 1 && names[0] === '.git' && (await readFile(join(path, '.git'), 'utf8').catch(() => undefined)) === '')
    return 'linked';
  const named = await readLink(path);
  if (named === undefined) return 'foreign';
  for (const admin of admins) if (await isSameFile(named, admin)) return 'linked';
  return 'foreign';
}

/** The link goes last: what a crash leaves is still known for what it is. */
async function emptyWorktree(path: string): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true, encoding: 'buffer' })) {
    if (entry.name.equals(LINK)) continue;
    const inside = Buffer.concat([Buffer.from(`${path}/`), entry.name]);
    if (entry.isDirectory()) await emptyDirectory(inside);
    await (entry.isDirectory() ? rmdir(inside) : unlink(inside));
  }
  await emptyDirectory(Buffer.from(path));
}
