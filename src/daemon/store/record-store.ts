import { readdir, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { SessionIdSchema } from '../../protocol/index.js';
import { invariant } from '../invariant.js';
import { atomicWrite, durableRemove, isLeftover, removeLeftovers } from './atomic-write.js';
import { type FileLayer, nodeFiles } from './file-layer.js';
import { KeyedWriter } from './keyed-writer.js';
import { isSystemError, storageFailed } from './storage-error.js';

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

  /** Resolves once `record` or a newer one of its id is durable; with false when it was removed. Rejects with `storage_failed`. */
  save(record: T): Promise<boolean> {
    return this.#writer.put(record.id, record);
  }

  /** Deletes the record durably and bars later saves: ids are not used again. */
  remove(id: string): Promise<void> {
    return this.#writer.remove(id);
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
      if ((await stat(path)).size > RECORD_LIMIT) return await this.#setAside(path, 'it is too large');
      const parsed = parseRecord(await readFile(path, 'utf8'));
      if (parsed !== undefined && parsed.version > this.#parts.version) {
        return { problem: `${path} was written by a newer Maestro and is left alone` };
      }
      const checked = this.#parts.schema.safeParse(parsed);
      if (checked.success && checked.data.id === id) return { record: checked.data };
      return await this.#setAside(path, checked.success ? 'it holds another id' : 'it is not a whole record');
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return { problem: storageFailed('read', path, error).message };
    }
  }

  async #setAside(path: string, reason: string): Promise<{ problem: string }> {
    const movedTo = `${path}.bad-${new Date().toISOString().replaceAll(/[-:]/g, '')}`;
    await rename(path, movedTo);
    return { problem: `${path} could not be used: ${reason}; it was kept as ${movedTo}` };
  }

  #path(id: string): string {
    invariant(SessionIdSchema.safeParse(id).success, 'only a uuid becomes part of a path');
    return join(this.#parts.directory, `${id}.json`);
  }
}

function parseRecord(text: string): { version: number } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const version = typeof value === 'object' && value !== null && 'version' in value ? value.version : undefined;
    return typeof version === 'number' ? { ...(value as object), version } : undefined;
  } catch {
    return undefined;
  }
}
