import { lstat } from 'node:fs/promises';
import { DIFF_BYTES_LIMIT } from '../../protocol/index.js';
import type { Git, GitAnswer, GitPlace } from '../git.js';
import { parseRaw, type RawChange, type RawOutput } from './diff-records.js';
import { onDisk, shown } from './raw-path.js';

/** Two states of a tree: a commit, and either another commit or the files on disk. */
export interface Comparison {
  readonly place: GitPlace;
  /** One commit or tree, or two. */
  readonly between: readonly [from: string] | readonly [from: string, to: string];
  /** Where the files on disk are, when they are the second state. */
  readonly root?: string | undefined;
}

/** The most bytes of git's answer: a million changed files. */
const MAX_BYTES = 256 * 1024 * 1024;
/** With more new files than this git only finds renames without changes. */
const RENAME_LIMIT = 1000;

/** Whatever the user set for their own eyes is undone here; what says how files are compared, such as attributes, is not. */
const SETTINGS = [
  ...['-c', `core.bigFileThreshold=${DIFF_BYTES_LIMIT}`, '-c', 'diff.autoRefreshIndex=true', '-c', 'diff.orderFile=/dev/null'],
  ...['-c', 'diff.suppressBlankEmpty=false', '-c', 'diff.wsErrorHighlight=none'],
];
const FLAGS = [
  ...['--raw', '--numstat', '-z', '-M', `-l${RENAME_LIMIT}`, '--no-abbrev', '--no-relative', '--no-color', '--no-ext-diff'],
  // What is inside a submodule is its own: looking there would run git in every one of them.
  ...['--no-textconv', '--submodule=short', '--ignore-submodules=dirty'],
];

/** Every file that differs, in git's order. */
export async function compare(git: Git, comparison: Comparison): Promise<RawOutput> {
  const args = [...SETTINGS, 'diff', ...FLAGS, '--end-of-options', ...comparison.between, '--'];
  return parseRaw(await git.run(comparison.place, args, { maxBytes: MAX_BYTES }));
}

/** Every file that differs, without counting lines: git then reads only what it has to. */
export async function changesOf(git: Git, comparison: Comparison): Promise<readonly RawChange[]> {
  const flags = FLAGS.filter((flag) => flag !== '--numstat');
  const args = [...SETTINGS, 'diff', ...flags, '--end-of-options', ...comparison.between, '--'];
  return parseRaw(await git.run(comparison.place, args, { maxBytes: MAX_BYTES })).changes;
}

interface PatchOptions {
  readonly change: RawChange;
  readonly context: number;
}

/** What git prints for one change: its count, and from {@link RawOutput.rest} on its patch. Naming the old path too keeps a rename one. */
export function patchOf(git: Git, comparison: Comparison, { change, context }: PatchOptions): Promise<GitAnswer> {
  const paths = [change.oldPath ?? change.path, change.path].map(shown);
  const form = ['--patch', `--unified=${context}`, '--inter-hunk-context=0', '--src-prefix=a/', '--dst-prefix=b/'];
  const args = [...SETTINGS, 'diff', ...FLAGS, ...form, '--end-of-options', ...comparison.between, '--', ...new Set(paths)];
  return git.attempt(comparison.place, args);
}

/** Bytes of both sides; a side that is not there, or is a submodule, has none. */
export interface Sizes {
  readonly old?: number | undefined;
  readonly new?: number | undefined;
}

/** In the order of `changes`. */
export async function sizesOf(git: Git, comparison: Comparison, changes: readonly RawChange[]): Promise<Sizes[]> {
  const ids = changes.flatMap(({ oldId, oldMode, newId, newMode }) => [
    isFile(oldMode) ? oldId : undefined,
    isFile(newMode) && comparison.root === undefined ? newId : undefined,
  ]);
  const blobs = await blobSizes(
    git,
    comparison.place,
    ids.filter((id) => id !== undefined),
  );
  const sizeOf = (id: string | undefined) => (id === undefined ? undefined : blobs.get(id));
  return Promise.all(
    changes.map(async (change, at) => ({
      old: sizeOf(ids[2 * at]),
      new: comparison.root === undefined ? sizeOf(ids[2 * at + 1]) : await diskSize(comparison.root, change),
    })),
  );
}

const SUBMODULE = '160000';
const NOTHING = '000000';

function isFile(mode: string): boolean {
  return mode !== SUBMODULE && mode !== NOTHING;
}

async function blobSizes(git: Git, place: GitPlace, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const input = ids.map((id) => `${id}\n`).join('');
  const lines = (await git.text(place, ['cat-file', '--batch-check=%(objectname) %(objectsize)'], { input })).split('\n');
  const known = lines.map((line) => line.split(' ')).filter(([, size = '']) => /^\d+$/.test(size));
  return new Map(known.map(([id = '', size]) => [id, Number(size)]));
}

async function diskSize(root: string, { path, newMode }: RawChange): Promise<number | undefined> {
  if (!isFile(newMode)) return undefined;
  try {
    return (await lstat(onDisk(root, path))).size;
  } catch {
    return undefined;
  }
}
