import { type FileLayer, nodeFiles } from '../../../src/daemon/store/file-layer.js';

export type Step = 'open' | 'write' | 'sync' | 'close' | 'rename' | 'unlink' | 'syncDirectory';

/** The real files, with `before` called ahead of each step: it may fail the step, wait, or count it. */
export function scriptedFiles(before: (step: Step, path: string) => Promise<void> | void): FileLayer {
  return {
    async open(path, flags, mode) {
      await before('open', path);
      const file = await nodeFiles.open(path, flags, mode);
      return {
        async write(bytes) {
          await before('write', path);
          return file.write(bytes);
        },
        async sync() {
          await before('sync', path);
          await file.sync();
        },
        async close() {
          await file.close();
          await before('close', path);
        },
      };
    },
    async rename(from, to) {
      await before('rename', to);
      await nodeFiles.rename(from, to);
    },
    async unlink(path) {
      await before('unlink', path);
      await nodeFiles.unlink(path);
    },
    async syncDirectory(path) {
      await before('syncDirectory', path);
      await nodeFiles.syncDirectory(path);
    },
  };
}

/** The real files, but each step in `failing` fails as on a full disk; the test may change the set as it goes. */
export function failingFiles(failing: ReadonlySet<Step>): FileLayer {
  return scriptedFiles((step) => {
    if (failing.has(step)) throw systemError('ENOSPC', 'no space left on device', step);
  });
}

/** What Node throws for an error of the operating system. */
export function systemError(code: string, text: string, syscall: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${text}, ${syscall}`), { code, syscall, errno: -1 });
}

/** A door that is shut until it is opened, and that tells when somebody stands before it. */
export class Gate {
  readonly reached: Promise<void>;
  readonly #opened: Promise<void>;
  #reach: () => void = () => undefined;
  #open: () => void = () => undefined;

  constructor() {
    this.reached = new Promise((resolve) => {
      this.#reach = resolve;
    });
    this.#opened = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  pass(): Promise<void> {
    this.#reach();
    return this.#opened;
  }

  open(): void {
    this.#open();
  }
}
