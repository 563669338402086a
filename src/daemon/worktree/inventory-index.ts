import { createHash } from 'node:crypto';
import { lstat, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Git, type GitPlace, records } from '../git.js';
import { bytesOf, onDisk, type RawPath, rawPath } from './raw-path.js';

/** git cannot say what a worktree holds. The message reads on from "the worktree is broken:". */
export class UnreadableWorktree extends Error {
  override readonly name = 'UnreadableWorktree';
}

/** A worktree as git is pointed at it: never by looking for it. */
export interface WorktreePlace extends GitPlace {
  readonly gitDir: string;
  readonly workTree: string;
}

/** What an index holds beyond plain files. */
export interface IndexFacts {
  /** A copy of the index that hides nothing. There is no such file where there is no index. */
  readonly place: WorktreePlace;
  readonly submodules: readonly { readonly path: RawPath; readonly id: string }[];
  /** Each side of each conflict. */
  readonly conflicts: readonly IndexConflict[];
  /** False where there is no index file. */
  readonly exists: boolean;
}

export interface IndexConflict {
  readonly mode: string;
  readonly id: string;
  readonly stage: string;
  readonly path: RawPath;
}

/**
 * A file that was written this shortly before its index is compared byte by byte, as git is: within one tick of the clock it may have
 * been written again with the same size. git does so for the second of the index; this gives it some more.
 */
const RACY_SECONDS = 2;

/** For commands that write a temporary index: no hook of the user's, no second file, and any name that a file may have. */
export const INDEX_SETTINGS: readonly string[] = [
  ...['-c', 'core.hooksPath=/dev/null', '-c', 'core.splitIndex=false', '-c', 'core.ignoreStat=false'],
  ...['-c', 'core.protectNTFS=false', '-c', 'core.protectHFS=false'],
];

/**
 * Runs `use` with a temporary copy of the index of `gitDir`, in which no entry is marked "assume unchanged", nor "skip worktree" if its
 * file is there: git would not look at those. The index itself is only read.
 */
export async function withOpenIndex<T>(git: Git, place: WorktreePlace, use: (index: IndexFacts) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'maestro-index-'));
  try {
    const copy: WorktreePlace = { ...place, indexFile: join(directory, 'index') };
    const exists = await copyIndex(join(place.gitDir, 'index'), join(directory, 'index'));
    if (!exists) return await use({ place: copy, submodules: [], conflicts: [], exists });
    return await use({ ...(await openUp(git, copy)), exists });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** With the time of the original, or older: it is by this time that git knows which entries may be newer than they look. */
async function copyIndex(from: string, to: string): Promise<boolean> {
  try {
    const { mtime } = await stat(from);
    const content = await readFile(from);
    if (!isWhole(content)) throw new UnreadableWorktree(`its index is damaged (${from})`);
    await writeFile(to, content, { mode: 0o600 });
    const time = Math.floor(mtime.getTime() / 1000) - RACY_SECONDS;
    await utimes(to, time, time);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** git itself reads on past the end of an index that was cut off. The last bytes are the digest of the others, or zeros (`index.skipHash`). */
function isWhole(index: Buffer): boolean {
  if (index.toString('latin1', 0, 4) !== 'DIRC') return false;
  return (['sha1', 'sha256'] as const).some((name) => {
    const digest = createHash(name).digest().length;
    const end = index.subarray(index.length - digest);
    if (index.length < 12 + digest) return false;
    return end.every((byte) => byte === 0) || createHash(name).update(index.subarray(0, -digest)).digest().equals(end);
  });
}

interface Marked {
  readonly tag: string;
  readonly path: RawPath;
}

async function openUp(git: Git, place: WorktreePlace): Promise<Omit<IndexFacts, 'exists'>> {
  const submodules = new Map<RawPath, string>();
  const conflicts: IndexConflict[] = [];
  const marked: Marked[] = [];
  const output = await git.run(place, ['ls-files', '-z', '-s', '-v'], { maxBytes: 1024 ** 3 });
  for (const record of records(output)) {
    // Nearly all begin with `H 100644`; only the others are worth a closer look.
    if (record[0] === 0x48 && record[2] === 0x31 && record[3] === 0x30 && record[record.indexOf(9) - 1] === 0x30) continue;
    const [, tag = '', mode = '', id = '', stage = '0', path = ''] = /^(\S) (\d+) (\S+) (\d)\t(.*)$/s.exec(rawPath(record)) ?? [];
    if (mode === '160000') submodules.set(path, id);
    if (stage !== '0') conflicts.push({ mode, id, stage, path });
    if (tag === 'S' || tag !== tag.toUpperCase()) marked.push({ tag, path });
  }
  await clearMarks(git, place, marked);
  return { place, submodules: Array.from(submodules, ([path, id]) => ({ path, id })), conflicts };
}

async function clearMarks(git: Git, place: WorktreePlace, marked: readonly Marked[]): Promise<void> {
  const assumed = marked.filter(({ tag }) => tag !== tag.toUpperCase());
  const skipped: Marked[] = [];
  for (const one of marked) {
    if (one.tag.toUpperCase() === 'S' && (await isThere(place.workTree, one.path))) skipped.push(one);
  }
  await unmark(git, place, { flag: '--no-assume-unchanged', marked: assumed });
  await unmark(git, place, { flag: '--no-skip-worktree', marked: skipped });
}

async function unmark(
  git: Git,
  place: GitPlace,
  { flag, marked }: { readonly flag: string; readonly marked: readonly Marked[] },
): Promise<void> {
  if (marked.length === 0) return;
  const input = Buffer.concat(marked.flatMap(({ path }) => [bytesOf(path), Buffer.of(0)]));
  await git.run(place, [...INDEX_SETTINGS, 'update-index', flag, '-z', '--stdin'], { input });
}

async function isThere(top: string, path: RawPath): Promise<boolean> {
  return lstat(onDisk(top, path)).then(
    () => true,
    () => false,
  );
}
