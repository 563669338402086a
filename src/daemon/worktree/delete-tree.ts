import type { Dirent } from 'node:fs';
import { chmod, readdir, rmdir, unlink } from 'node:fs/promises';
import { someAtOnce } from './some-at-once.js';

const AT_ONCE = 32;
const TRIES = 5;

/**
 * Deletes all that is in a directory, whatever its names, and not the directory itself. Directories in there that may not be written to
 * are made writable first. No link is followed.
 */
export async function emptyDirectory(directory: Buffer): Promise<void> {
  // Something may still write there: it is looked at again, but not for ever.
  for (let tries = 1; tries <= TRIES; tries++) {
    const entries = await entriesOf(directory);
    if (entries.length === 0) return;
    const [files, directories] = [entries.filter((entry) => !entry.isDirectory()), entries.filter((entry) => entry.isDirectory())];
    await someAtOnce(files, AT_ONCE, (entry) => writable(directory, () => unlink(inside(directory, entry.name))));
    for (const { name } of directories) {
      await emptyDirectory(inside(directory, name));
      await writable(directory, () => removeEmpty(inside(directory, name)));
    }
  }
}

/** A file that came into it meanwhile is seen at the next try. */
async function removeEmpty(directory: Buffer): Promise<void> {
  try {
    await rmdir(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  }
}

async function entriesOf(directory: Buffer): Promise<Dirent<Buffer>[]> {
  let entries: Dirent<Buffer>[] = [];
  await writable(directory, async () => {
    entries = await readdir(directory, { withFileTypes: true, encoding: 'buffer' });
  });
  return entries;
}

/** What is gone is no failure. */
async function writable(directory: Buffer, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return;
    if (code !== 'EACCES') throw error;
    await chmod(directory, 0o700);
    await work();
  }
}

function inside(directory: Buffer, name: Buffer): Buffer {
  return Buffer.concat([directory, Buffer.from('/'), name]);
}
