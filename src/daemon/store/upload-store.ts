import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MaestroError, UPLOAD_LIMIT, type Upload } from '../../protocol/index.js';
import { type FileLayer, nodeFiles, type WritableFile } from './file-layer.js';
import type { StateDir } from './state-dir.js';
import { storageFailed } from './storage-error.js';
import { numberedName, uploadName } from './upload-name.js';

const CREATE_ONLY = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW;

/** Files of one name that a session can have. */
const MOST_OF_A_NAME = 10_000;

export interface UploadedFile {
  /** As the sender calls it. What the file is called here is made of it. */
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
  /** What is announced of it, in bytes. */
  readonly size?: number | undefined;
}

/** A file that is being received. */
interface Incoming {
  readonly id: string;
  readonly removal: AbortController;
  readonly done: Promise<unknown>;
}

/**
 * Files that were sent to sessions, for their programs to read, below `uploads/<id>`. They are the user's from then on: never replaced,
 * and gone with the session.
 *
 * A file is written under a hidden name and gets its own when it is whole. What a crash leaves is hidden, and goes with the session too.
 */
export class UploadStore {
  readonly #dir: StateDir;
  readonly #files: FileLayer;
  readonly #barred = new Set<string>();
  readonly #incoming = new Set<Incoming>();

  constructor({ dir, files = nodeFiles }: { readonly dir: StateDir; readonly files?: FileLayer }) {
    this.#dir = dir;
    this.#files = files;
  }

  /**
   * Resolves once the whole file is durable. Rejects with `payload_too_large`, `storage_failed`, `not_found` for a session that was removed
   * meanwhile, or with what the content failed with; then nothing of it is left. No more than a chunk of it is held in memory.
   */
  async add(id: string, file: UploadedFile): Promise<Upload> {
    if (this.#barred.has(id)) throw removed(id);
    if ((file.size ?? 0) > UPLOAD_LIMIT) throw tooLarge();
    const removal = new AbortController();
    const receiving = this.#receive(this.#dir.uploadsOf(id), file, removal.signal);
    const incoming = { id, removal, done: receiving };
    this.#incoming.add(incoming);
    try {
      return await receiving;
    } finally {
      this.#incoming.delete(incoming);
    }
  }

  /** Deletes all files of the session and bars later ones. Those that are still coming are given up. */
  async remove(id: string): Promise<void> {
    this.#barred.add(id);
    const incoming = [...this.#incoming].filter((one) => one.id === id);
    for (const { removal } of incoming) removal.abort(removed(id));
    await Promise.allSettled(incoming.map(({ done }) => done));
    const directory = this.#dir.uploadsOf(id);
    await orFailed('delete', directory, rm(directory, { recursive: true, force: true }));
  }

  async #receive(directory: string, { name, content }: UploadedFile, signal: AbortSignal): Promise<Upload> {
    const temporary = join(directory, `.${randomBytes(8).toString('hex')}.tmp`);
    await orFailed('make', directory, mkdir(directory, { recursive: true, mode: 0o700 }));
    const file = await orFailed('write', temporary, this.#files.open(temporary, CREATE_ONLY, 0o600));
    const made = [temporary];
    try {
      const size = await fill(file, interruptible(content, signal), temporary);
      const path = await orFailed('write', directory, this.#reserve(directory, uploadName(name)));
      made.push(path);
      await orFailed('write', path, this.#files.rename(temporary, path));
      await orFailed('write', path, this.#files.syncDirectory(directory));
      return { path, size };
    } catch (error) {
      for (const path of made) await this.#files.unlink(path).catch(() => undefined);
      throw error;
    }
  }

  /** Makes an empty file of the first name that is free, so that no other upload takes it. */
  async #reserve(directory: string, name: string): Promise<string> {
    for (let count = 1; ; count += 1) {
      const path = join(directory, numberedName(name, count));
      try {
        await (await this.#files.open(path, CREATE_ONLY, 0o600)).close();
        return path;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || count >= MOST_OF_A_NAME) throw error;
      }
    }
  }
}

function tooLarge(): MaestroError {
  const text = `the file is larger than ${UPLOAD_LIMIT / 1024 / 1024} MiB; bring it to this host another way, such as with scp`;
  return new MaestroError('payload_too_large', text, { details: { limit: UPLOAD_LIMIT } });
}

function removed(id: string): MaestroError {
  return new MaestroError('not_found', `session ${id} was removed; what is sent to it is not kept`);
}

async function orFailed<T>(action: string, path: string, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    throw storageFailed(action, path, error);
  }
}

/** Writes all of the content and closes the file in any case. Answers how much it was, in bytes. */
async function fill(file: WritableFile, content: AsyncIterable<Uint8Array>, path: string): Promise<number> {
  let size = 0;
  try {
    for await (const chunk of content) {
      size += chunk.length;
      if (size > UPLOAD_LIMIT) throw tooLarge();
      await orFailed('write', path, writeAll(file, chunk));
    }
    await orFailed('write', path, file.sync());
  } catch (error) {
    await file.close().catch(() => undefined);
    throw error;
  }
  await orFailed('write', path, file.close());
  return size;
}

async function writeAll(file: WritableFile, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.length; ) done += await file.write(chunk.subarray(done));
}

/** The same chunks, until `signal` aborts: also while none comes. */
async function* interruptible(content: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted();
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  aborted.catch(() => undefined); // it may come while nobody waits for a chunk
  const chunks = content[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([chunks.next(), aborted]);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    const left = chunks.return?.();
    if (!signal.aborted) await left; // else it waits for the chunk that may never come
  }
}
