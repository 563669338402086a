import { type FSWatcher, watch } from 'node:fs';
import { basename } from 'node:path';

/** Reports come in bursts, as several hooks of an agent run at once. */
const GATHER_MS = 25;

interface SpoolWatchParts {
  readonly directory: string;
  /** Whether the file of this name is of interest. */
  readonly counts: (name: string) => boolean;
  readonly onChange: () => void;
  readonly signal: AbortSignal;
}

/** Tells of changed files in a directory, once for those that change together. Until `signal` is aborted; keeps no process alive. */
export class SpoolWatch {
  readonly #parts: SpoolWatchParts;
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: SpoolWatchParts) {
    this.#parts = parts;
    parts.signal.addEventListener('abort', () => clearTimeout(this.#timer), { once: true });
  }

  /** Begins, also again after the directory was deleted. Where the system lets no more be watched, nothing is told. */
  arm(): void {
    const { directory, signal } = this.#parts;
    if (this.#watcher !== undefined || signal.aborted) return;
    try {
      const watcher = watch(directory, { persistent: false, signal }, (_event, name) => this.#changed(name));
      watcher.on('error', () => this.#lose());
      this.#watcher = watcher;
    } catch {
      // The next call tries again.
    }
  }

  /** The directory's own name comes when it is deleted or moved; then this hears no more of what takes its place. */
  #changed(name: string | null): void {
    if (name === basename(this.#parts.directory)) this.#lose();
    else if (name !== null && !this.#parts.counts(name)) return;
    if (this.#parts.signal.aborted) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#parts.onChange();
    }, GATHER_MS).unref();
  }

  #lose(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}
