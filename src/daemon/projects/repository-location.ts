import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** A repository, however many worktrees it has. */
export interface RepositoryLocation {
  /** The top of its main worktree, or the repository itself when it is bare. */
  readonly path: string;
  /** The common git directory, without symbolic links: what tells one repository from another. */
  readonly gitDir: string;
  readonly bare: boolean;
}

/** The repository that a directory is the top of. */
export interface FoundRepository extends RepositoryLocation {
  /** How the directory belongs to it: as its `path`, as another worktree or its git directory, or as a submodule of another repository. */
  readonly as: 'main' | 'linked' | 'submodule';
}

/** The longest `.git` file or config of git that is read, in bytes. */
const TEXT_LIMIT = 256 * 1024;
/** Those at the end of a text. Each run of them is looked at once, however long the text makes it. */
const LINE_ENDS = /(?<![\r\n])[\r\n]+$/;

/**
 * What the directory `dir`, a path without symbolic links, is the top of, found without a git process as git finds it: a `.git` directory,
 * a `.git` file that leads elsewhere, or a bare repository. Undefined for any other directory, and for one whose link leads nowhere.
 */
export async function repositoryAt(dir: string): Promise<FoundRepository | undefined> {
  const dotGit = join(dir, '.git');
  const kind = await kindOf(dotGit);
  if (kind === 'file') return linkedFrom(dir, dotGit);
  if (kind === undefined) return (await isGitDirectory(dir)) ? ofGitDirectory(dir) : undefined;
  const gitDir = await real(dotGit);
  if (gitDir === undefined || !(await isGitDirectory(gitDir))) return undefined;
  const { bare = false } = await coreSettings(gitDir);
  return { path: bare ? gitDir : dir, gitDir, bare, as: 'main' };
}

/** The repository that `dir` is in; undefined where there is none, or where `dir` is gone. */
export async function repositoryAround(dir: string): Promise<RepositoryLocation | undefined> {
  for (let at = await real(dir); at !== undefined; at = dirname(at)) {
    const found = await repositoryAt(at);
    // Like git, not past a link that leads nowhere: what is around it is another repository.
    if (found || at === dirname(at) || (await kindOf(join(at, '.git'))) === 'file') return found;
  }
  return undefined;
}

async function linkedFrom(dir: string, dotGit: string): Promise<FoundRepository | undefined> {
  const target = /^gitdir: (.+)$/s.exec((await textOf(dotGit)) ?? '')?.[1]?.replace(LINE_ENDS, '');
  const gitDir = target === undefined ? undefined : await real(resolve(dir, target));
  if (gitDir === undefined) return undefined;
  const common = (await textOf(join(gitDir, 'commondir')))?.trim();
  if (common !== undefined) return ofCommonDirectory(resolve(gitDir, common));
  if (!(await isGitDirectory(gitDir))) return undefined;
  const { bare = false, worktree } = await coreSettings(gitDir);
  return { path: bare ? gitDir : dir, gitDir, bare, as: worktree === undefined ? 'main' : 'submodule' };
}

async function ofCommonDirectory(path: string): Promise<FoundRepository | undefined> {
  const gitDir = await real(path);
  return gitDir !== undefined && (await isGitDirectory(gitDir)) ? { ...(await ofGitDirectory(gitDir)), as: 'linked' } : undefined;
}

/**
 * The repository of a common git directory. git notes nowhere where the main worktree is of one that is not called `.git`; the directory
 * itself stands for it then.
 */
async function ofGitDirectory(gitDir: string): Promise<FoundRepository> {
  const isDotGit = basename(gitDir) === '.git';
  const { bare = !isDotGit, worktree } = await coreSettings(gitDir);
  if (bare) return { path: gitDir, gitDir, bare, as: 'main' };
  const top = worktree === undefined ? (isDotGit ? dirname(gitDir) : gitDir) : resolve(gitDir, worktree);
  return { path: top, gitDir, bare, as: 'linked' };
}

async function isGitDirectory(dir: string): Promise<boolean> {
  const head = await lstat(join(dir, 'HEAD')).catch(() => undefined);
  if (head === undefined || head.isDirectory()) return false;
  const [objects, refs] = await Promise.all([kindOf(join(dir, 'objects')), kindOf(join(dir, 'refs'))]);
  return objects === 'directory' && refs === 'directory';
}

/** What the repository's own config says of its worktree. Included files, which git never writes, are not read. */
async function coreSettings(gitDir: string): Promise<{ bare: boolean | undefined; worktree: string | undefined }> {
  let isCore = false;
  let bare: boolean | undefined;
  let worktree: string | undefined;
  for (const line of ((await textOf(join(gitDir, 'config'))) ?? '').split('\n')) {
    const section = /^\s*\[([^\]]*)\]/.exec(line)?.[1];
    if (section !== undefined) isCore = section.trim().toLowerCase() === 'core';
    const [, key, given] = /^\s*(bare|worktree)\s*=(.*)$/i.exec(line) ?? [];
    if (!isCore || key === undefined || given === undefined) continue;
    const value = given.trim().replace(/^"|"$/g, '');
    if (key.toLowerCase() === 'bare') bare = /^(?:true|yes|on|1)$/i.test(value);
    else worktree = value;
  }
  return { bare, worktree };
}

async function kindOf(path: string): Promise<'directory' | 'file' | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ? 'directory' : found?.isFile() ? 'file' : undefined;
}

async function textOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile() || found.size > TEXT_LIMIT) return undefined;
  return readFile(path, 'utf8').catch(() => undefined);
}

function real(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}
