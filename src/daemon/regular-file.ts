import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** What lies at a path cannot be a file of ours. The message says why, such as "it is not a regular file". */
export class UnusableFile extends Error {
  override readonly name = 'UnusableFile';
}

/**
 * The content of a file of at most `limit` bytes. Whatever somebody put in its place, this neither waits for ever, as a plain read of a
 * fifo does, nor reads without end. Rejects with {@link UnusableFile}, or with the system's error.
 */
export async function readRegularFile(path: string, limit: number): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new UnusableFile('it is not a regular file');
    if (stats.size > limit) throw new UnusableFile(`it has ${stats.size} bytes, and can have ${limit}`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}
