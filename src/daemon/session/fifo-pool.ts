import { execFile } from 'node:child_process';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MaestroError } from '../../protocol/index.js';

const run = promisify(execFile);

/** Removes a fifo that nobody needs any more. One that cannot be removed is in nobody's way, and swept by the next start. */
export async function removeFifo(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined);
}

/** Spare fifos made by one process; a create then only renames one. */
const BATCH = 16;

/**
 * Makes the fifos that panes are piped into. Node cannot make one, and a process per session would be a good part of what a create
 * costs, so they are made a batch at a time and renamed into their place.
 */
export class FifoPool {
  readonly #dir: string;
  readonly #spare: string[] = [];
  #made = 0;
  #filling: Promise<void> | undefined;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** A new fifo at `path`, mode 0600. Whatever lay there is gone. */
  async make(path: string): Promise<void> {
    try {
      await this.#take(path).catch(async () => {
        // Somebody may have deleted the directory, with all that was spare in it.
        this.#spare.length = 0;
        await mkdir(this.#dir, { recursive: true, mode: 0o700 });
        await this.#take(path);
      });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new MaestroError(
        'storage_failed',
        `no fifo can be made in ${this.#dir} (${code ?? 'mkfifo failed'}); check its space and permissions`,
        {
          cause: error,
        },
      );
    }
  }

  async #take(path: string): Promise<void> {
    while (this.#spare.length === 0) await this.#fill();
    const spare = this.#spare.pop();
    if (this.#spare.length < BATCH / 4) this.#fill().catch(() => undefined);
    if (spare !== undefined) await rename(spare, path);
  }

  /** Removes every fifo that is not in `keep`: those of earlier daemons and of sessions that have ended. */
  async sweep(keep: ReadonlySet<string>): Promise<void> {
    const names = await readdir(this.#dir);
    const stale = names.map((name) => join(this.#dir, name)).filter((path) => !keep.has(path) && !this.#spare.includes(path));
    await Promise.all(stale.map(removeFifo));
  }

  #fill(): Promise<void> {
    this.#filling ??= this.#makeBatch().finally(() => {
      this.#filling = undefined;
    });
    return this.#filling;
  }

  async #makeBatch(): Promise<void> {
    const paths = Array.from({ length: BATCH }, () => join(this.#dir, `spare-${process.pid}-${++this.#made}.fifo`));
    await run('mkfifo', ['-m', '600', ...paths]);
    this.#spare.push(...paths);
  }
}
