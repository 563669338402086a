import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { parseSpooled, type SpooledReport } from './spooled-report.js';

/** Reporters leave some 100 KiB at most. What is behind this is not read. */
const FILE_LIMIT = 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const NOT_OURS = new Set(['ENOENT', 'ELOOP', 'EACCES', 'EPERM', 'ENXIO']);

export interface SpoolLines {
  readonly reports: readonly SpooledReport[];
  /** Lines that were no report of the session. */
  readonly skipped: number;
}

/** A file of reports of the session `id`, to be read and deleted while a reporter may still have it open. */
export class SpoolFile implements AsyncDisposable {
  readonly #path: string;
  readonly #id: string;
  readonly #file: FileHandle;
  #offset = 0;
  /** The beginning of a line whose end has not been written yet. */
  #begun = Buffer.alloc(0);

  private constructor(path: string, id: string, file: FileHandle) {
    this.#path = path;
    this.#id = id;
    this.#file = file;
  }

  /** Undefined for what no reporter can have written: a link, a fifo, a file that we may not read. Rejects with the system's error. */
  static async open(path: string, id: string): Promise<SpoolFile | undefined> {
    const file = await open(path, READ).catch((error: NodeJS.ErrnoException) => {
      if (NOT_OURS.has(error.code ?? '')) return undefined;
      throw error;
    });
    if (file === undefined) return undefined;
    if ((await file.stat()).isFile()) return new SpoolFile(path, id, file);
    await file.close();
    return undefined;
  }

  /** What has been written since the last call, in whole lines. */
  async read(): Promise<SpoolLines> {
    const bytes = Buffer.concat([this.#begun, ...(await this.#chunks())]);
    const end = bytes.lastIndexOf(0x0a) + 1;
    this.#begun = bytes.subarray(end);
    return this.#parse(bytes.subarray(0, end));
  }

  /** Deletes the file and answers what came meanwhile: who writes later sees that it is gone. What is begun then stays unfinished. */
  async finish(): Promise<SpoolLines> {
    await rm(this.#path, { force: true });
    const { reports, skipped } = await this.read();
    return { reports, skipped: skipped + (this.#begun.length > 0 ? 1 : 0) };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#file.close();
  }

  async #chunks(): Promise<Buffer[]> {
    const chunks: Buffer[] = [];
    while (this.#offset < FILE_LIMIT) {
      const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, FILE_LIMIT - this.#offset));
      const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, this.#offset);
      if (bytesRead === 0) break;
      this.#offset += bytesRead;
      chunks.push(buffer.subarray(0, bytesRead));
    }
    return chunks;
  }

  #parse(bytes: Buffer): SpoolLines {
    const lines = bytes
      .toString()
      .split('\n')
      .filter((line) => line !== '');
    const reports = lines.flatMap((line) => parseSpooled(line, this.#id) ?? []);
    return { reports, skipped: lines.length - reports.length };
  }
}
