import { lstat, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { WorktreeRecord } from '../worktree-record.js';
import { diskFailed } from './disk-failure.js';

/**
 * Where a worktree's directory is while it is being removed: beside its place, under names that no other worktree can have. At `checked`
 * it may hold anything; at `doomed` it has been looked at there, nothing of it is to be kept, and part of it may be deleted.
 */
export interface Aside {
  readonly checked: string;
  readonly doomed: string;
}

export function asideOf({ path, id }: Pick<WorktreeRecord, 'path' | 'id'>): Aside {
  const directory = dirname(path);
  return { checked: join(directory, `.removing-${id}`), doomed: join(directory, `.removed-${id}`) };
}

export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw diskFailed('look at', path, error);
  }
}

/** Within one directory, so the move is done or not, whenever the daemon or the host dies. */
export async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    throw diskFailed('move the worktree', from, error);
  }
}
