import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { type Git, GitError } from '../git.js';
import { type IndexFacts, UnreadableWorktree, type WorktreePlace } from './inventory-index.js';
import { isEmptyDirectory } from './nested-repositories.js';
import { onDisk, type RawPath, rawPath } from './raw-path.js';

/** Says whether a checked-out submodule has work in its own worktree. */
export type HasWork = (place: WorktreePlace) => Promise<boolean>;

/**
 * Those of `submodules` with changes in their worktree, or with commits that none of their remotes has. A linked worktree has git
 * directories of its own for its submodules, in its administrative directory, and they end with it.
 */
export async function dirtySubmodules(
  git: Git,
  place: WorktreePlace,
  known: Pick<IndexFacts, 'submodules'> & { readonly hasWork: HasWork },
): Promise<RawPath[]> {
  const dirty: RawPath[] = [];
  for (const { path } of known.submodules) {
    const directory = onDisk(place.workTree, path);
    if (await isEmptyDirectory(directory)) continue;
    if (
      rawPath(directory) !== rawPath(Buffer.from(directory.toString('utf8'))) ||
      !(await isClean(git, place, { ...known, top: directory.toString('utf8') }))
    ) {
      dirty.push(path);
    }
  }
  return dirty;
}

async function isClean(
  git: Git,
  place: WorktreePlace,
  { top, hasWork }: { readonly top: string; readonly hasWork: HasWork },
): Promise<boolean> {
  const gitDir = await gitDirOf(top);
  if (gitDir === undefined) return false;
  const gone = await Promise.all([place.workTree, place.gitDir].map((directory) => realpath(directory)));
  const ends = gone.some((directory) => gitDir.startsWith(directory + sep));
  if (ends && (await hasOwnCommits(git, gitDir))) return false;
  try {
    return !(await hasWork({ cwd: top, gitDir, workTree: top }));
  } catch (error) {
    if (error instanceof GitError || error instanceof UnreadableWorktree) return false;
    throw error;
  }
}

/** Undefined for what is no worktree of a repository, also for a symbolic link. */
async function gitDirOf(top: string): Promise<string | undefined> {
  try {
    if (!(await lstat(top)).isDirectory()) return undefined;
    const link = join(top, '.git');
    if ((await lstat(link)).isDirectory()) return await realpath(link);
    const target = /^gitdir: (.*)$/s.exec(await readFile(link, 'utf8'))?.[1]?.replace(/(?<!\n)\n+$/, '');
    return target === undefined ? undefined : await realpath(resolve(top, target));
  } catch {
    return undefined;
  }
}

/**
 * The submodules' git directories in `adminDir` that hold commits which none of their remotes has, by name; also of those that are no
 * longer checked out.
 */
export async function ownedModules(git: Git, adminDir: string): Promise<string[]> {
  const found: string[] = [];
  for (const gitDir of await moduleDirs(join(adminDir, 'modules'))) {
    if (await hasOwnCommits(git, gitDir)) found.push(gitDir.slice(adminDir.length + 'modules/'.length + 1));
  }
  return found;
}

/** A submodule's name may have slashes, so its git directory may be some levels down; those of its own submodules are in its `modules`. */
async function moduleDirs(directory: string): Promise<string[]> {
  const names = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const isGitDir = ['HEAD', 'objects', 'refs'].every((name) => names.some((entry) => entry.name === name));
  if (isGitDir) return [directory, ...(await moduleDirs(join(directory, 'modules')))];
  const inside = await Promise.all(names.filter((entry) => entry.isDirectory()).map((entry) => moduleDirs(join(directory, entry.name))));
  return inside.flat();
}

/**
 * Commits of HEAD, the branches and the stash that neither a remote branch nor the last fetch brought. A tag proves nothing, as it may be
 * the user's own. Where git cannot tell, there are some.
 */
async function hasOwnCommits(git: Git, gitDir: string): Promise<boolean> {
  // A work tree is named, as the one in the submodule's settings may be gone.
  const place = { cwd: gitDir, gitDir, workTree: gitDir };
  const local = ['--exclude=refs/remotes/*', '--exclude=refs/tags/*', '--glob=refs/*'];
  const head = await git.attempt(place, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  const fetched = [...(await readFile(join(gitDir, 'FETCH_HEAD'), 'latin1').catch(() => '')).matchAll(/^[0-9a-f]{40,64}(?=\t)/gm)].map(
    ([id]) => id,
  );
  const known = [];
  for (const id of fetched) {
    if ((await git.attempt(place, ['cat-file', '-e', id])).code === 0) known.push(id);
  }
  const heads = head.code === 0 ? ['HEAD'] : [];
  const answer = await git.attempt(place, ['rev-list', '--max-count=1', ...heads, ...local, '--not', '--remotes', ...known, '--']);
  return answer.code !== 0 || answer.stdout.length > 0;
}
