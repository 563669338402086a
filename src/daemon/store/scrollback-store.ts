import { constants } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { SessionIdSchema } from '../../protocol/index.js';
import { atomicWrite, durableRemove, removeLeftovers } from './atomic-write.js';
import { type FileLayer, nodeFiles } from './file-layer.js';
import { KeyedWriter } from './keyed-writer.js';
import type { StateDir } from './state-dir.js';
import { isSystemError, storageFailed, systemReason } from './storage-error.js';

/**
 * The header of a scrollback file; numbers are unsigned and little-endian.
 *
 *     0  "MSB", format version 1
 *     4  length of the former lives' bytes
 *     8  length of this life's bytes
 *    12  which life "this" is: the session's run
 *    16  CRC-32 of bytes 0 to 15 and of the payload
 *    20  payload: the former lives' bytes, then this life's
 */
export const SCROLLBACK_HEADER_BYTES = 20;

const MAGIC = Buffer.from('MSB\x01', 'latin1');
const SUM_OFFSET = 16;
/** Far above any budget. A length beyond it is a damaged file, not one to read into memory. */
const FILE_LIMIT = 1024 * 1024 * 1024;
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The last bytes a session printed, in the order of its lives. */
export interface Scrollback {
  /** What programs before the latest printed. */
  readonly former: Buffer;
  /** What the latest printed. */
  readonly current: Buffer;
}

/** A scrollback as it was stored. In a session that has been resumed since, `current` belongs to a former life as well. */
export interface StoredScrollback extends Scrollback {
  /** The run that printed `current`. */
  readonly run: number;
}
export interface ScrollbackProblem {
  readonly id: string;
  readonly path: string;
  /** What is wrong, such as "it is not as long as it says". */
  readonly reason: string;
}

export interface ScrollbackStoreOptions {
  readonly dir: StateDir;
  readonly files?: FileLayer;
  /** Called for a file that is there but cannot be used. It stays until the next good write replaces it. */
  readonly onProblem?: (problem: ScrollbackProblem) => void;
}

/** The scrollback files of all sessions. Writes of one session are serialised and coalesced, see {@link KeyedWriter}. */
export class ScrollbackStore {
  readonly #dir: StateDir;
  readonly #writer: KeyedWriter<StoredScrollback>;
  readonly #onProblem: (problem: ScrollbackProblem) => void;

  constructor({ dir, files = nodeFiles, onProblem = () => undefined }: ScrollbackStoreOptions) {
    this.#dir = dir;
    this.#onProblem = onProblem;
    this.#writer = new KeyedWriter<StoredScrollback>({
      write: (id, scrollback) => atomicWrite(dir.scrollback(id), [header(scrollback), scrollback.former, scrollback.current], files),
      erase: (id) => durableRemove(dir.scrollback(id), files),
    });
  }

  /** The ids of all sessions with a scrollback file. Clears what a crash left; to be called before the first write. */
  async load(): Promise<string[]> {
    await removeLeftovers(this.#dir.scrollbacks);
    try {
      const names = await readdir(this.#dir.scrollbacks);
      const ids = names.filter((name) => name.endsWith('.bin')).map((name) => name.slice(0, -'.bin'.length));
      return ids.filter((id) => SessionIdSchema.safeParse(id).success);
    } catch (error) {
      throw storageFailed('read', this.#dir.scrollbacks, error);
    }
  }

  /** What is stored, or undefined when there is nothing or nothing that can be trusted. Never rejects: a pane without history is a pane. */
  async read(id: string): Promise<StoredScrollback | undefined> {
    const path = this.#dir.scrollback(id);
    const read = await readScrollback(path);
    if (typeof read !== 'string') return read;
    this.#onProblem({ id, path, reason: read });
    return undefined;
  }

  /**
   * Resolves with true once these bytes, or newer ones, are durable; with false when the session was removed, and for an empty capture,
   * which never replaces what is stored. The buffers belong to the store from here on. Rejects with `storage_failed`.
   */
  async write(id: string, scrollback: StoredScrollback): Promise<boolean> {
    if (scrollback.former.length + scrollback.current.length === 0) return false;
    return this.#writer.put(id, scrollback);
  }

  /** Deletes the session's file and bars every later write of it, for ever: ids are not used again. */
  remove(id: string): Promise<void> {
    return this.#writer.remove(id);
  }

  /** Resolves when no write is under way. */
  idle(): Promise<void> {
    return this.#writer.idle();
  }
}

function header({ run, former, current }: StoredScrollback): Buffer {
  const head = Buffer.alloc(SCROLLBACK_HEADER_BYTES);
  MAGIC.copy(head);
  head.writeUInt32LE(former.length, 4);
  head.writeUInt32LE(current.length, 8);
  head.writeUInt32LE(run, 12);
  // zlib takes an empty part for a wish to begin anew once node has given that part no memory, which depends on what was done with it.
  const parts = [former, current].filter((part) => part.length > 0);
  const sum = parts.reduce((value, part) => crc32(part, value), crc32(head.subarray(0, SUM_OFFSET)));
  head.writeUInt32LE(sum, SUM_OFFSET);
  return head;
}

/** The content, undefined when there is no file, or why it cannot be used. */
async function readScrollback(path: string): Promise<StoredScrollback | undefined | string> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, READ_FLAGS);
    const stats = await file.stat();
    if (!stats.isFile()) return 'it is not a regular file';
    if (stats.size > FILE_LIMIT) return `it has ${stats.size} bytes, more than any scrollback`;
    return decode(await file.readFile());
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return error.code === 'ENOENT' ? undefined : `it cannot be read: ${systemReason(error)}`;
  } finally {
    await file?.close().catch(() => undefined);
  }
}

function decode(bytes: Buffer): StoredScrollback | string {
  if (bytes.length < SCROLLBACK_HEADER_BYTES || !bytes.subarray(0, MAGIC.length).equals(MAGIC))
    return 'it is no scrollback of this version';
  const split = SCROLLBACK_HEADER_BYTES + bytes.readUInt32LE(4);
  if (split + bytes.readUInt32LE(8) !== bytes.length) return 'it is not as long as it says';
  const sum = crc32(bytes.subarray(SCROLLBACK_HEADER_BYTES), crc32(bytes.subarray(0, SUM_OFFSET)));
  if (sum !== bytes.readUInt32LE(SUM_OFFSET)) return 'it is damaged: its checksum does not match';
  return { run: bytes.readUInt32LE(12), former: bytes.subarray(SCROLLBACK_HEADER_BYTES, split), current: bytes.subarray(split) };
}
