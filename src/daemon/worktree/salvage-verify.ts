import type { Git, GitPlace } from '../git.js';
import { invariant } from '../invariant.js';
import { type RawPath, shown } from './raw-path.js';
import type { StoredBlob } from './salvage-blobs.js';
import { treeEntries } from './salvage-trees.js';

interface Expected {
  readonly commit: string;
  readonly blobs: ReadonlyMap<RawPath, StoredBlob>;
  /** Paths that the commit is not to have as files. */
  readonly gone: readonly RawPath[];
}

/** Reads a salvage commit back: each file is in its tree, with the id that its bytes have, and git has as many bytes of it. */
export async function verifyFiles(git: Git, place: GitPlace, { commit, blobs, gone }: Expected): Promise<void> {
  const tree = await treeEntries(git, place, commit);
  for (const [path, blob] of blobs) {
    const entry = tree.get(path);
    invariant(entry?.id === blob.id && entry.mode === blob.mode, `the salvage holds ${shown(path)} as it was read`);
  }
  for (const path of gone) invariant(!tree.has(path), `the salvage does not hold ${shown(path)}, which was not there`);
  const sizes = new Map(Array.from(blobs.values(), ({ id, size }) => [id, size]));
  const held = await heldSizes(git, place, [...sizes.keys()]);
  for (const [id, size] of sizes) invariant(held.get(id) === size, `git holds all ${size} bytes of ${id}`);
}

async function heldSizes(git: Git, place: GitPlace, ids: readonly string[]): Promise<Map<string, number>> {
  const input = ids.map((id) => `${id}\n`).join('');
  const output = await git.text(place, ['cat-file', '--batch-check=%(objectname) %(objecttype) %(objectsize)'], { input });
  return new Map(Array.from(output.matchAll(/^([0-9a-f]+) blob (\d+)$/gm), ([, id = '', size]) => [id, Number(size)]));
}
