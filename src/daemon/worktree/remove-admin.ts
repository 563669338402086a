import { readdir, realpath, rename, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { WorktreeRecord } from '../worktree-record.js';
import { emptyDirectory } from './delete-tree.js';
import { readBackLink } from './worktree-link.js';

/**
 * The administrative directory of a worktree whose directory is gone or set aside, if it is still this worktree's: it is one of its
 * repository's, and says that its worktree is at the record's path. Another worktree may have taken over the name.
 */
export async function ownAdminDir({ path, git_dir, admin_dir }: WorktreeRecord): Promise<string | undefined> {
  const candidates = admin_dir === undefined ? await adminDirsOf(git_dir) : [admin_dir];
  for (const candidate of candidates) {
    const [real, repository] = await Promise.all([candidate, git_dir].map((one) => realpath(one).catch(() => undefined)));
    if (real === undefined || repository === undefined || dirname(real) !== join(repository, 'worktrees')) continue;
    const back = await readBackLink(real);
    if (back !== undefined && (await isWorktreeAt(dirname(back), path))) return real;
  }
  return undefined;
}

async function adminDirsOf(gitDir: string): Promise<string[]> {
  const names = await readdir(join(gitDir, 'worktrees')).catch(() => []);
  return names.map((name) => join(gitDir, 'worktrees', name));
}

/** The directory itself is not there, so what is above it is compared. */
async function isWorktreeAt(named: string, path: string): Promise<boolean> {
  if (named === path) return true;
  const [one, other] = await Promise.all([named, path].map((each) => realpath(dirname(each)).catch(() => undefined)));
  return one !== undefined && one === other && basename(named) === basename(path);
}

/**
 * Removes exactly one worktree's entry, its submodules' repositories with it. It is moved out of git's sight in one step first: no other git
 * sees half of it, and what a crash leaves is deleted by the next call, with or without `adminDir`.
 */
export async function removeAdminDir({ id, git_dir }: WorktreeRecord, adminDir: string | undefined): Promise<void> {
  const trash = join(git_dir, `maestro-removed-${id}`);
  await deleteDirectory(trash);
  if (adminDir === undefined) return;
  await rename(adminDir, trash);
  // As git does after its last linked worktree.
  await rmdir(dirname(adminDir)).catch(() => undefined);
  await deleteDirectory(trash);
}

/** No error if it is not there. */
async function deleteDirectory(path: string): Promise<void> {
  await emptyDirectory(Buffer.from(path));
  await rmdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
