import { MaestroError } from '../../protocol/index.js';

/** What to do about an error of the operating system, by its name. */
const NEXT_STEP: Readonly<Record<string, string>> = {
  ENOSPC: 'free some space on that file system, then try again',
  EDQUOT: 'free some space, as your disk quota is used up, then try again',
  EFBIG: 'raise the limit on file sizes (`ulimit -f`), then start Maestro again',
  EACCES: 'check who owns it and its directory, and their permissions (`ls -ld`)',
  EPERM: 'check who owns it and its directory, and their attributes (`ls -ld`, `lsattr -d`)',
  EROFS: 'mount that file system for writing, or set MAESTRO_STATE_DIR to a directory on another one',
  EIO: 'check the disk (`dmesg`); set MAESTRO_STATE_DIR to a directory on another one if it fails',
  EMFILE: 'raise the limit on open files (`ulimit -n`), then start Maestro again',
  ENFILE: 'close other programs, as the whole system has too many files open',
  ENOMEM: 'close other programs, as the system is out of memory',
  ENOENT: 'start Maestro again, which makes its directories anew',
  EISDIR: 'move the directory of that name away',
  ENOTDIR: 'move away what is there in place of a directory',
  EEXIST: 'move away what is there in its place',
  ELOOP: 'move the symbolic link of that name away',
  ESTALE: 'check the network file system that it is on',
};

/** What says nothing about the file itself: with these, no file is judged and the daemon cannot start. */
export const SHORTAGES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN']);

/** True for what the operating system reports; anything else that is thrown is a bug. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^E(?!RR_)[A-Z0-9]+$/.test(error.code);
}

/** The operating system's own words, such as `no space left on device (ENOSPC)`. */
export function systemReason(error: NodeJS.ErrnoException & { code: string }): string {
  const text = /^[A-Z0-9_]+: (.+?)(?:,|$)/.exec(error.message)?.[1];
  return text === undefined ? error.code : `${text} (${error.code})`;
}

/**
 * The `storage_failed` for an operation on `path` that the operating system refused; `action` reads on from "cannot". What is no error
 * of the operating system is thrown as it is.
 */
export function storageFailed(action: string, path: string, cause: unknown): MaestroError {
  if (!isSystemError(cause)) throw cause;
  const next = NEXT_STEP[cause.code] ?? 'see the cause, then try again';
  return new MaestroError('storage_failed', `cannot ${action} ${path}: ${systemReason(cause)}; ${next}`, {
    details: { path, errno: cause.code },
    cause,
  });
}
