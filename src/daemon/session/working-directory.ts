import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';
import { MaestroError } from '../../protocol/index.js';

/**
 * The directory that a client means: `~` is the daemon's user's home, symbolic links and odd characters stay as they are.
 * A relative path is refused, as the daemon's own directory is nobody's.
 */
export function expandCwd(cwd: string, home: string): string {
  return expandPath(cwd, { home, field: 'cwd' });
}

/** The same for another path of a request, the `field` of which an error names. */
export function expandPath(path: string, { home, field }: { readonly home: string; readonly field: string }): string {
  if (path === '~') return home;
  if (path.startsWith('~/')) return join(home, path.slice(2));
  if (!isAbsolute(path)) {
    throw new MaestroError('invalid_request', `${field}: ${JSON.stringify(path)} must be an absolute path, or begin with ~/`, {
      details: { field, value: path },
    });
  }
  return withoutTrailingSlash(normalize(path));
}

function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** Rejects with `cwd_missing` unless a program can be started in `cwd`. */
export async function requireCwd(cwd: string): Promise<void> {
  const problem = await cwdProblem(cwd);
  if (problem === undefined) return;
  throw new MaestroError('cwd_missing', `cwd: ${cwd} ${problem}; create it, or choose another directory`, {
    details: { field: 'cwd', value: cwd },
  });
}

async function cwdProblem(cwd: string): Promise<string | undefined> {
  try {
    const found = await stat(cwd);
    if (!found.isDirectory()) return 'is not a directory';
    await access(cwd, constants.X_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'does not exist';
    if (code === 'ENOTDIR') return 'lies below something that is not a directory';
    if (code === 'EACCES' || code === 'EPERM') return 'must not be entered by this user';
    if (code === 'ELOOP') return 'is a loop of symbolic links';
    if (code === 'ENAMETOOLONG') return 'is too long for a path';
    return `cannot be used (${code ?? 'unknown error'})`;
  }
}
