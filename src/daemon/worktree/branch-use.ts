import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Git } from '../git.js';
import { readBackLink } from './worktree-link.js';

interface BranchPlace {
  /** The common git directory. */
  readonly gitDir: string;
  /** What to call the main worktree's place: its top. Absent for a bare repository, whose HEAD occupies nothing. */
  readonly mainWorktree?: string | undefined;
}

/** The commit that a branch is at; undefined when there is no such branch. */
export async function branchTip(git: Git, gitDir: string, branch: string): Promise<string | undefined> {
  const { code, stdout } = await git.attempt({ cwd: gitDir, gitDir }, ['show-ref', '--verify', '--hash', `refs/heads/${branch}`]);
  return code === 0 ? stdout.toString().trim() : undefined;
}

/**
 * The worktrees that have `branch` checked out, are about to make it by their first commit, or are rebasing or bisecting it. Most have none
 * or one. A worktree whose directory is gone counts, as it does for git.
 */
export async function branchUse(git: Git, { gitDir, mainWorktree }: BranchPlace, branch: string): Promise<string[]> {
  const ref = `refs/heads/${branch}`;
  const users = new Set<string>();
  for (const adminDir of await adminDirs(gitDir)) {
    if (!(await uses(adminDir, branch))) continue;
    const link = await readBackLink(adminDir);
    users.add(link === undefined ? adminDir : dirname(link));
  }
  if (mainWorktree === undefined) return [...users];
  if (await uses(gitDir, branch)) users.add(mainWorktree);
  // Where refs are kept in tables, only git itself knows what is checked out.
  const listed = await git.text({ cwd: gitDir, gitDir }, ['for-each-ref', '--format=%(worktreepath)', ref]);
  if (users.size === 0 && listed !== '') users.add(listed);
  return [...users];
}

/** git's directories for the linked worktrees of a repository, absolute. */
export async function adminDirs(gitDir: string): Promise<string[]> {
  const names = await readdir(join(gitDir, 'worktrees')).catch(() => []);
  return names.sort().map((name) => join(gitDir, 'worktrees', name));
}

/** Where git notes which branch a worktree is on, and to which it goes back when what it is doing there ends. */
async function uses(gitDir: string, branch: string): Promise<boolean> {
  const read = (name: string) => readFile(join(gitDir, name), 'utf8').catch(() => '');
  const ref = `refs/heads/${branch}`;
  if ((await read('HEAD')).trim() === `ref: ${ref}`) return true;
  for (const name of ['rebase-merge/head-name', 'rebase-apply/head-name']) if ((await read(name)).trim() === ref) return true;
  if ((await read('rebase-merge/update-refs')).split('\n').includes(ref)) return true;
  return [branch, ref].includes((await read('BISECT_START')).trim());
}
