import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.js';
import { listDirectory } from './directory-listing.js';
import { DirectoryWatches } from './directory-watches.js';
import { IgnoredDirectories } from './ignored-directories.js';
import { type FoundRepository, type RepositoryLocation, repositoryAt } from './repository-location.js';
import { Turns } from './turns.js';

/** Reads of directories under way at a time. The threads that do them also write what terminals say. */
const READS_AT_ONCE = 3;
/** Nothing under a root is looked at beyond this many directories. */
const DIRECTORY_LIMIT = 50_000;
const WATCH_LIMIT = 2000;
/** After how long a directory that is not watched is read again. */
const UNWATCHED_FRESH_MS = 60_000;
/** The same for one that is watched: what another host changes on a network file system causes no event. */
const WATCHED_FRESH_MS = 10 * 60_000;

export interface ScanParts {
  /** Absolute. A root may be a symbolic link, and need not exist. */
  readonly roots: readonly string[];
  /** How many levels below its root a repository may lie. */
  readonly depth: number;
  /** Names of directories that are not looked into. */
  readonly ignore: readonly string[];
  /** Directories that are not looked into; Maestro's own. */
  readonly exclude: readonly string[];
  readonly clock: Clock;
}

/** A directory that was read, or is to be. */
interface Scanned {
  readonly path: string;
  /** Below its root; 0 for the root itself. */
  readonly depth: number;
  children: ReadonlySet<string>;
  repository: RepositoryLocation | undefined;
  /** It is watched, or it is a repository, of which one asks only whether it is still there. */
  isQuiet: boolean;
  /** When it was read, by the clock that only goes forward. */
  readAt: number;
  /** It was not read yet, or something happened in it since. */
  isDue: boolean;
}

/**
 * The git repositories below some directories. What was read is kept and watched; {@link refresh} reads only what is new, what changed, and
 * what could change unseen. Nothing is read when nobody asks.
 */
export class ProjectScanner {
  readonly #parts: ScanParts;
  readonly #watches = new DirectoryWatches({ limit: WATCH_LIMIT, onChange: (path) => this.recheck(path) });
  readonly #scanned = new Map<string, Scanned>();
  readonly #reads = new Turns(READS_AT_ONCE);
  #roots: ReadonlySet<string> = new Set();
  #isComplete = false;
  #isClosed = false;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(parts: ScanParts) {
    this.#parts = parts;
  }

  /** All was read at least once. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  repositories(): RepositoryLocation[] {
    return [...this.#scanned.values()].flatMap(({ repository }) => repository ?? []);
  }

  /** Resolves once all that happened before the call is known. */
  refresh(): Promise<void> {
    if (this.#running === undefined) {
      this.#running = this.#scan().finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    const again = () => {
      this.#next = undefined;
      return this.refresh();
    };
    this.#next ??= this.#running.then(again, again);
    return this.#next;
  }

  /** Reads the directory `path` again at the next refresh, if it is one of those that are looked into. */
  recheck(path: string): void {
    const known = this.#scanned.get(path);
    if (known) known.isDue = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#watches.close();
    await this.#running?.catch(() => undefined);
    this.#watches.close();
  }

  /** Level by level, so that what is near to a root gets its watch before what is deep. */
  async #scan(): Promise<void> {
    const ignored = new IgnoredDirectories({ names: this.#parts.ignore, paths: await realPaths(this.#parts.exclude) });
    this.#takeRoots(await realPaths(this.#parts.roots));
    let level = this.#due();
    while (level.length > 0 && !this.#isClosed) {
      const found = await Promise.all(level.map((directory) => this.#reads.run(() => this.#read(directory, ignored))));
      level = found.flat();
    }
    this.#isComplete ||= !this.#isClosed;
  }

  #takeRoots(roots: readonly string[]): void {
    const before = this.#roots;
    this.#roots = new Set(roots);
    for (const root of before) if (!this.#roots.has(root)) this.#forget(root);
    for (const root of this.#roots) {
      if (before.has(root)) continue;
      this.#forget(root);
      this.#scanned.set(root, unread(root, 0));
    }
  }

  #due(): Scanned[] {
    const now = this.#parts.clock.monotonic();
    const isDue = ({ isDue, isQuiet, readAt }: Scanned) => isDue || now - readAt > (isQuiet ? WATCHED_FRESH_MS : UNWATCHED_FRESH_MS);
    return [...this.#scanned.values()].filter(isDue);
  }

  /** The directories in it that were not read yet. */
  async #read(directory: Scanned, ignored: IgnoredDirectories): Promise<Scanned[]> {
    const { path, depth } = directory;
    if (this.#isClosed || this.#scanned.get(path) !== directory) return [];
    directory.readAt = this.#parts.clock.monotonic();
    directory.isDue = false;
    const isWatched = this.#watches.watch(path); // first, so that what happens meanwhile is seen
    const listing = await listDirectory(path);
    const found = listing?.mayBeRepository ? await repositoryAt(path) : undefined;
    if (this.#isClosed || this.#scanned.get(path) !== directory) return [];
    const isRoot = depth === 0;
    const ends = listing === undefined || (!isRoot && (found !== undefined || listing.isDisposable)) || depth >= this.#parts.depth;
    directory.repository = ownRepository(found);
    directory.isQuiet = isWatched || found !== undefined;
    // git makes `.git` before what is in it, and no watch looks there.
    directory.isDue ||= listing?.mayBeRepository === true && found === undefined;
    if (listing === undefined || (found && !isRoot)) this.#watches.unwatch(path);
    return this.#takeChildren(directory, ends ? [] : listing.directories.filter((name) => !ignored.ignores(path, name)));
  }

  #takeChildren(directory: Scanned, names: readonly string[]): Scanned[] {
    const before = directory.children;
    directory.children = new Set(names.map((name) => join(directory.path, name)));
    for (const path of before) if (!directory.children.has(path)) this.#forget(path);
    const fresh: Scanned[] = [];
    for (const path of directory.children) {
      if (this.#scanned.has(path) || this.#scanned.size >= DIRECTORY_LIMIT) continue;
      const child = unread(path, directory.depth + 1);
      this.#scanned.set(path, child);
      fresh.push(child);
    }
    return fresh;
  }

  /** With all below it, but for what is below another root. */
  #forget(path: string): void {
    const known = this.#scanned.get(path);
    if (known === undefined || (known.depth === 0 && this.#roots.has(path))) return;
    this.#scanned.delete(path);
    this.#watches.unwatch(path);
    for (const child of known.children) this.#forget(child);
  }
}

function unread(path: string, depth: number): Scanned {
  return { path, depth, children: new Set(), repository: undefined, isQuiet: false, readAt: 0, isDue: true };
}

/** Other worktrees of a repository, and submodules, are no projects of their own. */
function ownRepository(found: FoundRepository | undefined): RepositoryLocation | undefined {
  if (found?.as !== 'main') return undefined;
  const { path, gitDir, bare } = found;
  return { path, gitDir, bare };
}

async function realPaths(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => realpath(path).catch(() => [])));
  return [...new Set(found.flat())];
}
