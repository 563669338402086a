import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, normalize, resolve } from 'node:path';
import { MaestroError } from '../../protocol/index.js';
import { type Git, GitError, type GitPlace } from '../git.js';
import { gitReason } from './git-failure.js';

/** A git repository, found from any directory of it or of one of its worktrees. */
export interface Repository {
  /** The top of the main worktree, or the repository itself when it is bare; as it was given, where that is the same directory. */
  readonly path: string;
  /** The common git directory, with no symbolic link in it. */
  readonly gitDir: string;
  readonly bare: boolean;
  /** Absent when the repository is bare, or keeps its git directory elsewhere and does not say for which worktree. */
  readonly mainWorktree?: string;
  /** The directory it was found from. Its HEAD is the one meant: that of a linked worktree is its own. */
  readonly startDir: string;
}

/** Where commands about the repository's refs and worktrees run: git has nothing to look for. */
export function refsPlace({ gitDir }: Pick<Repository, 'gitDir'>): GitPlace {
  return { cwd: gitDir, gitDir };
}

/** Finds the repository that the directory `path` is in. Rejects with `invalid_request` when there is none that can be used. */
export async function openRepository(git: Git, path: string): Promise<Repository> {
  const startDir = await requireDirectory(path);
  const [gitDir, ownDir] = await Promise.all([
    locate(git, startDir, '--git-common-dir').then((found) => realpath(found)),
    locate(git, startDir, '--git-dir').then((found) => realpath(found)),
  ]).catch((error: unknown) => {
    throw notUsable(startDir, error);
  });
  const bare = (await git.text({ cwd: gitDir, gitDir }, ['rev-parse', '--is-bare-repository'])) === 'true';
  const main = bare ? undefined : await findMainWorktree(git, { startDir, gitDir, ownDir });
  const top = main ?? gitDir;
  const kept = (await realpath(startDir)) === top ? startDir : top;
  return { path: kept, gitDir, bare, startDir, ...(main === undefined ? {} : { mainWorktree: kept }) };
}

/** Rejects for a repository that has nothing yet which a branch could be made from. */
export async function requireCommits(git: Git, repository: Repository): Promise<void> {
  const head = await git.attempt({ cwd: repository.startDir }, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  if (head.code === 0) return;
  if ((await git.text(refsPlace(repository), ['for-each-ref', '--count=1', '--format=%(refname)'])) !== '') return;
  const command = repository.bare ? 'push a branch to it' : `make a first commit, such as by: ${firstCommit(repository.path)}`;
  throw refused(repository.startDir, `has no commits yet, and a worktree needs one to start from; ${command}`);
}

function firstCommit(path: string): string {
  return `git -C ${shellQuote(path)} commit --allow-empty -m "First commit"`;
}

/** For commands in messages that are to be copied into a shell. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

interface Found {
  readonly startDir: string;
  readonly gitDir: string;
  readonly ownDir: string;
}

async function findMainWorktree(git: Git, { startDir, gitDir, ownDir }: Found): Promise<string | undefined> {
  const inside = ownDir === gitDir ? await git.attempt({ cwd: startDir }, ['rev-parse', '--show-toplevel']) : undefined;
  if (inside?.code === 0) return realDirectory(withoutLineEnd(inside.stdout));
  const configured = await git.attempt({ cwd: gitDir, gitDir }, ['config', '--get', 'core.worktree']);
  if (configured.code === 0) return realDirectory(resolve(gitDir, withoutLineEnd(configured.stdout)));
  return basename(gitDir) === '.git' ? realDirectory(dirname(gitDir)) : undefined;
}

async function realDirectory(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

function withoutLineEnd(output: Buffer): string {
  return output.toString().replace(/\n$/, '');
}

/** One question at a time, as a path may hold line ends. */
function locate(git: Git, cwd: string, question: '--git-dir' | '--git-common-dir'): Promise<string> {
  return git.text({ cwd }, ['rev-parse', '--path-format=absolute', question]);
}

async function requireDirectory(path: string): Promise<string> {
  if (!isAbsolute(path)) throw refused(JSON.stringify(path), 'must be an absolute path, or begin with ~/');
  const directory = withoutTrailingSlash(normalize(path));
  const problem = await directoryProblem(directory);
  if (problem !== undefined) throw refused(directory, problem);
  return directory;
}

function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

async function directoryProblem(path: string): Promise<string | undefined> {
  try {
    if (!(await stat(path)).isDirectory()) return 'is not a directory; give a directory of a git repository';
    await access(path, constants.R_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist; give a directory of a git repository';
    if (code === 'EACCES' || code === 'EPERM') return 'must not be read by this user; check its permissions (`ls -ld`)';
    return `cannot be used (${code ?? 'unknown error'})`;
  }
}

function notUsable(startDir: string, error: unknown): MaestroError {
  if (!(error instanceof GitError)) throw error;
  const { stderr } = error;
  if (/dubious ownership|unsafe repository/.test(stderr)) return ownedByAnother(startDir, error);
  if (/not a git repository: /.test(stderr)) {
    return refused(
      startDir,
      `names a git directory that is not there (${gitReason(stderr)}); repair it with \`git worktree repair\``,
      error,
    );
  }
  if (/not a git repository/.test(stderr)) {
    return refused(startDir, 'is not in a git repository; give a directory of one, or leave the worktree out', error);
  }
  return refused(startDir, `is in a git repository that git cannot read: ${gitReason(stderr)}`, error);
}

function ownedByAnother(startDir: string, error: GitError): MaestroError {
  const named = /safe\.directory (.+)$/m.exec(error.stderr)?.[1];
  const command = `git config --global --add safe.directory ${named ?? shellQuote(startDir)}`;
  return refused(startDir, `is in a git repository that belongs to another user; if you trust what is in it: ${command}`, error);
}

function refused(subject: string, problem: string, cause?: GitError): MaestroError {
  return new MaestroError('invalid_request', `worktree.base_repo: ${subject} ${problem}`, {
    details: { field: 'worktree.base_repo' },
    cause,
  });
}
