import type { Session } from '../../protocol/index.js';
import { visibleText } from '../parts/visible-text.js';

export interface ProjectPlace {
  /** As it is shown. */
  readonly name: string;
  readonly path: string;
}

/** Where a session belongs in the list: its repository, where that is known, else the directory it was started in. */
export function projectOf({ cwd, worktree }: Session, repository?: string): ProjectPlace {
  const path = trimmed(worktree?.base_repo ?? repository ?? cwd);
  return { name: visibleText(lastPart(path)), path };
}

/** A path as people write it, with `~` for their home. */
export function shortPath(path: string, home: string | undefined): string {
  if (home === undefined || home === '' || home === '/') return path;
  const base = trimmed(home);
  if (path === base) return '~';
  return path.startsWith(`${base}/`) ? `~${path.slice(base.length)}` : path;
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1) || '/';
}

function trimmed(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, '') || '/' : path;
}
