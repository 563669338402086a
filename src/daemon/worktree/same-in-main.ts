import { lstat, realpath } from 'node:fs/promises';
import { onDisk, type RawPath } from './raw-path.js';
import { isSameContent } from './same-content.js';

/**
 * True where the main worktree has the same file: content, kind and who may execute it. Such an ignored file was copied, most likely when
 * the worktree was made, and nothing is lost with it. A path through a symbolic link does not count, nor a hard link: it may be this file.
 */
export async function isSameInMain(path: RawPath, { top, main }: { readonly top: string; readonly main: string }): Promise<boolean> {
  try {
    const [mine, other] = [onDisk(top, path), onDisk(main, path)];
    const [a, b] = await Promise.all([lstat(mine), lstat(other)]);
    if (a.size !== b.size || (a.ino === b.ino && a.dev === b.dev) || !(await isStraight(path, main))) return false;
    return (a.mode & 0o111) === (b.mode & 0o111) && (await isSameContent(mine, other));
  } catch {
    return false;
  }
}

async function isStraight(path: RawPath, main: string): Promise<boolean> {
  const directory = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const real = await realpath(onDisk(main, directory), 'buffer');
  return real.equals(onDisk(await realpath(main), directory));
}
