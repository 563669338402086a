import { z } from 'zod';
import { readRegularFile } from '../regular-file.js';
import { atomicWrite } from './atomic-write.js';

const FILE_LIMIT = 16 * 1024 * 1024;
const FileSchema = z.object({ paths: z.array(z.string()) });

/** Where repositories were the last time, so that a daemon that has just started can name them before it has looked. */
export class ProjectPaths {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Empty when the file is missing or not whole: what it says is only looked up faster. */
  async read(): Promise<readonly string[]> {
    try {
      return FileSchema.parse(JSON.parse(String(await readRegularFile(this.#path, FILE_LIMIT)))).paths;
    } catch {
      return [];
    }
  }

  async write(paths: readonly string[]): Promise<void> {
    await atomicWrite(this.#path, Buffer.from(`${JSON.stringify({ paths })}\n`));
  }
}
