import { constants } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { MaestroError, SessionIdSchema } from '../../protocol/index.js';
import { invariant } from '../invariant.js';
import { atomicWrite, durableRemove, isLeftover, type PreparedWrite, prepareWrite, removeLeftovers } from './atomic-write.js';
import { type FileLayer, nodeFiles } from './file-layer.js';
import { KeyedWriter } from './keyed-writer.js';
import { isSetAside, setAside } from './set-aside.js';
import { SIDECAR_VERSION, type Sidecar } from './sidecar.js';
import { type DecodedSidecar, decodeSidecar } from './sidecar-decode.js';
import type { StateDir } from './state-dir.js';
import { isSystemError, SHORTAGES, storageFailed, systemReason } from './storage-error.js';

/** The largest sidecar file, in bytes: the largest request several times over. */
export const SIDECAR_LIMIT = 16 * 1024 * 1024;

const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const PARALLEL_READS = 16;

/** A sidecar file with which something is wrong. */
export interface SidecarProblem {
  readonly id: string;
  readonly path: string;
  /** What is wrong, such as "it is empty". */
  readonly reason: string;
  /** Where the file was moved to. Absent when it could be used all the same, or could not be moved. */
  readonly movedTo?: string;
}

export interface LoadedSidecars {
  readonly sidecars: readonly Sidecar[];
  /** Sessions whose sidecar a newer Maestro wrote: to be shown, as far as they are understood. */
  readonly readOnly: readonly Sidecar[];
  readonly problems: readonly SidecarProblem[];
  /** Paths of what is not named like a sidecar; left alone. */
  readonly foreign: readonly string[];
}

/** A record that is durable beside the file of its session. */
export interface PreparedSidecar {
  /** As {@link SidecarStore.save} of the record. */
  save(): Promise<boolean>;
  /** Takes it away, unless it has its place. Never rejects. */
  drop(): Promise<void>;
}

/**
 * The durable records of all sessions, one JSON file each. Writes of one session are serialised and coalesced, see {@link KeyedWriter};
 * those of different sessions are independent. One process at a time may use a state directory.
 */
export class SidecarStore {
  readonly #dir: StateDir;
  readonly #files: FileLayer;
  readonly #writer: KeyedWriter<Sidecar | PreparedWrite>;
  /** Files that must not be overwritten, and why. */
  readonly #untouchable = new Map<string, () => MaestroError>();

  constructor({ dir, files = nodeFiles }: { readonly dir: StateDir; readonly files?: FileLayer }) {
    this.#dir = dir;
    this.#files = files;
    this.#writer = new KeyedWriter<Sidecar | PreparedWrite>({
      write: async (id, value) => (isPrepared(value) ? value.put() : atomicWrite(dir.sidecar(id), encode(value), files)),
      erase: (id) => durableRemove(dir.sidecar(id), files),
    });
  }

  /**
   * Reads every sidecar, before any is saved. A file that cannot be used is renamed to `<name>.bad-<time>`, never deleted, and reported.
   * Rejects with `storage_failed` only when nothing at all can be read.
   */
  async load(): Promise<LoadedSidecars> {
    await removeLeftovers(this.#dir.sessions);
    const loaded = { sidecars: [] as Sidecar[], readOnly: [] as Sidecar[], problems: [] as SidecarProblem[], foreign: [] as string[] };
    const names = (await this.#names()).values();
    const worker = async () => {
      for (const name of names) {
        const id = name.slice(0, -'.json'.length);
        if (name.endsWith('.json') && SessionIdSchema.safeParse(id).success) await this.#loadOne(id, loaded);
        else loaded.foreign.push(join(this.#dir.sessions, name));
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_READS }, worker));
    return loaded;
  }

  /**
   * Resolves once this record, or a newer one of the session, is durable; with false, and without a file, when the session was removed.
   * Rejects with `storage_failed`, and with `forbidden` when a newer Maestro wrote the file; a record that is too large to be read
   * again is `payload_too_large`.
   */
  async save(sidecar: Sidecar): Promise<boolean> {
    this.#requireWritable(sidecar);
    return this.#writer.put(sidecar.id, sidecar);
  }

  /**
   * Does the slow part of a {@link save} ahead of its time; rejects like that. Nothing is changed and nobody else's write waits, until
   * it is saved; in any case it is dropped in the end.
   */
  async prepare(sidecar: Sidecar): Promise<PreparedSidecar> {
    this.#requireWritable(sidecar);
    const prepared = await prepareWrite(this.#dir.sidecar(sidecar.id), encode(sidecar), this.#files);
    return { save: () => this.#writer.put(sidecar.id, prepared), drop: () => prepared.drop() };
  }

  /** Deletes the session's sidecar and bars every later save of it, for ever: ids are not used again. Rejects like {@link save}. */
  async remove(id: string): Promise<void> {
    const refusal = this.#untouchable.get(id);
    if (refusal !== undefined) throw refusal();
    return this.#writer.remove(id);
  }

  #requireWritable(sidecar: Sidecar): void {
    const refusal = this.#untouchable.get(sidecar.id);
    if (refusal !== undefined) throw refusal();
    invariant(sidecar.version === SIDECAR_VERSION, 'a sidecar is written in the version of this Maestro');
  }

  /** Resolves when no write is under way. */
  idle(): Promise<void> {
    return this.#writer.idle();
  }

  async #names(): Promise<string[]> {
    try {
      const names = await readdir(this.#dir.sessions);
      return names.filter((name) => !isLeftover(name) && !isSetAside(name));
    } catch (error) {
      throw storageFailed('read', this.#dir.sessions, error);
    }
  }

  async #loadOne(id: string, loaded: { sidecars: Sidecar[]; readOnly: Sidecar[]; problems: SidecarProblem[] }): Promise<void> {
    const path = this.#dir.sidecar(id);
    const read = await readSidecar(path, id);
    if (read.kind === 'bad') {
      loaded.problems.push(await this.#setAside(id, read.reason));
    } else if (read.kind === 'newer') {
      loaded.readOnly.push(read.sidecar);
      this.#untouchable.set(id, () => writtenByNewer(path, read.sidecar.version));
    } else {
      loaded.sidecars.push(read.sidecar);
      if (read.omitted.length > 0)
        loaded.problems.push({ id, path, reason: `it has no usable ${read.omitted.join(', ')}, which was left out` });
    }
  }

  async #setAside(id: string, reason: string): Promise<SidecarProblem> {
    const path = this.#dir.sidecar(id);
    try {
      return { id, path, reason, movedTo: await setAside(path) };
    } catch (error) {
      const failure = storageFailed('set aside', path, error);
      this.#untouchable.set(id, () => new MaestroError('storage_failed', failure.message, { cause: failure }));
      return { id, path, reason: `${reason}; ${failure.message}` };
    }
  }
}

function isPrepared(value: Sidecar | PreparedWrite): value is PreparedWrite {
  return typeof value.put === 'function';
}

function encode(sidecar: Sidecar): Buffer {
  const bytes = Buffer.from(`${JSON.stringify(sidecar)}\n`);
  if (bytes.length <= SIDECAR_LIMIT) return bytes;
  const text = `the record of session ${sidecar.id} would have ${bytes.length} bytes, and can have ${SIDECAR_LIMIT}; remove some of its metadata`;
  throw new MaestroError('payload_too_large', text, { details: { bytes: bytes.length, limit: SIDECAR_LIMIT } });
}

async function readSidecar(path: string, id: string): Promise<DecodedSidecar> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, READ_FLAGS);
    const stats = await file.stat();
    if (!stats.isFile()) return { kind: 'bad', reason: 'it is not a regular file' };
    if (stats.size > SIDECAR_LIMIT) return { kind: 'bad', reason: `it has ${stats.size} bytes, and can have ${SIDECAR_LIMIT}` };
    return decodeSidecar(await file.readFile(), { id, modifiedMs: stats.mtimeMs });
  } catch (error) {
    if (!isSystemError(error) || SHORTAGES.has(error.code)) throw storageFailed('read', path, error);
    return { kind: 'bad', reason: `it cannot be read: ${systemReason(error)}` };
  } finally {
    await file?.close();
  }
}

function writtenByNewer(path: string, version: number): MaestroError {
  const text = `${basename(path)} was written by a newer Maestro (format ${version}, this one knows ${SIDECAR_VERSION}), so it is only shown; install that version to change it`;
  return new MaestroError('forbidden', text, { details: { path, version } });
}
