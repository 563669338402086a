import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';

/** Entries that are fetched at once, so that a directory with any number of them is neither held in memory nor read in one go. */
const ENTRIES_AT_ONCE = 256;

/** What matters in a directory when projects are looked for. */
export interface DirectoryListing {
  /** Names; symbolic links to directories are not among them. */
  readonly directories: readonly string[];
  /** It has a `.git`, or all that a bare repository has. */
  readonly mayBeRepository: boolean;
  /** It says of itself that all in it can be made again: a cache (https://bford.info/cachedir/), or a Python environment. */
  readonly isDisposable: boolean;
}

const DISPOSABLE = ['CACHEDIR.TAG', 'pyvenv.cfg'];
const BARE = ['HEAD', 'objects', 'refs'];

/** Undefined for a directory that cannot be read or is none. */
export async function listDirectory(path: string): Promise<DirectoryListing | undefined> {
  const directories: string[] = [];
  const telling = new Set<string>();
  const note = (entry: Dirent) => {
    if (entry.name === '.git' || BARE.includes(entry.name) || DISPOSABLE.includes(entry.name)) telling.add(entry.name);
    if (entry.isDirectory()) directories.push(entry.name);
  };
  try {
    for await (const entry of await opendir(path, { bufferSize: ENTRIES_AT_ONCE })) note(entry);
  } catch {
    return undefined;
  }
  return {
    directories,
    mayBeRepository: telling.has('.git') || BARE.every((name) => telling.has(name)),
    isDisposable: DISPOSABLE.some((name) => telling.has(name)),
  };
}
