import { constants } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SessionIdSchema } from '../../protocol/index.js';
import { durableRemove } from './atomic-write.js';
import { type FileLayer, nodeFiles } from './file-layer.js';
import type { StateDir } from './state-dir.js';
import { storageFailed } from './storage-error.js';

/** How long a tombstone is kept: far longer than a process that still writes for a killed session can live. */
export const TOMBSTONE_KEPT_MS = 24 * 60 * 60 * 1000;

const CREATE = constants.O_CREAT | constants.O_WRONLY | constants.O_NOFOLLOW;

/**
 * The notes that a session was killed. They are written before anything else of the kill, so that a crash at any later point cannot
 * bring the session back: recovery ends what it finds of a session with a tombstone. A tombstone is an empty file, as that is what can
 * still be made on a full disk, where kills are most wanted.
 */
export class Tombstones {
  readonly #dir: StateDir;
  readonly #files: FileLayer;

  constructor({ dir, files = nodeFiles }: { readonly dir: StateDir; readonly files?: FileLayer }) {
    this.#dir = dir;
    this.#files = files;
  }

  /**
   * Returns once the tombstone would survive a power cut. No error if there is one already. When it rejects, one that it made is taken
   * away again as far as the disk allows: a kill that was refused must not be carried out by the next start.
   */
  async bury(id: string): Promise<void> {
    const path = this.#dir.tombstone(id);
    const isBuried = await this.has(id);
    try {
      const file = await this.#files.open(path, CREATE, 0o600);
      try {
        await file.sync();
      } finally {
        await file.close();
      }
      await this.#files.syncDirectory(this.#dir.trash);
    } catch (error) {
      if (!isBuried) await this.#files.unlink(path).catch(() => undefined);
      throw storageFailed('write', path, error);
    }
  }

  /** Rejects like {@link bury} when no tombstone can be written now. Writes none. */
  async requireRoom(id: string): Promise<void> {
    const path = `${this.#dir.tombstone(id)}.tmp`;
    try {
      await (await this.#files.open(path, CREATE, 0o600)).close();
      await this.#files.unlink(path);
    } catch (error) {
      throw storageFailed('write', path, error);
    }
  }

  async has(id: string): Promise<boolean> {
    return (await this.#buriedAt(id)) !== undefined;
  }

  /** The ids of all killed sessions that are still remembered. */
  async list(): Promise<string[]> {
    try {
      const names = await readdir(this.#dir.trash);
      return names.filter((name) => SessionIdSchema.safeParse(name).success);
    } catch (error) {
      throw storageFailed('read', this.#dir.trash, error);
    }
  }

  /**
   * Forgets tombstones older than that and tells how many. One from the future is fresh: the clock was set back since. `now` is in
   * milliseconds since 1970.
   */
  async prune(olderThanMs: number = TOMBSTONE_KEPT_MS, now: number = Date.now()): Promise<number> {
    let pruned = 0;
    for (const id of await this.list()) {
      const at = await this.#buriedAt(id);
      if (at === undefined || now - at <= olderThanMs) continue;
      await durableRemove(join(this.#dir.trash, id), this.#files);
      pruned += 1;
    }
    return pruned;
  }

  async #buriedAt(id: string): Promise<number | undefined> {
    const path = this.#dir.tombstone(id);
    try {
      return (await stat(path)).mtimeMs;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw storageFailed('read', path, error);
    }
  }
}
