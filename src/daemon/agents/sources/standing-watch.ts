import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, relative, sep } from 'node:path';

export interface StandingWatchParts {
  /** Absolute. It may not exist yet, go away and come back. */
  readonly directory: string;
  /** It is watched from here on: it was there, has come, or is another one than before. */
  readonly onThere: () => void;
  /** What has this name in it may have changed; undefined for anything. */
  readonly onEntry: (name: string | undefined) => void;
  /** It cannot be watched, until {@link StandingWatch.check} is called again. */
  readonly onProblem: (error: unknown) => void;
}

interface Place {
  readonly path: string;
  /** Which directory it is, whatever its name. */
  readonly identity: string;
}

/** Directories that come and go faster than this are left until something else happens. */
const MOST_MOVES = 100;

/**
 * Watches a directory by one watch, or as long as it does not exist the nearest one above it.
 *
 * A directory above that is given another name while this one exists is not noticed; {@link check} does.
 */
export class StandingWatch {
  readonly #parts: StandingWatchParts;
  #watcher: FSWatcher | undefined;
  #place: Place | undefined;
  #checking = false;
  #checkAgain = false;
  #isClosed = false;

  constructor(parts: StandingWatchParts) {
    this.#parts = parts;
    this.check();
  }

  /** Looks whether what is watched is still the right one. */
  check(): void {
    if (this.#isClosed) return;
    this.#checkAgain = true;
    if (!this.#checking) void this.#settle();
  }

  close(): void {
    this.#isClosed = true;
    this.#drop();
  }

  async #settle(): Promise<void> {
    this.#checking = true;
    const before = this.#place;
    for (let moves = 0; this.#checkAgain && moves < MOST_MOVES; moves += 1) {
      this.#checkAgain = false;
      const nearest = await nearestOf(this.#parts.directory);
      // Who moved looks again: what was made before the watch began was told to nobody.
      if (!this.#isClosed && !isSame(nearest, this.#place)) this.#checkAgain = this.#move(nearest);
    }
    this.#checking = false;
    if (this.#place?.path === this.#parts.directory && this.#place !== before) this.#parts.onThere();
  }

  /** False when that cannot be done for another reason than that the directory has gone meanwhile. */
  #move(to: Place): boolean {
    this.#drop();
    try {
      const watcher = watch(to.path, { persistent: false }, (event, name) => {
        if (this.#watcher === watcher) this.#heard(event, name ?? undefined);
      });
      watcher.on('error', (error) => {
        if (this.#watcher === watcher) this.#fail(error);
      });
      this.#watcher = watcher;
      this.#place = to;
      return true;
    } catch (error) {
      if (isGone(error)) return true;
      this.#fail(error);
      return false;
    }
  }

  #heard(event: string, name: string | undefined): void {
    const { directory, onEntry } = this.#parts;
    const path = this.#place?.path ?? directory;
    // A directory tells of its own end by its own name.
    const isOwnEnd = event === 'rename' && (name === undefined || name === basename(path));
    if (path === directory) onEntry(name);
    if (isOwnEnd || (path !== directory && name === relative(path, directory).split(sep, 1)[0])) this.check();
  }

  #fail(error: unknown): void {
    this.#drop();
    this.#parts.onProblem(error);
  }

  #drop(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#place = undefined;
  }
}

async function nearestOf(directory: string): Promise<Place> {
  for (let path = directory; ; path = dirname(path)) {
    const found = await stat(path, { bigint: true }).catch(() => undefined);
    if (found?.isDirectory() || path === dirname(path)) return { path, identity: `${found?.dev} ${found?.ino} ${found?.birthtimeNs}` };
  }
}

function isSame(a: Place, b: Place | undefined): boolean {
  return a.path === b?.path && a.identity === b.identity;
}

function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}
