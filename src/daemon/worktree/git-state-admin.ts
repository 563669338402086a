import { type FSWatcher, watch } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

interface AdminWatchParts {
  /** git's own directory for the worktree. */
  readonly gitDir: string;
  readonly onChange: () => void;
  readonly onError: (error: unknown) => void;
}

interface Place {
  readonly dir: string;
  /** What in it counts; all but lock files when absent. */
  readonly name?: string | undefined;
}

/** Tells when git itself notes something of a worktree: its HEAD, its index, an operation, or the branch that it is compared with. */
export class AdminWatch {
  readonly #parts: AdminWatchParts;
  #watchers: FSWatcher[] = [];
  #followed: string | undefined;
  #open = false;
  #closed = false;

  constructor(parts: AdminWatchParts) {
    this.#parts = parts;
  }

  /** Watches the branch or remote branch `name` as well, instead of the one before. The first call begins all of it. */
  async follow(name: string | undefined): Promise<void> {
    if (this.#open && name === this.#followed) return;
    const places = await placesOf(this.#parts.gitDir, name);
    if (this.#closed) return;
    this.#stop();
    this.#open = true;
    this.#followed = name;
    for (const place of places) this.#watch(place);
  }

  /** The next {@link follow} begins all of it anew. */
  reset(): void {
    this.#stop();
    this.#open = false;
  }

  close(): void {
    this.#closed = true;
    this.#stop();
  }

  #watch({ dir, name: wanted }: Place): void {
    try {
      const watcher = watch(dir, { persistent: false });
      this.#watchers.push(watcher);
      watcher.on('error', this.#parts.onError);
      watcher.on('change', (_type, name) => {
        const changed = String(name ?? '');
        if (wanted === undefined ? !changed.endsWith('.lock') : changed === wanted) this.#parts.onChange();
      });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  #stop(): void {
    for (const watcher of this.#watchers) watcher.close();
    this.#watchers = [];
  }
}

/** The layout: gitrepository-layout(5). A ref is a file, or a line of `packed-refs`, or in `reftable`. */
async function placesOf(gitDir: string, compared: string | undefined): Promise<Place[]> {
  const commonDir = await commonDirOf(gitDir);
  const tables = [gitDir, commonDir].map((dir) => ({ dir: join(dir, 'reftable') }));
  const own = [{ dir: gitDir }, { dir: join(gitDir, 'logs'), name: 'HEAD' }];
  if (compared === undefined) return [...own, ...tables];
  const refs = [join(commonDir, 'refs/heads', compared), join(commonDir, 'refs/remotes', compared)];
  return [...own, ...tables, { dir: commonDir, name: 'packed-refs' }, ...(await Promise.all(refs.map((ref) => placeOf(ref))))];
}

/** The directory that a ref is in, or the nearest above that is there: a ref that is packed has none of its own. */
async function placeOf(path: string): Promise<Place> {
  for (let at = path; dirname(at) !== at; at = dirname(at)) {
    if (await exists(dirname(at))) return { dir: dirname(at), name: basename(at) };
  }
  return { dir: '/', name: basename(path) };
}

/** A worktree's own directory names the one that all worktrees of the repository share. */
async function commonDirOf(gitDir: string): Promise<string> {
  try {
    return resolve(gitDir, (await readFile(join(gitDir, 'commondir'), 'utf8')).replace(/\n$/, ''));
  } catch {
    return gitDir;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}
