import { access, constants, copyFile, lstat, mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Git, type GitPlace, records } from '../git.js';
import type { DiffTree } from './diff-tree.js';
import { bytesOf, onDisk, type RawPath, rawPath } from './raw-path.js';

/** Indexes of big repositories, and of a directory of files that nobody ignored. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Nothing is run, no shared index is written, and no entry is marked as unchanged. */
const SETTINGS = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.splitIndex=false', '-c', 'core.ignoreStat=false'];
const TAB = 9;
const SLASH = 47;

/**
 * A copy of a worktree's index that also knows its untracked files, so that git itself compares all files on disk in one go: it counts
 * their lines, finds renames among them, and heeds their attributes. The real index is neither written nor locked.
 */
export class DiffIndex implements AsyncDisposable {
  /** Where git sees the copy. */
  readonly place: GitPlace;
  /** Untracked files that are not ignored. */
  readonly untracked: ReadonlySet<RawPath>;
  /** Untracked too, and nothing is known of their lines: repositories of their own, with a `/` at the end, and files that cannot be read. */
  readonly opaque: readonly RawPath[];
  readonly conflicted: ReadonlySet<RawPath>;
  readonly #dir: string;

  private constructor(dir: string, place: GitPlace, { untracked, opaque, conflicted }: Listing) {
    this.#dir = dir;
    this.place = place;
    this.untracked = new Set(untracked);
    this.opaque = opaque;
    this.conflicted = conflicted;
  }

  static async open(git: Git, tree: DiffTree): Promise<DiffIndex> {
    const listing = await list(git, tree);
    const dir = await mkdtemp(join(tmpdir(), 'maestro-diff-'));
    const indexFile = join(dir, 'index');
    const index = new DiffIndex(dir, { ...tree.place, indexFile }, listing);
    try {
      await copyIndex(await git.text(tree.place, ['rev-parse', '--git-path', 'index']), { from: tree.place.cwd, to: indexFile });
      await index.#add(git);
      return index;
    } catch (error) {
      await index[Symbol.asyncDispose]();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#dir, { recursive: true, force: true });
  }

  /** Their content is not stored: an entry that does not fit its file makes git read the file. */
  async #add(git: Git): Promise<void> {
    if (this.untracked.size === 0) return;
    const empty = await git.text(this.place, ['hash-object', '-t', 'blob', '--stdin'], { input: '' });
    const input = bytesOf([...this.untracked].map((path) => `100644 ${empty}\t${path}\0`).join(''));
    await git.run(this.place, [...SETTINGS, 'update-index', '-z', '--index-info'], {
      input,
    });
  }
}

interface Listing {
  readonly untracked: readonly RawPath[];
  readonly opaque: readonly RawPath[];
  readonly conflicted: ReadonlySet<RawPath>;
}

async function list(git: Git, { place, root }: DiffTree): Promise<Listing> {
  const [others, unmerged] = await Promise.all([
    git.run(place, ['ls-files', '-z', '--others', '--exclude-standard'], { maxBytes: MAX_BYTES }),
    git.run(place, ['ls-files', '-z', '--unmerged'], { maxBytes: MAX_BYTES }),
  ]);
  const paths = records(others);
  const readable = await Promise.all(paths.map((path) => isReadable(root, path)));
  const named = (wanted: boolean) => paths.filter((_, at) => readable[at] === wanted).map((path) => rawPath(path));
  return {
    untracked: named(true),
    opaque: named(false),
    conflicted: new Set(records(unmerged).map((record) => rawPath(record.subarray(record.indexOf(TAB) + 1)))),
  };
}

/** git gives up on all of a comparison at the first file that it cannot read. */
async function isReadable(root: string, path: Buffer): Promise<boolean> {
  if (path.at(-1) === SLASH) return false;
  const file = onDisk(root, rawPath(path));
  try {
    if (!(await lstat(file)).isSymbolicLink()) await access(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Copies an index with its time, in whole seconds: a file that was changed in the second in which the index was written looks unchanged,
 * and only by an index that is not younger does git know that it has to read it.
 */
async function copyIndex(path: string, { from, to }: { readonly from: string; readonly to: string }): Promise<void> {
  const source = path.startsWith('/') ? path : join(from, path);
  try {
    const written = Math.floor((await stat(source)).mtimeMs / 1000);
    await copyFile(source, to);
    await utimes(to, written, written);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
