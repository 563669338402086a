import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitOperation } from '../../protocol/index.js';

/** The operation that a worktree is in the middle of, told by the files that git keeps in `gitDir` while it lasts. */
export async function operationIn(gitDir: string): Promise<GitOperation | undefined> {
  const names = new Set(await namesIn(gitDir));
  if (names.has('rebase-merge')) return 'rebase';
  if (names.has('rebase-apply')) return (await namesIn(join(gitDir, 'rebase-apply'))).includes('applying') ? 'apply' : 'rebase';
  if (names.has('MERGE_HEAD')) return 'merge';
  if (names.has('CHERRY_PICK_HEAD')) return 'cherry_pick';
  if (names.has('REVERT_HEAD')) return 'revert';
  // Between two commits of a series neither of the heads is there.
  if (names.has('sequencer')) return (await textOf(join(gitDir, 'sequencer', 'todo'))).startsWith('revert') ? 'revert' : 'cherry_pick';
  return names.has('BISECT_LOG') ? 'bisect' : undefined;
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch {
    return [];
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return '';
  }
}
