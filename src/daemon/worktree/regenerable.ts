import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { onDisk, parentsOf, type RawPath } from './raw-path.js';

interface Rule {
  /** What it is, as the documentation and the command line show it. */
  readonly shown: string;
  readonly why: string;
  readonly matches: (name: string) => boolean;
}

function named(name: string, why: string): Rule {
  return { shown: name, why, matches: (candidate) => candidate === name };
}

function ending(end: string, why: string): Rule {
  return { shown: `*${end}`, why, matches: (candidate) => candidate.endsWith(end) };
}

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
export const REGENERABLE_NAMES: readonly Rule[] = [
  named('node_modules', 'packages, from the lock file'),
  named('__pycache__', "Python's compiled files"),
  ending('.pyc', "Python's compiled files"),
  named('.pytest_cache', "pytest's cache"),
  named('.mypy_cache', "mypy's cache"),
  named('.ruff_cache', "Ruff's cache"),
  named('.tox', "tox's environments"),
  named('.nox', "Nox's environments"),
  named('.gradle', "Gradle's cache of a project"),
  named('.next', "Next.js's build"),
  named('.nuxt', "Nuxt's build"),
  named('.svelte-kit', "SvelteKit's build"),
  named('.turbo', "Turborepo's cache"),
  named('.parcel-cache', "Parcel's cache"),
  named('.eslintcache', "ESLint's cache"),
  named('.nyc_output', "nyc's raw coverage"),
  ending('.tsbuildinfo', "TypeScript's build state"),
  named('.DS_Store', "the Finder's view settings"),
  named('Thumbs.db', "Windows's thumbnails"),
];

/** What makes an ignored directory regenerable whatever its name. */
export const REGENERABLE_EVIDENCE: readonly { readonly shown: string; readonly why: string }[] = [
  {
    shown: 'a directory with a valid CACHEDIR.TAG',
    why: "its program says that it is a cache (https://bford.info/cachedir/), such as cargo's target",
  },
  { shown: '.venv or venv with a pyvenv.cfg', why: 'a Python environment, from the list of packages' },
];

/** The first bytes of a valid CACHEDIR.TAG. */
const CACHE_TAG = 'Signature: 8a477f597d28d172789f06886806bc55';

/** Decides which ignored paths of one worktree can be made again; looks at each directory once. */
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
  return REGENERABLE_NAMES.some((rule) => rule.matches(name));
}

function nameOf(path: RawPath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
