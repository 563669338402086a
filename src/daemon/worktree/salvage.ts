import { setTimeout as delay } from 'node:timers/promises';
import { salvageRef } from '../../protocol/index.js';
import type { Git } from '../git.js';
import type { WorktreeRecord } from '../worktree-record.js';
import { gitFailed } from './git-failure.js';
import { describeFile, type FullInventory, inventoryAt } from './inventory.js';
import type { WorktreePlace } from './inventory-index.js';
import { type RawPath, shown } from './raw-path.js';
import { FileChanged, type FileToStore, FileUnreadable, type StoredBlob, storeFiles } from './salvage-blobs.js';
import { keepSalvage, lostCommitsOf, parentOf, STAGED, writeCommit } from './salvage-commit.js';
import { manifestName, manifestOf, type SalvageManifestFile } from './salvage-manifest.js';
import { savableSurvey, unreadable, worktreeDirty } from './salvage-refusal.js';
import { changedTree, stagedTree, stagesTree, type TreeEntry } from './salvage-trees.js';
import { verifyFiles } from './salvage-verify.js';
import type { Survey, SurveyFile } from './survey.js';

export interface SavedSalvage {
  readonly ref: string;
  readonly commit: string;
  /** The branch of the worktree; absent when its HEAD was detached. */
  readonly branch?: string | undefined;
  readonly files_total: number;
  readonly bytes: number;
}

export interface SaveOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The display name of the session. */
  readonly name?: string | undefined;
  /** Where the worktree is and may be looked at; its link has been checked. */
  readonly place: WorktreePlace;
}

const TRIES = 3;
const WAIT_MS = 200;

/**
 * Saves all that an inventory lists, what is staged, and each commit that only this worktree knows, under the salvage ref of the record's
 * id. Nothing in the worktree changes. When this resolves it is verified and has reached the disk; when it rejects, the ref is as it was.
 *
 * Rejects with `worktree_dirty` for what no commit can hold, and for files that are written all the time. Answers what was saved, and
 * the inventory that it was saved by.
 */
export async function saveSalvage(
  git: Git,
  record: WorktreeRecord,
  options: SaveOptions,
): Promise<{ readonly saved: SavedSalvage; readonly full: FullInventory }> {
  for (let tries = 1; ; tries++) {
    const full = await inventoryAt(git, record, options.place);
    const survey = savableSurvey(record, full);
    try {
      return { saved: await save(git, record, { ...options, survey }), full };
    } catch (error) {
      if (error instanceof FileUnreadable) throw worktreeDirty(record, unreadable([error.path]), full.inventory);
      if (!(error instanceof FileChanged)) throw gitFailed(`save the worktree ${record.path}`, error);
      const problem = `is still being written to (${shown(error.path)}), so it cannot be saved: stop what writes there, then try again`;
      if (tries === TRIES) throw worktreeDirty(record, problem, full.inventory);
    }
    await delay(WAIT_MS);
  }
}

async function save(
  git: Git,
  record: WorktreeRecord,
  { place, now, name, survey }: SaveOptions & { readonly survey: Survey },
): Promise<SavedSalvage> {
  const { head, branch } = survey;
  const hash = record.base_commit.length === 64 ? 'sha256' : 'sha1';
  const blobs = await storeFiles(git, place, { files: filesToStore(survey.files), top: place.workTree, hash });
  const tree = await changedTree(git, place, { head, changes: treeChanges(survey.files, blobs) });
  const staged = await stagedTree(git, place);
  const index = await writeCommit(git, place, { tree: staged ?? tree, parents: parentOf(head), message: STAGED, at: now });
  const stages = await stagesCommit(git, place, { survey, at: now });
  const lost = await lostCommitsOf(git, record, place);
  const files = survey.files.map(manifestFile);
  const manifest = manifestOf(record, { now, name, head, branch, index, stages, files });
  const parents = [...parentOf(head), index, ...parentOf(stages), ...lost];
  const gone = survey.files.filter(({ path, staged }) => !blobs.has(path) && staged?.mode !== GITLINK).map(({ path }) => path);
  const verify = (commit: string) => verifyFiles(git, place, { commit, blobs, gone });
  const commit = await keepSalvage(git, place, { manifest, tree, parents, at: now, gitDir: record.git_dir, verify });
  const bytes = [...blobs.values()].reduce((sum, { size }) => sum + size, 0);
  return { ref: salvageRef(record.id), commit, branch, files_total: files.length, bytes };
}

const GITLINK = '160000';

function filesToStore(files: readonly SurveyFile[]): FileToStore[] {
  const found = new Map<RawPath, FileToStore>();
  for (const { path, stats } of files) {
    if (stats !== undefined && (stats.isFile() || stats.isSymbolicLink())) found.set(path, { path, stats });
  }
  return [...found.values()];
}

/** A path with nothing on disk, or with a directory, goes: what is in the directory has paths of its own. A submodule is as it was staged. */
function treeChanges(files: readonly SurveyFile[], blobs: ReadonlyMap<RawPath, StoredBlob>): Map<RawPath, TreeEntry | undefined> {
  const changes = new Map<RawPath, TreeEntry | undefined>();
  for (const { path, staged } of files) {
    const submodule = staged?.mode === GITLINK ? staged : undefined;
    changes.set(path, blobs.get(path) ?? submodule ?? changes.get(path));
  }
  return changes;
}

async function stagesCommit(
  git: Git,
  place: WorktreePlace,
  { survey, at }: { readonly survey: Survey; readonly at: number },
): Promise<string | undefined> {
  if (survey.conflicts.length === 0) return undefined;
  const tree = await stagesTree(git, place, survey.conflicts);
  return writeCommit(git, place, { tree, parents: [], message: 'The sides of each conflict\n', at });
}

function manifestFile(file: SurveyFile): SalvageManifestFile {
  const { path: _, ...described } = describeFile(file);
  const mode = file.stats?.isFile() === true ? { mode: (file.stats.mode & 0o7777n).toString(8).padStart(3, '0') } : {};
  return { ...manifestName(file.path), ...described, ...mode };
}
