import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { MaestroError } from '../../protocol/index.js';
import { atomicWrite } from './atomic-write.js';
import { type FileLayer, nodeFiles } from './file-layer.js';
import { setAside } from './set-aside.js';
import { storageFailed } from './storage-error.js';

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43,200}$/;
const FILE_LIMIT = 4096;
const OPEN_TO_OTHERS = 0o077;

export interface TokenOptions {
  readonly files?: FileLayer;
  /** Called when the file held no token, so that a new one was made. */
  readonly onDamaged?: (warning: string) => void;
}

/**
 * The token in the file at `path`, which is made if it is missing. A file that holds none, as after a damage of the disk, is set aside:
 * nobody can know what it said. Rejects with `forbidden` when others own the file or can read it, as they then know the token; with
 * `storage_failed` when it cannot be read or made.
 */
export async function loadToken(path: string, { files = nodeFiles, onDamaged = () => undefined }: TokenOptions = {}): Promise<string> {
  const token = (await readPrivate(path))?.trim();
  if (token === undefined) return rotateToken(path, files);
  if (TOKEN.test(token)) return token;
  const movedTo = await setAside(path).catch((error: unknown) => {
    throw storageFailed('set aside', path, error);
  });
  onDamaged(`${path} held no token, so a new one was made; it was kept as ${movedTo}`);
  return rotateToken(path, files);
}

/** Replaces the token with a new one, durably. Whoever holds the old one is out once the daemon uses this one. */
export async function rotateToken(path: string, files: FileLayer = nodeFiles): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await atomicWrite(path, Buffer.from(`${token}\n`), files);
  return token;
}

/** Compares in a time that tells nothing about either, their lengths included. */
export function tokenMatches(given: string, token: string): boolean {
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The text of the file, empty for what can be no token; undefined when there is none. */
async function readPrivate(path: string): Promise<string | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = await file.stat();
    assertPrivate(path, stats);
    return stats.isFile() && stats.size <= FILE_LIMIT ? await file.readFile('utf8') : '';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP') return '';
    throw error instanceof MaestroError ? error : storageFailed('read', path, error);
  } finally {
    await file?.close();
  }
}

function assertPrivate(path: string, { uid, mode }: Stats): void {
  const user = process.geteuid?.() ?? uid;
  const refuse = (why: string) => new MaestroError('forbidden', `${path} ${why}`, { details: { path } });
  if (uid !== user) throw refuse(`belongs to user ${uid}, but Maestro runs as user ${user}; delete it, and a new token is made`);
  if ((mode & OPEN_TO_OTHERS) !== 0) {
    throw refuse(
      `can be read by others (mode ${(mode & 0o777).toString(8)}), so they may know the token; delete it, and a new one is made`,
    );
  }
}
