import { lstat } from 'node:fs/promises';
import { type Commit, type InventoryFile, salvageRef } from '../../protocol/index.js';
import type { Git, GitPlace } from '../git.js';
import { listCommits } from './commit-list.js';
import { gitFailed } from './git-failure.js';
import { retryWhileLocked } from './lock-retry.js';
import type { SavedSalvage } from './salvage.js';
import { NO_HOOKS, salvageCommitOf } from './salvage-commit.js';
import { parseSalvageMessage, type SalvageManifest } from './salvage-manifest.js';

/** Which salvage, and in which repository: its common git directory. */
export interface SalvageAddress {
  readonly id: string;
  readonly git_dir: string;
}

export interface SalvageContent {
  readonly commit: string;
  /** Where a branch has to stand for {@link applySalvage}: where HEAD stood, or, before its first commit, a commit of what was staged. */
  readonly head: string;
  readonly branch: string | undefined;
  readonly created_at: string;
  /** By path; one that was both staged and changed again is there twice. */
  readonly files: readonly InventoryFile[];
  /** Commits that no branch, tag or remote branch holds, newest first; at most as many as an inventory lists. */
  readonly commits: readonly Commit[];
  readonly manifest: SalvageManifest;
}

function placeOf({ git_dir }: SalvageAddress): GitPlace {
  return { cwd: git_dir, gitDir: git_dir };
}

/** What a salvage holds. Undefined where the repository, the ref, or what Maestro wrote there is gone. */
export async function readSalvage(git: Git, address: SalvageAddress): Promise<SalvageContent | undefined> {
  const place = placeOf(address);
  if ((await lstat(address.git_dir).catch(() => undefined)) === undefined) return undefined;
  const commit = await salvageCommitOf(git, place, address.id);
  if (commit === undefined) return undefined;
  try {
    const manifest = parseSalvageMessage(await messageOf(git, place, commit));
    if (manifest === undefined) return undefined;
    const { head = manifest.index ?? commit, branch, created_at } = manifest;
    const files = manifest.files.map(({ raw: _raw, mode: _mode, ...file }) => file);
    return { commit, head, branch, created_at, files, commits: await commitsOf(git, place, { commit, manifest }), manifest };
  } catch (error) {
    throw gitFailed(`read the salvage ${address.id}`, error);
  }
}

/** Deletes the ref of a salvage if it is still at `commit`; no error if there is none any more. */
export async function dropSalvage(git: Git, salvage: SalvageAddress & { readonly commit: string }): Promise<void> {
  const place = placeOf(salvage);
  if ((await lstat(salvage.git_dir).catch(() => undefined)) === undefined) return;
  if ((await salvageCommitOf(git, place, salvage.id)) === undefined) return;
  try {
    await retryWhileLocked(() => git.run(place, [...NO_HOOKS, 'update-ref', '-d', salvageRef(salvage.id), salvage.commit]));
  } catch (error) {
    throw gitFailed(`drop the salvage ${salvage.id}`, error);
  }
}

async function messageOf(git: Git, place: GitPlace, commit: string): Promise<string> {
  const object = await git.text(place, ['cat-file', 'commit', commit], { maxBytes: 1024 ** 3 });
  return object.slice(object.indexOf('\n\n') + 1);
}

interface Parts {
  readonly commit: string;
  readonly manifest: SalvageManifest;
}

/** Without the ones that Maestro wrote to hold what was saved. */
async function commitsOf(git: Git, place: GitPlace, { commit, manifest }: Parts): Promise<Commit[]> {
  const parents = (await git.text(place, ['rev-parse', `${commit}^@`])).split('\n').filter((id) => id !== '');
  const own = [manifest.index, manifest.stages];
  const former = await Promise.all(parents.map(async (id) => parseSalvageMessage(await messageOf(git, place, id)) !== undefined));
  const work = parents.filter((id, nth) => !own.includes(id) && former[nth] !== true);
  if (work.length === 0) return [];
  return (await listCommits(git, place, [...work, '--not', '--branches', '--tags', '--remotes'])).commits;
}

/** What was saved under an id, in few words; undefined where there is nothing. */
export async function savedSalvage(git: Git, address: SalvageAddress): Promise<SavedSalvage | undefined> {
  const content = await readSalvage(git, address);
  if (content === undefined) return undefined;
  const { commit, branch, files } = content;
  const paths = new Map(files.map(({ path, bytes }) => [path, bytes ?? 0]));
  const bytes = [...paths.values()].reduce((sum, size) => sum + size, 0);
  return { ref: salvageRef(address.id), commit, branch, files_total: files.length, bytes };
}
