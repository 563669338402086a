import { constants } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** How many names of one directory are looked at. */
const MOST_NAMES = 20_000;

/** What somebody else's directory holds, in no order; nothing when it cannot be read. */
export async function namesIn(directory: string): Promise<string[]> {
  return (await readdir(directory).catch(() => [])).slice(0, MOST_NAMES);
}

export interface StoredFile {
  readonly path: string;
  readonly modifiedMs: number;
  readonly bytes: number;
}

/** Those of the paths that are regular files, the newest first. */
export async function newestFiles(paths: readonly string[]): Promise<StoredFile[]> {
  const files = await Promise.all(paths.map(fileAt));
  return files.filter((file) => file !== undefined).sort((one, other) => other.modifiedMs - one.modifiedMs);
}

export async function fileAt(path: string): Promise<StoredFile | undefined> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.isFile() ? { path, modifiedMs: stats.mtimeMs, bytes: stats.size } : undefined;
}

export async function filesIn(directory: string, pattern: RegExp): Promise<StoredFile[]> {
  const names = (await namesIn(directory)).filter((name) => pattern.test(name));
  return newestFiles(names.map((name) => join(directory, name)));
}

/** The start of a file, empty when it cannot be read. Neither waits for a fifo nor reads on without end. */
export async function headOf(path: string, limit: number): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (file === undefined) return '';
  try {
    if (!(await file.stat()).isFile()) return '';
    const { buffer, bytesRead } = await file.read(Buffer.alloc(limit), 0, limit, 0);
    return buffer.subarray(0, bytesRead).toString('utf8');
  } catch {
    return '';
  } finally {
    await file.close();
  }
}

/** The JSON objects of whole lines; a line that is none is passed over. The last line may have been cut off by the limit. */
export function* jsonLines(text: string): Generator<Readonly<Record<string, unknown>>> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end < 0 ? text.length : end);
    start += line.length + 1;
    const value = parsed(line);
    if (isObject(value)) yield value;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
