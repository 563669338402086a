import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { z } from 'zod';
import { TimeSchema } from '../../protocol/index.js';
import { invariant } from '../invariant.js';
import { readRegularFile } from '../regular-file.js';
import { atomicWrite } from './atomic-write.js';
import { type FileLayer, nodeFiles } from './file-layer.js';
import { storageFailed } from './storage-error.js';

export const DaemonRecordSchema = z.looseObject({
  /** When the daemon last found itself alive. */
  last_sign_of_life: TimeSchema,
  pid: z.int().positive(),
  /** When the daemon started. */
  started: TimeSchema,
  /** The host's boot id: another one means that everything of that time is gone. */
  boot: z.string(),
  /** When the wall clock was last seen to jump. */
  doubted_at: TimeSchema.optional(),
  /** Where it listens, as `host:port`; the next daemon tries the same. */
  listen: z.string().optional(),
});
export type DaemonRecord = z.infer<typeof DaemonRecordSchema>;

const FILE_LIMIT = 1024 * 1024;
const HEAD = '{"last_sign_of_life":"';

/**
 * `daemon.json`: who the daemon is, and when it last was alive. The next one reads it before it writes its own.
 *
 * The sign of life stands first and always has the same length, so that {@link sign} overwrites it in place and without fsync: 24 bytes
 * within one disk sector, which a power cut leaves old or new, never torn, and the rest is not touched. Written at every sign, a synced
 * and renamed file would wake the disk for ever. What a power cut can take is the last half minute of signs; a sign that is too old
 * makes recovery take an end for one of the host (L5), which keeps a session resumable, and never the other way round. When only the
 * daemon dies, the kernel still holds what it wrote and nothing is lost.
 */
export class DaemonJson {
  readonly #path: string;
  readonly #files: FileLayer;
  #record: DaemonRecord | undefined;
  #size = 0;

  constructor({ path, files = nodeFiles }: { readonly path: string; readonly files?: FileLayer }) {
    this.#path = path;
    this.#files = files;
  }

  /** The record of the daemon that wrote last, or undefined when there is none or it cannot be read. */
  async read(): Promise<DaemonRecord | undefined> {
    try {
      const value: unknown = JSON.parse(String(await readRegularFile(this.#path, FILE_LIMIT)));
      return DaemonRecordSchema.safeParse(value).data;
    } catch {
      return undefined;
    }
  }

  /** Replaces the file, durably. After a failure {@link sign} tries again. */
  async write(record: DaemonRecord): Promise<void> {
    this.#record = record;
    const { last_sign_of_life, ...rest } = record;
    const text = `${JSON.stringify({ last_sign_of_life: new Date(last_sign_of_life).toISOString(), ...rest })}\n`;
    invariant(text.startsWith(HEAD), 'the sign of life stands first');
    await atomicWrite(this.#path, Buffer.from(text), this.#files);
    this.#size = Buffer.byteLength(text);
  }

  /** Notes more of the daemon, durably. */
  async amend(fields: Partial<Omit<DaemonRecord, 'last_sign_of_life'>>): Promise<void> {
    invariant(this.#record !== undefined, 'daemon.json is written before it is amended');
    await this.write({ ...this.#record, ...fields });
  }

  /** Notes that the daemon is alive at `now`, in milliseconds since 1970. Puts the whole file back if somebody deleted or changed it. */
  async sign(now: number): Promise<void> {
    invariant(this.#record !== undefined, 'daemon.json is written before it is signed');
    const at = new Date(now).toISOString();
    if (await this.#overwrite(at)) return;
    await this.write({ ...this.#record, last_sign_of_life: at });
  }

  async #overwrite(at: string): Promise<boolean> {
    const file = await open(this.#path, constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOFOLLOW).catch(() => undefined);
    if (file === undefined) return false;
    try {
      if ((await file.stat()).size !== this.#size) return false;
      await file.write(at, HEAD.length);
      return true;
    } catch (error) {
      throw storageFailed('write', this.#path, error);
    } finally {
      await file.close();
    }
  }
}
