import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { onDisk, parentsOf, type RawPath } from './raw-path.js';

/**
 * Names of ignored files and directories that any tool makes again by itself, and in which nobody keeps work of their own.
 *
 * Only what git ignores qualifies: a tracked or untracked `node_modules` is work like any other. Left out on purpose:
 *
 * - `dist`, `build`, `out`, `target`, `bin`, `vendor`: just names, and people put things there by hand; cargo's `target` qualifies by its
 *   {@link CACHE_TAG}.
 * - `.env`, `*.local`, `*.pem`: settings and secrets that exist nowhere else. One that equals the file of the main worktree is no loss.
 * - `.terraform` and `*.tfstate`: a local state file is the only record of what was really built.
 * - `*.log`, `*.sqlite`, `coverage`, `.idea`, `.vscode`: results and settings that took somebody's time.
 */
const NAMES: ReadonlySet<string> = new Set([
  'node_modules', // packages, from the lock file
  '__pycache__', // Python's compiled files
  '.pytest_cache', // pytest's cache
  '.mypy_cache', // mypy's cache
  '.ruff_cache', // Ruff's cache
  '.tox', // tox's environments
  '.nox', // Nox's environments
  '.gradle', // Gradle's cache of a project
  '.next', // Next.js's build
  '.nuxt', // Nuxt's build
  '.svelte-kit', // SvelteKit's build
  '.turbo', // Turborepo's cache
  '.parcel-cache', // Parcel's cache
  '.eslintcache', // ESLint's cache
  '.nyc_output', // nyc's raw coverage
  '.DS_Store', // the Finder's view settings
  'Thumbs.db', // Windows's thumbnails
]);

const ENDINGS: readonly string[] = [
  '.pyc', // Python's compiled files
  '.tsbuildinfo', // TypeScript's build state
];

/** The first bytes of a valid CACHEDIR.TAG. */
const CACHE_TAG = 'Signature: 8a477f597d28d172789f06886806bc55';

/**
 * Decides which ignored paths of one worktree can be made again; looks at each directory once.
 *
 * Beside the names there is evidence: a directory with a valid CACHEDIR.TAG (https://bford.info/cachedir/), by which its program says that
 * it is a cache, such as cargo's `target`; and `.venv` or `venv` with a `pyvenv.cfg`, a Python environment, from the list of packages.
 */
export class Regenerable {
  readonly #top: string;
  readonly #known = new Map<RawPath, Promise<boolean>>();

  constructor(top: string) {
    this.#top = top;
  }

  /** `path` is ignored by git, and so may be a directory above it, by which it qualifies too. */
  async holds(path: RawPath): Promise<boolean> {
    const all = [...parentsOf(path), path];
    if (all.some((one) => hasRegenerableName(one))) return true;
    for (const directory of all) {
      if (await this.#isCache(directory)) return true;
    }
    return false;
  }

  #isCache(directory: RawPath): Promise<boolean> {
    const known = this.#known.get(directory);
    if (known !== undefined) return known;
    const looked = this.#look(directory);
    this.#known.set(directory, looked);
    return looked;
  }

  async #look(directory: RawPath): Promise<boolean> {
    if (await this.#isTagged(directory)) return true;
    if (!['.venv', 'venv'].includes(nameOf(directory))) return false;
    const config = await lstat(onDisk(this.#top, `${directory}/pyvenv.cfg`)).catch(() => undefined);
    return config?.isFile() === true;
  }

  async #isTagged(directory: RawPath): Promise<boolean> {
    const path = onDisk(this.#top, `${directory}/CACHEDIR.TAG`);
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined);
    if (file === undefined) return false;
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(CACHE_TAG.length), 0, CACHE_TAG.length, 0);
      return buffer.toString('latin1', 0, bytesRead) === CACHE_TAG;
    } catch {
      return false;
    } finally {
      await file.close();
    }
  }
}

function hasRegenerableName(path: RawPath): boolean {
  const name = nameOf(path);
  return NAMES.has(name) || ENDINGS.some((end) => name.endsWith(end));
}

function nameOf(path: RawPath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
