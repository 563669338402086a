import { type FSWatcher, watch } from 'node:fs';
import { DirectoriesWatch, type FilesWatch, type FilesWatchParts, NEVER } from './git-state-directories.js';

/** The same from one watch of the system's, where it has such: macOS. */
export class RecursiveWatch implements FilesWatch {
  readonly #watcher: FSWatcher;

  constructor({ root, onChange, onError }: FilesWatchParts) {
    this.#watcher = watch(root, { recursive: true, persistent: false });
    this.#watcher.on('change', (_type, name) => {
      const parts = String(name ?? '').split('/');
      if (!parts.some((part) => NEVER.has(part))) onChange();
    });
    this.#watcher.on('error', onError);
  }

  grow(): Promise<void> {
    return Promise.resolve();
  }

  close(): void {
    this.#watcher.close();
  }
}

export function watchFiles(parts: FilesWatchParts): FilesWatch {
  return process.platform === 'darwin' ? new RecursiveWatch(parts) : new DirectoriesWatch(parts);
}
