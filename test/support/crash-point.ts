import type { Panes } from '../../src/daemon/panes/panes.js';
import { type FileLayer, nodeFiles } from '../../src/daemon/store/file-layer.js';

/** Counts durable steps, and stops the world at the chosen one: what comes behind it never happens. */
export class CrashPoint {
  #count = 0;
  #at = Number.POSITIVE_INFINITY;
  #reach: () => void = () => undefined;
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
      this.#reach();
      await new Promise(() => undefined);
    }
    return work();
  }

  readonly files: FileLayer = {
    open: async (path, flags, mode) => {
      const file = await this.step(() => nodeFiles.open(path, flags, mode));
      return { ...file, write: (bytes) => file.write(bytes), sync: () => this.step(() => file.sync()), close: () => file.close() };
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
