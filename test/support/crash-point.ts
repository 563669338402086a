import type { Panes } from '../../src/daemon/panes/panes.js';
import { type FileLayer, nodeFiles, type WritableFile } from '../../src/daemon/store/file-layer.js';

/** Counts durable steps, and stops the world at the chosen one: what comes behind it never happens. */
export class CrashPoint {
  #count = 0;
  #at = Number.POSITIVE_INFINITY;
  #reach: () => void = () => undefined;
  readonly #files = new Set<WritableFile>();
  reached: Promise<void> = Promise.resolve();

  /** Crashes before the `at`th step from now. */
  arm(at: number): void {
    this.#count = 0;
    this.#at = at;
    this.reached = new Promise((resolve) => {
      this.#reach = resolve;
    });
  }

  async step<T>(work: () => Promise<T>): Promise<T> {
    this.#count += 1;
    if (this.#count >= this.#at) {
      await this.#closeAll();
      this.#reach();
      await new Promise(() => undefined);
    }
    return work();
  }

  /** As the system does for a process that dies. */
  async #closeAll(): Promise<void> {
    const files = [...this.#files];
    this.#files.clear();
    await Promise.all(files.map((file) => file.close()));
  }

  readonly files: FileLayer = {
    open: async (path, flags, mode) => {
      const file = await this.step(() => nodeFiles.open(path, flags, mode));
      this.#files.add(file);
      const close = () => (this.#files.delete(file) ? file.close() : Promise.resolve());
      return { ...file, sync: () => this.step(() => file.sync()), close };
    },
    rename: (from, to) => this.step(() => nodeFiles.rename(from, to)),
    unlink: (path) => this.step(() => nodeFiles.unlink(path)),
    syncDirectory: (path) => nodeFiles.syncDirectory(path),
  };

  readonly panes = (panes: Panes): Panes =>
    new Proxy(panes, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target);
        if (key !== 'newSessionPiped' && key !== 'killSession') return typeof value === 'function' ? value.bind(target) : value;
        return (...args: unknown[]) => this.step(() => (value as (...all: unknown[]) => Promise<unknown>).apply(target, args));
      },
    });
}
