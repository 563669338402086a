import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { below, onDisk, type RawPath, rawPath } from './raw-path.js';
import type { Regenerable } from './regenerable.js';
import { someAtOnce } from './some-at-once.js';

interface WalkParts {
  readonly top: string;
  readonly regenerable: Regenerable;
  /** Directories that git ignores as a whole: their files are listed here. */
  readonly ignoredDirectories: Iterable<RawPath>;
  /** Paths of the index that are repositories; looked at elsewhere. */
  readonly submodules: ReadonlySet<RawPath>;
  /** Files that git does not track, ignored or not. */
  readonly unknownFiles: ReadonlySet<RawPath>;
}

export interface Walked {
  /** In ignored directories, and not regenerable. */
  readonly ignoredFiles: RawPath[];
  /** Directories with something named `.git`, and bare repositories. git itself lists nothing in there. */
  readonly nested: RawPath[];
  /** Nobody can say what they hold. */
  readonly unreadable: RawPath[];
}

interface Visit {
  readonly path: RawPath;
  readonly ignored: boolean;
}

const DIRECTORIES_AT_ONCE = 32;

/**
 * Looks at each directory of a worktree but the regenerable ones, for what git does not tell: repositories inside, valid or not, and what
 * is in ignored directories. No symbolic link is followed; sockets, pipes and empty directories are nothing.
 */
export async function walkWorktree(parts: WalkParts): Promise<Walked> {
  const walk = { ...parts, ignored: new Set(parts.ignoredDirectories), ignoredFiles: [], nested: [], unreadable: [] };
  const left: Visit[] = [{ path: '', ignored: false }];
  await someAtOnce(left, DIRECTORIES_AT_ONCE, async (visit) => {
    left.push(...(await look(visit, walk)));
  });
  return walk;
}

/** Answers the directories to look at next. */
async function look({ path, ignored }: Visit, walk: Walked & WalkParts & { readonly ignored: ReadonlySet<RawPath> }): Promise<Visit[]> {
  const entries = await entriesOf(walk.top, path);
  if (entries === undefined) {
    walk.unreadable.push(path);
    return [];
  }
  if ((path !== '' && entries.some(isGit)) || isBare(entries, { path, ignored, unknownFiles: walk.unknownFiles })) {
    walk.nested.push(path);
    return [];
  }
  const next: Visit[] = [];
  for (const entry of entries) {
    const child = below(path, rawPath(entry.name));
    if (child === '.git') continue;
    if (entry.isDirectory()) next.push({ path: child, ignored: ignored || walk.ignored.has(child) });
    else if (ignored && (entry.isFile() || entry.isSymbolicLink()) && !(await walk.regenerable.holds(child))) walk.ignoredFiles.push(child);
  }
  return worthALook(next, walk);
}

async function worthALook(visits: readonly Visit[], { submodules, regenerable }: WalkParts): Promise<Visit[]> {
  const kept: Visit[] = [];
  for (const visit of visits) {
    if (submodules.has(visit.path)) continue;
    if (visit.ignored && (await regenerable.holds(visit.path))) continue;
    kept.push(visit);
  }
  return kept;
}

/** Undefined for one that cannot be read; empty for one that is gone meanwhile. */
async function entriesOf(top: string, path: RawPath): Promise<Dirent<Buffer>[] | undefined> {
  try {
    return await readdir(onDisk(top, path), { withFileTypes: true, encoding: 'buffer' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? [] : undefined;
  }
}

/** In any case of its letters: git refuses to track any of them. */
function isGit(entry: Dirent<Buffer>): boolean {
  return entry.name.length === 4 && entry.name.toString('latin1').toLowerCase() === '.git';
}

/** A bare repository, unless it is tracked file by file, as the ones are that tests use. Its empty directories belong to it. */
function isBare(entries: readonly Dirent<Buffer>[], { path, ignored, unknownFiles }: Visit & Pick<WalkParts, 'unknownFiles'>): boolean {
  if (path === '' || (!ignored && !unknownFiles.has(below(path, 'HEAD')))) return false;
  const directories = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name.toString('latin1'));
  const files = entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name.toString('latin1'));
  return files.includes('HEAD') && directories.includes('objects') && directories.includes('refs');
}

/** True where a directory holds nothing at all, or is not there. */
export async function isEmptyDirectory(path: Buffer): Promise<boolean> {
  try {
    if (!(await lstat(path)).isDirectory()) return false;
    return (await readdir(path)).length === 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
