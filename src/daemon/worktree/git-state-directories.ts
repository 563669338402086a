import { type FSWatcher, watch } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import type { WatchBudget } from './git-state-budget.js';
import { below, onDisk, type RawPath, rawPath } from './raw-path.js';

export interface FilesWatch {
  /** Watches the directories that are new since the last call as well. Rejects when that cannot be; what is watched then stays so. */
  grow(): Promise<void>;
  /** At once and for good. */
  close(): void;
}

export interface FilesWatchParts {
  /** The top of the worktree. */
  readonly root: string;
  readonly budget: WatchBudget;
  /** The directories that git ignores, relative to `root`. Asked for when there are new directories. */
  readonly ignored: () => Promise<ReadonlySet<RawPath>>;
  /** Something below may have changed. */
  readonly onChange: () => void;
  /** A directory can no longer be watched. */
  readonly onError: (error: unknown) => void;
}

/** The most directories of one worktree. */
export const WATCHED_DIRECTORIES_LIMIT = 10_000;

/** Nothing in them changes what git says of the worktree, and they are large. */
export const NEVER = new Set(['.git', 'node_modules']);

interface Directory {
  readonly watcher: FSWatcher;
  readonly children: Set<RawPath>;
}

/**
 * Tells when files of a worktree change, from one kernel watch for each directory that git does not ignore.
 *
 * A directory is watched before it is read, so that what appears in it is either read or told of. What the kernel tells of a directory by
 * name (made, moved, removed) ends the watch of all that was below that name, and it is looked at anew by the next {@link grow}.
 */
export class DirectoriesWatch implements FilesWatch {
  readonly #parts: FilesWatchParts;
  readonly #directories = new Map<RawPath, Directory>();
  /** What was made, moved or removed since the last {@link grow}: directories, files, and what is not there any more. */
  readonly #renewed = new Set<RawPath>(['']);
  #closed = false;

  constructor(parts: FilesWatchParts) {
    this.#parts = parts;
  }

  /** What changes meanwhile is left to the next call, so that a program that makes directories without end keeps nobody waiting. */
  async grow(): Promise<void> {
    const renewed = [...this.#renewed];
    this.#renewed.clear();
    const found: RawPath[] = [];
    for (const path of renewed) if (path === '' || (await isDirectory(onDisk(this.#parts.root, path)))) found.push(path);
    if (found.length === 0) return;
    const ignored = await this.#parts.ignored();
    for (let path = found.pop(); path !== undefined && !this.#closed; path = found.pop()) {
      if (!ignored.has(path)) found.push(...(await this.#enter(path)));
    }
  }

  close(): void {
    this.#closed = true;
    for (const { watcher } of this.#directories.values()) watcher.close();
    this.#parts.budget.give(this.#directories.size);
    this.#directories.clear();
  }

  /** Watches a directory, unless it is a repository of its own; answers those in it. Where what it is in was renewed, it will be too. */
  async #enter(path: RawPath): Promise<RawPath[]> {
    if (path !== '' && !this.#directories.has(parentOf(path))) return [];
    this.#forget(path);
    if (!this.#open(path)) return [];
    const entries = await entriesOf(onDisk(this.#parts.root, path));
    if (path !== '' && entries.some(({ name }) => rawPath(name) === '.git')) {
      this.#forget(path);
      return [];
    }
    const directories = entries.filter((entry) => entry.isDirectory()).map((entry) => rawPath(entry.name));
    return directories.filter((name) => !NEVER.has(name)).map((name) => below(path, name));
  }

  /** False when it went away meanwhile. */
  #open(path: RawPath): boolean {
    const { root, budget } = this.#parts;
    if (this.#directories.size >= WATCHED_DIRECTORIES_LIMIT) throw new Error(`it has more than ${WATCHED_DIRECTORIES_LIMIT} directories`);
    if (!budget.take()) throw new Error('too many directories are watched already');
    try {
      const watcher = watch(onDisk(root, path), { encoding: 'buffer', persistent: false });
      watcher.on('change', (type, name) => this.#changed(path, { type, name }));
      watcher.on('error', (error) => this.#parts.onError(error));
      this.#directories.set(path, { watcher, children: new Set() });
    } catch (error) {
      budget.give(1);
      if (['ENOENT', 'ENOTDIR', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
      throw error;
    }
    if (path !== '') this.#directories.get(parentOf(path))?.children.add(path);
    return true;
  }

  #changed(directory: RawPath, { type, name }: { readonly type: string; readonly name: unknown }): void {
    if (this.#closed) return;
    const base = name instanceof Buffer ? rawPath(name) : '';
    if (base === '.git' && directory === '') return;
    if (base === '.gitignore') this.#renewed.add(directory);
    else if (base === '.git') this.#renew(directory);
    else if (type === 'rename' && base !== '' && !NEVER.has(base)) this.#renew(below(directory, base));
    this.#parts.onChange();
  }

  #renew(path: RawPath): void {
    this.#forget(path);
    this.#renewed.add(path);
  }

  /** The directory of that path, if it is watched, and all below. */
  #forget(path: RawPath): void {
    const directory = this.#directories.get(path);
    if (directory === undefined) return;
    for (const child of directory.children) this.#forget(child);
    directory.watcher.close();
    this.#directories.delete(path);
    this.#directories.get(parentOf(path))?.children.delete(path);
    this.#parts.budget.give(1);
  }
}

function parentOf(path: RawPath): RawPath {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

async function entriesOf(path: Buffer) {
  try {
    return await readdir(path, { withFileTypes: true, encoding: 'buffer' });
  } catch {
    return [];
  }
}

async function isDirectory(path: Buffer): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch {
    return false;
  }
}
