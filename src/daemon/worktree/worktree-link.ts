import { lstat, readFile, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** What is known of a worktree whose link is to be checked; `admin_dir` is not, as long as the worktree is being made. */
export interface LinkedWorktree {
  readonly path: string;
  readonly git_dir: string;
  readonly admin_dir?: string | undefined;
}

/** git's own directory for the worktree at `path`, as its `.git` file names it. Undefined when there is no such file. */
export async function readLink(path: string): Promise<string | undefined> {
  const text = await readFile(join(path, '.git'), 'utf8').catch(() => undefined);
  const named = text === undefined ? undefined : /^gitdir: ([\s\S]+?)\r?\n?$/.exec(text)?.[1];
  return named === undefined ? undefined : resolve(path, named);
}

/** The `.git` file that git's directory for a worktree says is its own, absolute. Undefined when it says nothing. */
export async function readBackLink(adminDir: string): Promise<string | undefined> {
  const text = await readFile(join(adminDir, 'gitdir'), 'utf8').catch(() => '');
  const named = text.replace(/\r?\n$/, '');
  return named === '' ? undefined : resolve(adminDir, named);
}

/**
 * Why the worktree and its repository do not name each other, for people; undefined when they do. Runs no git: in a worktree whose link is
 * broken git may climb to a repository around it.
 */
export async function checkLink(worktree: LinkedWorktree): Promise<string | undefined> {
  const { path } = worktree;
  const directory = await lstat(path).catch(() => undefined);
  if (directory === undefined) return `its directory ${path} is gone`;
  if (!directory.isDirectory()) return `${path} is not a directory`;
  const link = await lstat(join(path, '.git')).catch(() => undefined);
  if (link === undefined) return `its .git file is gone from ${path}`;
  if (!link.isFile()) return `${path}/.git is not the file that git made`;
  const named = await readLink(path);
  if (named === undefined) return `${path}/.git names no git directory`;
  const adminDir = await realpath(named).catch(() => undefined);
  if (adminDir === undefined) return `${path}/.git names ${named}, which is gone`;
  return adminProblem(worktree, adminDir);
}

async function adminProblem({ path, git_dir, admin_dir }: LinkedWorktree, adminDir: string): Promise<string | undefined> {
  const gitDir = await realpath(git_dir).catch(() => undefined);
  if (gitDir === undefined) return `its repository ${git_dir} is gone`;
  if (dirname(adminDir) !== join(gitDir, 'worktrees')) return `${path}/.git names ${adminDir}, which is not of ${gitDir}`;
  if (admin_dir !== undefined && (await realpath(admin_dir).catch(() => undefined)) !== adminDir) {
    return `${path}/.git names ${adminDir}, and not ${admin_dir}`;
  }
  const back = await readBackLink(adminDir);
  if (back === undefined) return `${adminDir} does not say where its worktree is`;
  if (!(await isSameFile(back, join(path, '.git')))) return `${adminDir} says that its worktree is ${dirname(back)}`;
  for (const name of ['HEAD', 'commondir']) {
    if (!(await lstat(join(adminDir, name)).catch(() => undefined))?.isFile()) return `${adminDir}/${name} is gone`;
  }
  return undefined;
}

/** Both paths lead to one file, whatever symbolic links lie on the way. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  if (one === other) return true;
  const [first, second] = await Promise.all([one, other].map((path) => realpath(path).catch(() => undefined)));
  return first !== undefined && first === second;
}
