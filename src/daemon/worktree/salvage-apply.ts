import type { Stats } from 'node:fs';
import { chmod, lstat, mkdir, open, rename, rmdir, symlink, unlink } from 'node:fs/promises';
import { MaestroError } from '../../protocol/index.js';
import type { Git } from '../git.js';
import { invariant } from '../invariant.js';
import type { WorktreeRecord } from '../worktree-record.js';
import { gitFailed } from './git-failure.js';
import { placeOf } from './inventory.js';
import { INDEX_SETTINGS, type WorktreePlace } from './inventory-index.js';
import { bytesOf, onDisk, parentsOf, type RawPath, shown } from './raw-path.js';
import { manifestPath, type SalvageManifestFile } from './salvage-manifest.js';
import type { SalvageContent } from './salvage-read.js';
import { type TreeEntry, treeEntries } from './salvage-trees.js';

/** A larger file is written by git itself, without going through memory. */
const IN_MEMORY_BYTES = 16 * 1024 * 1024;

/**
 * Brings a salvage back into a worktree that was made just now, with a branch at its `head`: each file as it was on disk, with its
 * permissions, what was deleted is deleted, and the index as it was staged, conflicts too. What was untracked or ignored is so again.
 *
 * Nothing is written through a symbolic link. When this rejects, the salvage is still whole, and the worktree may be half-filled.
 */
export async function applySalvage(git: Git, record: WorktreeRecord, { commit, head, manifest }: SalvageContent): Promise<void> {
  const place = await placeOf(record);
  try {
    const files = new Map(manifest.files.map((file) => [manifestPath(file), file]));
    const tree = await treeEntries(git, place, commit);
    const checkedOut = await treeEntries(git, place, head);
    // A file that a sparse checkout left out makes way too, for what was in its place.
    const gone = [...checkedOut.keys()].filter((path) => !tree.has(path));
    for (const path of [...gone, ...files.keys()]) if (tree.get(path)?.mode !== '160000') await clear(record.path, path);
    const saved = Array.from(files, ([path, file]) => ({ path, file, entry: tree.get(path) })).filter(isSaved);
    for (const batch of batchesOf(saved)) {
      const blobs = await readBlobs(git, place, batch);
      for (const one of batch) await writeBack(git, place, { ...one, content: blobs.get(one.entry.id) });
    }
    if (manifest.index !== undefined) await restoreIndex(git, place, manifest);
  } catch (error) {
    throw gitFailed(`restore the salvage ${manifest.id} to ${record.path}`, error);
  }
}

/** Takes away what a checkout put at a path, and the directories that are empty with it. */
async function clear(top: string, path: RawPath): Promise<void> {
  if (!(await isReachable(top, path))) return;
  const found = await statOf(onDisk(top, path));
  if (found === undefined || found.isDirectory()) return;
  await unlink(onDisk(top, path));
  for (const parent of parentsOf(path).reverse()) {
    const isEmpty = await rmdir(onDisk(top, parent)).then(
      () => true,
      () => false,
    );
    if (!isEmpty) return;
  }
}

/** All above the path are directories. */
async function isReachable(top: string, path: RawPath): Promise<boolean> {
  for (const parent of parentsOf(path)) {
    if ((await statOf(onDisk(top, parent)))?.isDirectory() !== true) return false;
  }
  return true;
}

async function makeParents(top: string, path: RawPath): Promise<void> {
  for (const parent of parentsOf(path)) {
    const found = await statOf(onDisk(top, parent));
    if (found === undefined) await mkdir(onDisk(top, parent), 0o777);
    else if (!found.isDirectory()) {
      const text = `cannot restore ${shown(path)}: ${shown(parent)} is no directory in ${top}; restore to another path`;
      throw new MaestroError('storage_failed', text, { details: { path: shown(path) } });
    }
  }
}

interface SavedFile {
  readonly path: RawPath;
  readonly file: SalvageManifestFile;
  readonly entry: TreeEntry;
}

function isSaved(one: Omit<SavedFile, 'entry'> & { readonly entry: TreeEntry | undefined }): one is SavedFile {
  return one.entry !== undefined && one.entry.mode !== '160000';
}

function isLarge({ file }: SavedFile): boolean {
  return (file.bytes ?? 0) > IN_MEMORY_BYTES;
}

/** Some files at a time are held in memory. */
function* batchesOf(files: readonly SavedFile[]): Generator<SavedFile[]> {
  let batch: SavedFile[] = [];
  let bytes = 0;
  for (const one of files) {
    batch.push(one);
    bytes += isLarge(one) ? 0 : (one.file.bytes ?? 0);
    if (bytes < IN_MEMORY_BYTES && batch.length < 1000) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

/** Each answer of `cat-file --batch` is a line with the id, the type and the size, then the bytes and a line end. */
async function readBlobs(git: Git, place: WorktreePlace, files: readonly SavedFile[]): Promise<Map<string, Buffer>> {
  const ids = [...new Set(files.filter((one) => !isLarge(one)).map(({ entry }) => entry.id))];
  const input = ids.map((id) => `${id}\n`).join('');
  const output = ids.length === 0 ? Buffer.of() : await git.run(place, ['cat-file', '--batch'], { input });
  const found = new Map<string, Buffer>();
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf('\n', at);
    const [id = '', , size = ''] = output.toString('latin1', at, end).split(' ');
    const from = end + 1;
    at = from + Number(size) + 1;
    invariant(/^\d+$/.test(size) && at <= output.length, `git has ${id}`);
    found.set(id, output.subarray(from, at - 1));
  }
  return found;
}

/** Without `content` for a large file. */
async function writeBack(
  git: Git,
  place: WorktreePlace,
  { path, file, entry, content }: SavedFile & { readonly content: Buffer | undefined },
): Promise<void> {
  const target = onDisk(place.workTree, path);
  await makeParents(place.workTree, path);
  if (content === undefined) await rename(onDisk(place.workTree, await git.text(place, ['unpack-file', entry.id])), target);
  else if (entry.mode === '120000') return symlink(content, target);
  else await create(target, content);
  await chmod(target, file.mode === undefined ? (entry.mode === '100755' ? 0o755 : 0o644) : Number.parseInt(file.mode, 8));
}

/** What is there already is no file of the salvage's, so it is not written over. */
async function create(target: Buffer, content: Buffer): Promise<void> {
  const handle = await open(target, 'wx', 0o600);
  try {
    await handle.writeFile(content);
  } finally {
    await handle.close();
  }
}

async function restoreIndex(git: Git, place: WorktreePlace, { index, stages }: SalvageContent['manifest']): Promise<void> {
  await git.run(place, [...INDEX_SETTINGS, 'read-tree', `${index}^{tree}`]);
  if (stages !== undefined) await restoreConflicts(git, place, stages);
  // It fails where something differs from the index, which is what a salvage is for.
  await git.attempt(place, [...INDEX_SETTINGS, 'update-index', '-q', '--refresh']);
}

async function restoreConflicts(git: Git, place: WorktreePlace, stages: string): Promise<void> {
  const sides = [...(await treeEntries(git, place, stages))].map(([name, entry]) => ({
    ...entry,
    stage: name.slice(0, 1),
    path: name.slice(2),
  }));
  const lines = sides.flatMap(({ mode, id, stage, path }) => [Buffer.from(`${mode} ${id} ${stage}\t`), bytesOf(path), Buffer.of(0)]);
  await git.run(place, [...INDEX_SETTINGS, 'update-index', '-z', '--index-info'], { input: Buffer.concat(lines) });
}

async function statOf(path: Buffer): Promise<Stats | undefined> {
  return lstat(path).catch(() => undefined);
}
