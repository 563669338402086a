import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Git, type GitPlace, records } from '../git.js';
import type { WorktreeRecord } from '../worktree-record.js';
import { rawPath } from './raw-path.js';
import { NO_HOOKS } from './salvage-commit.js';
import { isSameInMain } from './same-in-main.js';

/** An index that is one file, and whose writing runs nothing. */
const OWN_INDEX = [...NO_HOOKS, '-c', 'core.splitIndex=false', '-c', 'core.ignoreStat=false'];

/** What git keeps in a worktree's directory of its own while a merge, rebase, or the like is not finished. */
const UNFINISHED = [
  'MERGE_HEAD',
  'MERGE_AUTOSTASH',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'BISECT_LOG',
  'sequencer',
  'rebase-merge',
  'rebase-apply',
];

/**
 * True when a worktree that was just made, perhaps not to the end, holds anything but what its commit and the main worktree hold. Files
 * that are missing do not count: nothing is lost by them.
 */
export async function holdsWork(git: Git, record: WorktreeRecord, adminDir: string | undefined): Promise<boolean> {
  const isComplete = adminDir !== undefined && (await hasAll(adminDir, ['HEAD', 'commondir']));
  const place: GitPlace = { cwd: record.path, gitDir: isComplete ? adminDir : record.git_dir, workTree: record.path };
  if (isComplete && (await hasOwnState(git, { record, adminDir, place }))) return true;
  const head = isComplete ? await headOf(git, place) : undefined;
  const indexFile = join(adminDir ?? record.git_dir, `maestro-index-${record.id}`);
  try {
    return await differs(git, record, { place: { ...place, indexFile }, commit: head ?? record.base_commit });
  } finally {
    await rm(indexFile, { force: true });
    await rm(`${indexFile}.lock`, { force: true });
  }
}

interface MadePlace {
  readonly record: WorktreeRecord;
  readonly adminDir: string;
  readonly place: GitPlace;
}

/** Commits that only HEAD holds, an operation that was begun, or something staged. */
async function hasOwnState(git: Git, { record, adminDir, place }: MadePlace): Promise<boolean> {
  for (const name of UNFINISHED) if (await hasAll(adminDir, [name])) return true;
  const isDetached = (await git.attempt(place, ['symbolic-ref', '--quiet', 'HEAD'])).code !== 0;
  if (isDetached && (await headOf(git, place)) !== record.base_commit) return true;
  if (!(await hasAll(adminDir, ['index']))) return false;
  return (await git.attempt(place, ['diff-index', '--cached', '--quiet', '--ignore-submodules=none', 'HEAD', '--'])).code !== 0;
}

async function headOf(git: Git, place: GitPlace): Promise<string | undefined> {
  const { code, stdout } = await git.attempt(place, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  return code === 0 ? stdout.toString().trim() : undefined;
}

/** Every file is read and compared, against an index that was made just now: no note of what was seen before is trusted. */
async function differs(git: Git, record: WorktreeRecord, { place, commit }: { place: GitPlace; commit: string }): Promise<boolean> {
  await git.run(place, [...OWN_INDEX, 'read-tree', commit]);
  await git.attempt(place, [...OWN_INDEX, 'update-index', '-q', '--refresh', '--ignore-missing']);
  const changed = await git.run(place, ['diff-files', '-z', '--name-only', '--diff-filter=d', '--ignore-submodules=none']);
  if (changed.length > 0) return true;
  for (const path of records(await git.run(place, ['ls-files', '-z', '--others']))) {
    if (!(await isSameInMain(rawPath(path), { top: record.path, main: record.base_repo }))) return true;
  }
  return false;
}

async function hasAll(directory: string, names: readonly string[]): Promise<boolean> {
  for (const name of names) if ((await lstat(join(directory, name)).catch(() => undefined)) === undefined) return false;
  return true;
}
