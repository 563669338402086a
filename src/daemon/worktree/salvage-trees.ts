import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Git, GitPlace } from '../git.js';
import { INDEX_SETTINGS, type IndexConflict, type WorktreePlace, withOpenIndex } from './inventory-index.js';
import { bytesOf, type RawPath } from './raw-path.js';

export interface TreeEntry {
  readonly mode: string;
  readonly id: string;
}

/** What becomes of paths of a tree; undefined takes one out. */
export type TreeChanges = ReadonlyMap<RawPath, TreeEntry | undefined>;

/** Writes the tree of `head`, or the empty one, with `changes`. Answers its id. */
export async function changedTree(
  git: Git,
  place: GitPlace,
  { head, changes }: { readonly head: string | undefined; readonly changes: TreeChanges },
): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'maestro-index-'));
  try {
    const index: GitPlace = { ...place, indexFile: join(directory, 'index') };
    await git.run(index, [...INDEX_SETTINGS, 'read-tree', head ?? '--empty']);
    await writeEntries(git, index, { changes, idLength: head?.length ?? 40 });
    return await git.text(index, [...INDEX_SETTINGS, 'write-tree']);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Writes the tree of what is staged, without the paths that have a conflict. Undefined where there is no index. */
export function stagedTree(git: Git, place: WorktreePlace): Promise<string | undefined> {
  return withOpenIndex(git, place, async (index) => {
    if (!index.exists) return undefined;
    const changes = new Map(index.conflicts.map(({ path }) => [path, undefined]));
    await writeEntries(git, index.place, { changes, idLength: index.conflicts[0]?.id.length ?? 40 });
    return git.text(index.place, [...INDEX_SETTINGS, 'write-tree']);
  });
}

/** Writes a tree with each side of each conflict. */
export function stagesTree(git: Git, place: GitPlace, conflicts: readonly IndexConflict[]): Promise<string> {
  const changes = new Map(conflicts.map(({ stage, path, mode, id }) => [`${stage}/${path}`, { mode, id }]));
  return changedTree(git, place, { head: undefined, changes });
}

/** What goes is taken out first, so that a directory can take the place of a file and the other way round. */
async function writeEntries(
  git: Git,
  index: GitPlace,
  { changes, idLength }: { readonly changes: TreeChanges; readonly idLength: number },
): Promise<void> {
  if (changes.size === 0) return;
  const id = '0'.repeat([...changes.values()].find((entry) => entry !== undefined)?.id.length ?? idLength);
  const gone = Array.from(changes.keys(), (path) => Buffer.concat([Buffer.from(`0 ${id}\t`), bytesOf(path), Buffer.of(0)]));
  const added = Array.from(changes, ([path, entry]) => {
    return entry === undefined ? Buffer.of() : Buffer.concat([Buffer.from(`${entry.mode} ${entry.id}\t`), bytesOf(path), Buffer.of(0)]);
  });
  await git.run(index, [...INDEX_SETTINGS, 'update-index', '-z', '--index-info'], { input: Buffer.concat([...gone, ...added]) });
}

/** All files of a tree or commit. */
export async function treeEntries(git: Git, place: GitPlace, tree: string): Promise<Map<RawPath, TreeEntry>> {
  const output = await git.run(place, ['ls-tree', '-r', '-z', tree], { maxBytes: 1024 ** 3 });
  const found = new Map<RawPath, TreeEntry>();
  for (const [, mode = '', id = '', path = ''] of output.toString('latin1').matchAll(/(\d+) \S+ ([0-9a-f]+)\t([^\0]*)\0/g))
    found.set(path, { mode, id });
  return found;
}
