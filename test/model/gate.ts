import type fc from 'fast-check';
import type { Panes } from '../../src/daemon/panes/panes.js';
import { type FileLayer, nodeFiles, type WritableFile } from '../../src/daemon/store/file-layer.js';
import type { BenchOptions } from '../support/session-bench.js';

/**
 * What a daemon asks of tmux and of the disk goes through here. While a scheduler has it, each call waits for its turn before it is
 * carried out and again before its result is told, so that the scheduler decides in which order a session's operations go on. Behind a
 * shut gate nothing goes on at all, as in a daemon that is gone.
 */
export class Gate {
  #scheduler: fc.Scheduler | undefined;
  #isShut = false;
  readonly #files = new Set<WritableFile>();

  heldBy(scheduler: fc.Scheduler): void {
    this.#scheduler = scheduler;
  }

  open(): void {
    this.#scheduler = undefined;
  }

  shut(): void {
    this.#isShut = true;
    // Nobody comes back to close them.
    for (const file of this.#files) void file.close().catch(() => undefined);
  }

  readonly options: BenchOptions = {
    panes: (panes) => this.#panes(panes),
    files: this.#fileLayer(),
  };

  async #pass<T>(label: string, work: () => Promise<T>): Promise<T> {
    await this.#turn(`before ${label}`);
    try {
      return await work();
    } finally {
      await this.#turn(`behind ${label}`);
    }
  }

  async #turn(label: string): Promise<void> {
    if (this.#isShut) await new Promise(() => undefined);
    await this.#scheduler?.schedule(Promise.resolve(), label);
    if (this.#isShut) await new Promise(() => undefined);
  }

  #panes(panes: Panes): Panes {
    return new Proxy(panes, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== 'function' || typeof key !== 'string') return value;
        return (...words: unknown[]) => this.#pass(key, () => (value as (...all: unknown[]) => Promise<unknown>).apply(target, words));
      },
    });
  }

  #fileLayer(): FileLayer {
    return {
      open: async (path, flags, mode) => {
        const file = await this.#pass('open', async () => {
          const opened = await nodeFiles.open(path, flags, mode);
          this.#files.add(opened);
          return opened;
        });
        return {
          ...file,
          sync: () => this.#pass('sync', () => file.sync()),
          close: () => {
            this.#files.delete(file);
            return file.close();
          },
        };
      },
      rename: (from, to) => this.#pass('rename', () => nodeFiles.rename(from, to)),
      unlink: (path) => this.#pass('unlink', () => nodeFiles.unlink(path)),
      syncDirectory: (path) => nodeFiles.syncDirectory(path),
    };
  }
}
