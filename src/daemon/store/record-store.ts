import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { MaestroError, SessionIdSchema } from '../../protocol/index.js';
import { invariant } from '../invariant.js';
import { readRegularFile, UnusableFile } from '../regular-file.js';
import { atomicWrite, durableRemove, isLeftover, removeLeftovers } from './atomic-write.js';
import { type FileLayer, nodeFiles } from './file-layer.js';
import { KeyedWriter } from './keyed-writer.js';
import { setAside } from './set-aside.js';
import { isSystemError, SHORTAGES, storageFailed, systemReason } from './storage-error.js';

/** The largest record, in bytes. */
const RECORD_LIMIT = 4 * 1024 * 1024;

export interface StoredRecord {
  readonly id: string;
  readonly version: number;
}

interface RecordStoreParts<T extends StoredRecord> {
  /** An existing directory that is this store's alone. */
  readonly directory: string;
  readonly schema: z.ZodType<T>;
  /** Files of a higher version are left alone. */
  readonly version: number;
  readonly files?: FileLayer | undefined;
}

export interface LoadedRecords<T> {
  readonly records: readonly T[];
  /** What is wrong with files that could not be used, for people. They are set aside or left, never deleted. */
  readonly problems: readonly string[];
}

/** Small durable records that are named by a uuid, one JSON file each. Writes of one record are serialised, and a removal bars later ones. */
export class RecordStore<T extends StoredRecord> {
  readonly #parts: RecordStoreParts<T>;
  readonly #writer: KeyedWriter<T>;
  /** Files that are there and must not be overwritten, and why. */
  readonly #untouchable = new Map<string, MaestroError>();

  constructor(parts: RecordStoreParts<T>) {
    const { files = nodeFiles } = parts;
    this.#parts = parts;
    this.#writer = new KeyedWriter<T>({
      write: (id, record) => atomicWrite(this.#path(id), Buffer.from(`${JSON.stringify(record)}\n`), files),
      erase: (id) => durableRemove(this.#path(id), files),
    });
  }

  /** Reads all records, before any is saved. Rejects with `storage_failed` when the directory cannot be read. */
  async load(): Promise<LoadedRecords<T>> {
    const { directory } = this.#parts;
    await removeLeftovers(directory);
    const records: T[] = [];
    const problems: string[] = [];
    for (const name of await this.#names()) {
      const read = await this.#read(name.slice(0, -'.json'.length));
      if ('record' in read) records.push(read.record);
      else problems.push(read.problem);
    }
    return { records, problems };
  }

  /**
   * Resolves once `record` or a newer one of its id is durable; with false when it was removed. Rejects with `storage_failed`, and for an
   * id whose file could not be used and is still there.
   */
  async save(record: T): Promise<boolean> {
    this.#requireTouchable(record.id);
    return this.#writer.put(record.id, record);
  }

  /** Deletes the record durably and bars later saves: ids are not used again. Rejects like {@link save}. */
  async remove(id: string): Promise<void> {
    this.#requireTouchable(id);
    return this.#writer.remove(id);
  }

  #requireTouchable(id: string): void {
    const refusal = this.#untouchable.get(id);
    if (refusal !== undefined) throw new MaestroError(refusal.code, refusal.message, { cause: refusal });
  }

  async #names(): Promise<string[]> {
    const { directory } = this.#parts;
    try {
      const names = await readdir(directory);
      return names.filter((name) => !isLeftover(name) && name.endsWith('.json') && SessionIdSchema.safeParse(name.slice(0, -5)).success);
    } catch (error) {
      throw storageFailed('read', directory, error);
    }
  }

  async #read(id: string): Promise<{ record: T } | { problem: string }> {
    const path = this.#path(id);
    try {
      const parsed = parseRecord(await readRegularFile(path, RECORD_LIMIT));
      if (parsed !== undefined && parsed.version > this.#parts.version) return this.#leave(id, writtenByNewer(path));
      const checked = this.#parts.schema.safeParse(parsed);
      if (checked.success && checked.data.id === id) return { record: checked.data };
      return await this.#setAside(id, checked.success ? 'it holds another id' : 'it is not a whole record');
    } catch (error) {
      if (error instanceof UnusableFile) return this.#setAside(id, error.message);
      if (!isSystemError(error) || SHORTAGES.has(error.code)) throw storageFailed('read', path, error);
      return this.#setAside(id, `it cannot be read: ${systemReason(error)}`);
    }
  }

  async #setAside(id: string, reason: string): Promise<{ problem: string }> {
    const path = this.#path(id);
    try {
      const movedTo = await setAside(path);
      return { problem: `${path} could not be used: ${reason}; it was kept as ${movedTo}` };
    } catch (error) {
      const failure = storageFailed('set aside', path, error);
      this.#leave(id, failure);
      return { problem: `${path} could not be used: ${reason}; ${failure.message}` };
    }
  }

  #leave(id: string, why: MaestroError): { problem: string } {
    this.#untouchable.set(id, why);
    return { problem: why.message };
  }

  #path(id: string): string {
    invariant(SessionIdSchema.safeParse(id).success, 'only a uuid becomes part of a path');
    return join(this.#parts.directory, `${id}.json`);
  }
}

function parseRecord(bytes: Buffer): { version: number } | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    // What is nested too deeply to be written again must not be taken in: JSON.stringify throws where JSON.parse does not.
    JSON.stringify(value);
    const version = typeof value === 'object' && value !== null && 'version' in value ? value.version : undefined;
    return typeof version === 'number' ? { ...(value as object), version } : undefined;
  } catch {
    return undefined;
  }
}

function writtenByNewer(path: string): MaestroError {
  return new MaestroError('forbidden', `${path} was written by a newer Maestro and is left alone; install that version to use it`);
}
