import { MaestroError } from '../../protocol/index.js';

/** What the file system refused while a worktree was removed; `action` reads on from "cannot". Anything else is thrown as it is. */
export function diskFailed(action: string, path: string, cause: unknown): MaestroError {
  if (cause instanceof MaestroError) return cause;
  const { code } = cause as NodeJS.ErrnoException;
  if (!(cause instanceof Error) || code === undefined || !/^E[A-Z0-9]+$/.test(code)) throw cause;
  const next = code === 'EBUSY' ? 'something is mounted in there: unmount it' : 'check who owns it and its permissions';
  const text = `cannot ${action} ${path}: ${cause.message}; ${next}, then try again`;
  return new MaestroError('storage_failed', text, { details: { path, errno: code }, cause });
}
