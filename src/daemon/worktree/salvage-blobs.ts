import { createHash, type Hash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink } from 'node:fs/promises';
import type { Git, GitPlace } from '../git.js';
import { onDisk, type RawPath } from './raw-path.js';

/** What a tree is to have at a path: exactly the bytes of the file, or of the name that a symbolic link leads to. */
export interface StoredBlob {
  readonly mode: '100644' | '100755' | '120000';
  readonly id: string;
  readonly size: number;
}

export interface FileToStore {
  readonly path: RawPath;
  readonly stats: BigIntStats;
}

/** A file was written while it was read, or has gone. */
export class FileChanged extends Error {
  override readonly name = 'FileChanged';
  readonly path: RawPath;

  constructor(path: RawPath) {
    super(`changed while it was read: ${path}`);
    this.path = path;
  }
}

/** A file that nobody lets us read. */
export class FileUnreadable extends Error {
  override readonly name = 'FileUnreadable';
  readonly path: RawPath;

  constructor(path: RawPath, cause: unknown) {
    super(`cannot be read: ${path}`, { cause });
    this.path = path;
  }
}

const CHUNK = 256 * 1024;

/**
 * Stores each file in the repository as it is on disk: no filter, no conversion of line ends, none of a large-file store. All go in one
 * pack, which is on disk when this resolves. The ids are computed here, not told by git, so that reading back checks what git has.
 *
 * Rejects with {@link FileChanged} or {@link FileUnreadable}.
 */
export async function storeFiles(git: Git, place: GitPlace, { files, top, hash }: StoreOptions): Promise<Map<RawPath, StoredBlob>> {
  const stored = new Map<RawPath, StoredBlob>();
  if (files.length === 0) return stored;
  const troubles: Error[] = [];
  const input = stream(files, { top, hash, stored, troubles });
  await git.run(place, ['-c', 'fastimport.unpackLimit=1', 'fast-import', '--quiet', '--done', '--depth=0'], { input, patient: true });
  if (troubles[0] !== undefined) throw troubles[0];
  return stored;
}

interface StoreOptions {
  readonly files: readonly FileToStore[];
  readonly top: string;
  /** That of the repository's object ids. */
  readonly hash: 'sha1' | 'sha256';
}

interface Streaming extends Omit<StoreOptions, 'files'> {
  readonly stored: Map<RawPath, StoredBlob>;
  readonly troubles: Error[];
}

/** What `git fast-import` reads. A file in trouble is filled up with zeros, as its size is out already: breaking off would leave a crash report. */
async function* stream(files: readonly FileToStore[], { top, hash, stored, troubles }: Streaming): AsyncGenerator<Uint8Array> {
  for (const { path, stats } of files) {
    const size = Number(stats.size);
    const digest = createHash(hash).update(`blob ${size}\0`);
    yield Buffer.from(`blob\ndata ${size}\n`);
    const content = stats.isSymbolicLink() ? linkTarget : fileContent;
    let left = size;
    try {
      for await (const chunk of content(onDisk(top, path), { path, stats })) {
        left -= chunk.length;
        digest.update(chunk);
        yield chunk;
      }
    } catch (error) {
      troubles.push(error instanceof FileChanged || error instanceof FileUnreadable ? error : new FileUnreadable(path, error));
    }
    for (; left > 0; left -= Math.min(left, CHUNK)) yield Buffer.alloc(Math.min(left, CHUNK));
    yield Buffer.from('\n');
    stored.set(path, { mode: modeOf(stats), id: finish(digest), size });
  }
  yield Buffer.from('done\n');
}

function finish(digest: Hash): string {
  return digest.digest('hex');
}

async function* linkTarget(file: Buffer, { path, stats }: FileToStore): AsyncGenerator<Uint8Array> {
  const target = await readlink(file, 'buffer').catch(() => undefined);
  if (target?.length !== Number(stats.size)) throw new FileChanged(path);
  yield target;
  if (!isSame(stats, await lstat(file, { bigint: true }).catch(() => undefined))) throw new FileChanged(path);
}

async function* fileContent(file: Buffer, { path, stats }: FileToStore): AsyncGenerator<Uint8Array> {
  const handle = await openFile(file, path);
  try {
    if (!isSame(stats, await handle.stat({ bigint: true }))) throw new FileChanged(path);
    yield* readAll(handle, { path, size: Number(stats.size) });
    const [opened, named] = [await handle.stat({ bigint: true }), await lstat(file, { bigint: true }).catch(() => undefined)];
    if (!isSame(stats, opened) || !isSame(stats, named)) throw new FileChanged(path);
  } finally {
    await handle.close();
  }
}

async function openFile(file: Buffer, path: RawPath): Promise<FileHandle> {
  try {
    return await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') throw new FileChanged(path);
    throw new FileUnreadable(path, error);
  }
}

async function* readAll(handle: FileHandle, { path, size }: { readonly path: RawPath; readonly size: number }): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(CHUNK, size - at)), 0, Math.min(CHUNK, size - at), at);
    if (bytesRead === 0) throw new FileChanged(path);
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Nothing was written to the file between two looks, as far as the file system tells. */
export function isSame(a: BigIntStats, b: BigIntStats | undefined): boolean {
  if (b === undefined || a.ino !== b.ino || a.mode !== b.mode || a.size !== b.size) return false;
  return a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}

function modeOf(stats: BigIntStats): StoredBlob['mode'] {
  if (stats.isSymbolicLink()) return '120000';
  return (stats.mode & 0o100n) === 0n ? '100644' : '100755';
}
