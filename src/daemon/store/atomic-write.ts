import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { readdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { invariant } from '../invariant.js';
import { type FileLayer, nodeFiles, type WritableFile } from './file-layer.js';
import { storageFailed } from './storage-error.js';

const CREATE_ONLY = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW;
const LEFTOVER = /^\..+\.[0-9a-f]{16}\.tmp$/;

/**
 * Replaces the file at `path`, or makes it, with mode 0600 from birth.
 *
 * Whenever this process or the host dies, the file holds the old content or the new one, each whole; once the promise has resolved it
 * is the new one, also after a power cut. A crash leaves at most a temporary file beside it, which {@link removeLeftovers} finds.
 *
 * Rejects with `storage_failed`. The old content is then untouched, unless only the very last step failed, which makes the new name
 * durable: then the new content is in place but a power cut may still take it back.
 */
export async function atomicWrite(path: string, content: Uint8Array | readonly Uint8Array[], files: FileLayer = nodeFiles): Promise<void> {
  const prepared = await prepareWrite(path, content, files);
  try {
    await prepared.put();
  } finally {
    await prepared.drop();
  }
}

/** New content of a file, durable beside it. */
export interface PreparedWrite {
  /** Gives it its place; once. Afterwards all is as after {@link atomicWrite}, and it rejects like that. */
  put(): Promise<void>;
  /** Takes it away, unless it has its place. Never rejects: what cannot be removed now is removed at the next start. */
  drop(): Promise<void>;
}

/** The slow part of {@link atomicWrite}, after which the file still holds the old content. Rejects with `storage_failed`. */
export async function prepareWrite(
  path: string,
  content: Uint8Array | readonly Uint8Array[],
  files: FileLayer = nodeFiles,
): Promise<PreparedWrite> {
  const directory = dirname(path);
  const temporary = join(directory, `.${basename(path)}.${randomBytes(8).toString('hex')}.tmp`);
  let isBeside = true;
  const prepared: PreparedWrite = {
    async put() {
      try {
        await files.rename(temporary, path);
        isBeside = false;
        await files.syncDirectory(directory);
      } catch (error) {
        throw storageFailed('write', path, error);
      }
    },
    async drop() {
      if (isBeside) await files.unlink(temporary).catch(() => undefined);
    },
  };
  try {
    const file = await files.open(temporary, CREATE_ONLY, 0o600);
    // The first error is the one to tell, whatever comes of taking away what was written.
    await fill(file, content instanceof Uint8Array ? [content] : content).catch(async (error: unknown) => {
      await prepared.drop();
      throw error;
    });
  } catch (error) {
    throw storageFailed('write', path, error);
  }
  return prepared;
}

/** Closes `file` in any case. An error of close counts: quotas and network file systems report there what they swallowed before. */
async function fill(file: WritableFile, chunks: readonly Uint8Array[]): Promise<void> {
  try {
    for (const chunk of chunks) await writeAll(file, chunk);
    await file.sync();
  } catch (error) {
    await file.close().catch(() => undefined);
    throw error;
  }
  await file.close();
}

async function writeAll(file: WritableFile, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    const written = await file.write(chunk.subarray(done));
    invariant(written > 0, 'a write that takes nothing fails');
    done += written;
  }
}

/** Deletes `path` durably; no error if it is gone. */
export async function durableRemove(path: string, files: FileLayer = nodeFiles): Promise<void> {
  try {
    await files.unlink(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw storageFailed('delete', path, error);
  }
  try {
    await files.syncDirectory(dirname(path));
  } catch (error) {
    throw storageFailed('delete', path, error);
  }
}

/** True for the name of a temporary file of {@link atomicWrite}. */
export function isLeftover(name: string): boolean {
  return LEFTOVER.test(name);
}

/**
 * Deletes the temporary files that a crash left in `directory`. Only for the one process that writes there, before its first write.
 * What cannot be deleted stays until the next time: it harms nothing.
 */
export async function removeLeftovers(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  await Promise.all(names.filter(isLeftover).map((name) => unlink(join(directory, name)).catch(() => undefined)));
}
