import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

/**
 * Where a shell with this PATH would find the program `name`; an absolute `name` is looked at where it is. Undefined when there is none.
 * Relative places, also in the PATH, are never looked at: what they mean depends on the directory.
 */
export async function findExecutable(name: string, path: string): Promise<string | undefined> {
  if (isAbsolute(name)) return (await isExecutable(name)) ? name : undefined;
  if (name === '' || name.includes('/')) return undefined;
  for (const directory of path.split(':').filter(isAbsolute)) {
    const candidate = join(directory, name);
    if (await isExecutable(candidate)) return candidate;
  }
  return undefined;
}

export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
