import { createReadStream } from 'node:fs';
import { lstat, open, readlink } from 'node:fs/promises';

const CHUNK_BYTES = 256 * 1024;

/** Both are files with the same bytes, or symbolic links to the same place. False when either is missing, unreadable or anything else. */
export async function isSameContent(one: Buffer, other: Buffer): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((path) => lstat(path).catch(() => undefined)));
  if (first === undefined || second === undefined) return false;
  if (first.isSymbolicLink() && second.isSymbolicLink()) {
    return (await readlink(one, 'buffer')).equals(await readlink(other, 'buffer'));
  }
  return first.isFile() && second.isFile() && first.size === second.size && (await haveSameBytes(one, other).catch(() => false));
}

async function haveSameBytes(one: Buffer, other: Buffer): Promise<boolean> {
  const compared = await open(other, 'r');
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for await (const read of createReadStream(one, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
      let filled = 0;
      while (filled < read.length) {
        const { bytesRead } = await compared.read(chunk, filled, read.length - filled, null);
        if (bytesRead === 0) return false;
        filled += bytesRead;
      }
      if (!read.equals(chunk.subarray(0, filled))) return false;
    }
    return true;
  } finally {
    await compared.close();
  }
}
