import { MaestroError } from '../../protocol/index.js';
import { GitError } from '../git.js';

/** git names the cause only at times: of a file that it could not write to the end it does not. */
const STORAGE =
  /no space left on device|disk quota exceeded|read-only file system|unable to (?:write|create) (?:file|directory|new index)|(?:could(?:n't| not)|cannot|unable to|failed to) (?:write|append)|write error/i;
const LOCKED = /Unable to create '[\s\S]*\.lock': File exists|could not lock config file .*: File exists/;

/** What git says went wrong, without its advice; a hook's last words where git has none of its own. */
export function gitReason(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('hint:'));
  const own = lines.filter((line) => /^(?:fatal|error): /.test(line)).map((line) => line.replace(/^(?:fatal|error): /, ''));
  return own.length > 0 ? own.slice(-3).join('; ') : (lines.at(-1) ?? '');
}

/** Another git held a lock that is only ever held for a moment. */
export function isLockError(error: unknown): boolean {
  return error instanceof GitError && LOCKED.test(error.stderr);
}

/** The failure of a git command that was to work; `action` reads on from "git cannot". Anything but git's and the system's is thrown. */
export function gitFailed(action: string, cause: unknown): MaestroError {
  if (cause instanceof MaestroError) return cause;
  if (cause instanceof GitError) return STORAGE.test(cause.stderr) ? notStored(action, cause) : ofGit(action, cause);
  const { code } = cause as NodeJS.ErrnoException;
  if (!(cause instanceof Error) || code === undefined) throw cause;
  return new MaestroError('storage_failed', `cannot ${action}: ${cause.message}`, { details: { errno: code }, cause });
}

function notStored(action: string, cause: GitError): MaestroError {
  const next = 'see whether that file system is full or your quota is used up (`df`, `quota`), and who may write there, then try again';
  return new MaestroError('storage_failed', `git cannot ${action}: ${gitReason(cause.stderr)}; ${next}`, { cause });
}

function ofGit(action: string, cause: GitError): MaestroError {
  const reason = gitReason(cause.stderr) || `it ended with ${cause.code}`;
  const next = isLockError(cause) ? '; if no other git is at work there, remove that lock, then try again' : '';
  return new MaestroError('internal', `git cannot ${action}: ${reason}${next}`, { cause });
}
