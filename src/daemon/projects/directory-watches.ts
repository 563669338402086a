import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';

interface WatchParts {
  readonly limit: number;
  /** What is in the directory `path`, or it itself, may be another now. Comes for paths of files too. */
  readonly onChange: (path: string) => void;
}

/** A bounded number of watches on directories, each of which sees what is made, renamed and removed in its directory. */
export class DirectoryWatches {
  readonly #limit: number;
  readonly #onChange: (path: string) => void;
  readonly #watchers = new Map<string, FSWatcher>();

  constructor({ limit, onChange }: WatchParts) {
    this.#limit = limit;
    this.#onChange = onChange;
  }

  has(directory: string): boolean {
    return this.#watchers.has(directory);
  }

  /** Anew if it was watched before: another directory may be in its place. False where no watch can be had. */
  watch(directory: string): boolean {
    const before = this.#watchers.get(directory);
    if (before === undefined && this.#watchers.size >= this.#limit) return false;
    const watcher = this.#open(directory);
    before?.close();
    if (watcher) this.#watchers.set(directory, watcher);
    else this.#watchers.delete(directory);
    return watcher !== undefined;
  }

  unwatch(directory: string): void {
    this.#watchers.get(directory)?.close();
    this.#watchers.delete(directory);
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #open(directory: string): FSWatcher | undefined {
    try {
      const watcher = watch(directory, { persistent: false }, (event, name) => {
        if (event === 'rename') this.#onChange(directory);
        if (name !== null) this.#onChange(join(directory, name));
      });
      return watcher.on('error', () => this.#lost(directory, watcher));
    } catch {
      return undefined; // gone, or the system has no more watches to give
    }
  }

  #lost(directory: string, watcher: FSWatcher): void {
    watcher.close();
    if (this.#watchers.get(directory) === watcher) this.#watchers.delete(directory);
    this.#onChange(directory);
  }
}
