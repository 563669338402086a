import { stat } from 'node:fs/promises';
import { MaestroError } from '../../protocol/index.js';
import type { Git, GitPlace } from '../git.js';

/** A worktree that is looked at, whether Maestro made it or not. */
export interface DiffTree {
  readonly place: GitPlace;
  /** The top of the worktree, absolute. */
  readonly root: string;
  /** Where its session began. */
  readonly baseCommit?: string | undefined;
  /** The branch or remote branch that its commits are counted from, short, such as `main` or `origin/main`. */
  readonly comparedWith?: string | undefined;
}

/** The worktree that `cwd` is in; undefined where it is in none, as in a bare repository, and where it does not exist. */
export async function treeAt(git: Git, cwd: string): Promise<DiffTree | undefined> {
  if (!(await isDirectory(cwd))) return undefined;
  const top = await git.attempt({ cwd }, ['rev-parse', '--show-toplevel']);
  if (top.code !== 0) {
    if (/not a git repository|must be run in a work tree/.test(top.stderr)) return undefined;
    throw new MaestroError('invalid_request', `git refuses to look at ${cwd}: ${firstLine(top.stderr)}`, { details: { field: 'cwd' } });
  }
  const root = top.stdout.toString('utf8').replace(/\n$/, '');
  if (root === '') return undefined;
  const gitDir = await git.text({ cwd }, ['rev-parse', '--absolute-git-dir']);
  return { place: { cwd: root, gitDir, workTree: root }, root };
}

/** {@link treeAt}, or a refusal for the user. */
export async function requireTreeAt(git: Git, cwd: string): Promise<DiffTree> {
  const tree = await treeAt(git, cwd);
  if (tree !== undefined) return tree;
  throw new MaestroError('invalid_request', `${cwd} is not in a git repository; there is nothing to compare it with`, {
    details: { field: 'cwd' },
  });
}

export async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}
