import { randomBytes } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SpoolFile, type SpoolLines } from './spool-file.js';
import { SpoolWatch } from './spool-watch.js';
import type { SpooledReport } from './spooled-report.js';
import type { StateDir } from './state-dir.js';
import { storageFailed } from './storage-error.js';

const SESSION = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
/** What reporters write. */
const LEFT = new RegExp(`^${SESSION}(?:\\.1)?\\.jsonl$`);
/** What this daemon, or one before it, has begun to take. */
const TAKEN = new RegExp(`^${SESSION}\\.[0-9a-f]{16}\\.taken$`);
const ID_LENGTH = 36;

export interface Drained {
  readonly taken: number;
  /** Lines that were no reports, and files that could not be read. */
  readonly skipped: number;
}

interface SessionFiles {
  readonly id: string;
  readonly names: readonly string[];
  readonly take: Take;
}

type Take = (report: SpooledReport) => Promise<void>;

/**
 * The reports that could not be delivered, because there was no daemon or it took too long.
 *
 * A report is deleted after it was taken, so a crash loses none, but may bring it again; so may a daemon that answered too late. Only
 * one that a reporter writes in the very moment of the deletion is read after it.
 */
export class ReportSpool {
  readonly #directory: string;
  #watch: SpoolWatch | undefined;
  #draining: Promise<unknown> = Promise.resolve();

  private constructor(directory: string) {
    this.#directory = directory;
  }

  static open(stateDir: StateDir): ReportSpool {
    return new ReportSpool(stateDir.spool);
  }

  /** Calls `onChange` soon after reports were left. What {@link drain} finds at its call is not told again. */
  watch(onChange: () => void, signal: AbortSignal): void {
    this.#watch = new SpoolWatch({ directory: this.#directory, counts: (name) => LEFT.test(name), onChange, signal });
    this.#watch.arm();
  }

  /**
   * Hands every report to `take`, session by session, those of each in the order of their times, and deletes them. Drains never overlap.
   * When `take` rejects, the reports of that session are kept for the next time, and so are those of sessions that were to come.
   * Rejects with that, or with `storage_failed`. To be called every so often: it also mends the watch.
   */
  drain(take: Take): Promise<Drained> {
    this.#watch?.arm();
    const draining = this.#draining.then(() => this.#drain(take));
    this.#draining = draining.catch(() => undefined);
    return draining;
  }

  async #drain(take: Take): Promise<Drained> {
    const total = { taken: 0, skipped: 0 };
    for (const [id, names] of await this.#filesBySession()) {
      const { taken, skipped } = await this.#drainSession({ id, names, take });
      total.taken += taken;
      total.skipped += skipped;
    }
    return total;
  }

  async #filesBySession(): Promise<ReadonlyMap<string, readonly string[]>> {
    const files = new Map<string, string[]>();
    for (const name of await this.#names()) {
      const id = name.slice(0, ID_LENGTH);
      files.set(id, [...(files.get(id) ?? []), name]);
    }
    return files;
  }

  async #names(): Promise<readonly string[]> {
    try {
      const entries = await readdir(this.#directory, { withFileTypes: true });
      return entries.filter((entry) => !entry.isDirectory() && (LEFT.test(entry.name) || TAKEN.test(entry.name))).map(({ name }) => name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw storageFailed('read', this.#directory, error);
    }
  }

  async #drainSession({ id, names, take }: SessionFiles): Promise<Drained> {
    const files: SpoolFile[] = [];
    const total = { taken: 0, skipped: 0 };
    try {
      for (const name of names) {
        const file = await this.#onDisk(this.#claim(name, id));
        if (file instanceof SpoolFile) files.push(file);
        else if (file === 'unreadable') total.skipped += 1;
      }
      for (const step of ['read', 'finish'] as const) {
        const { reports, skipped } = await this.#onDisk(linesOf(files, step));
        for (const report of reports) await take(report);
        total.taken += reports.length;
        total.skipped += skipped;
      }
      return total;
    } finally {
      await Promise.all(files.map((file) => file[Symbol.asyncDispose]()));
    }
  }

  /** Moves the file away from reporters, who go on in a new one, and opens it. What cannot be read is deleted. */
  async #claim(name: string, id: string): Promise<SpoolFile | 'gone' | 'unreadable'> {
    const path = join(this.#directory, TAKEN.test(name) ? name : `${id}.${randomBytes(8).toString('hex')}.taken`);
    try {
      await rename(join(this.#directory, name), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'gone';
      throw error;
    }
    const file = await SpoolFile.open(path, id);
    if (file === undefined) await rm(path, { force: true });
    return file ?? 'unreadable';
  }

  #onDisk<T>(work: Promise<T>): Promise<T> {
    return work.catch((error: unknown) => {
      throw storageFailed('take the reports in', this.#directory, error);
    });
  }
}

async function linesOf(files: readonly SpoolFile[], step: 'read' | 'finish'): Promise<SpoolLines> {
  const lines: SpoolLines[] = [];
  for (const file of files) lines.push(await file[step]());
  return {
    reports: lines.flatMap(({ reports }) => reports).sort((a, b) => a.at - b.at),
    skipped: lines.reduce((sum, { skipped }) => sum + skipped, 0),
  };
}
