import { join } from 'node:path';

/**
 * A path relative to the top of a worktree, with one character for each of its bytes (latin1): what git and the file system say, exact
 * also where it is not UTF-8, and good as a key.
 */
export type RawPath = string;

export function rawPath(bytes: Uint8Array): RawPath {
  return Buffer.from(bytes).toString('latin1');
}

export function bytesOf(path: RawPath): Buffer {
  return Buffer.from(path, 'latin1');
}

/** For people and for JSON: UTF-8, with U+FFFD for what is not. */
export function shown(path: RawPath): string {
  return bytesOf(path).toString('utf8');
}

/** The absolute path below `top`, for the file system. */
export function onDisk(top: string, path: RawPath): Buffer {
  return path === '' ? Buffer.from(top) : Buffer.concat([Buffer.from(join(top, '/')), bytesOf(path)]);
}

export function below(directory: RawPath, name: RawPath): RawPath {
  return directory === '' ? name : `${directory}/${name}`;
}

/** The directories above `path`, the topmost first, without the top of the worktree itself. */
export function parentsOf(path: RawPath): RawPath[] {
  const found: RawPath[] = [];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) found.push(path.slice(0, at));
  return found;
}
