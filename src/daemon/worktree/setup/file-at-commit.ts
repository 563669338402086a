import { type Git, type GitPlace, records } from '../../git.js';

interface FileAtCommit {
  readonly commit: string;
  /** From the top, without special characters. */
  readonly path: string;
  /** In bytes. */
  readonly limit: number;
}

/** The bytes of a file in a commit, as git keeps them; undefined when there is none. A problem is a text that reads on from the file's name. */
export async function readFileAt(
  git: Git,
  place: GitPlace,
  { commit, path, limit }: FileAtCommit,
): Promise<Buffer | { problem: string } | undefined> {
  const listed = records(await git.run(place, ['ls-tree', '-z', '--long', '--full-tree', commit, '--', path]));
  const [mode, , object, size] = listed[0]?.toString().split('\t', 1)[0]?.split(/ +/) ?? [];
  if (mode === undefined || object === undefined) return undefined;
  if (!mode.startsWith('100')) return { problem: 'must be a plain file' };
  if (Number(size) > limit) return { problem: `has ${size} bytes; at most ${limit} are read` };
  return git.run(place, ['cat-file', 'blob', object], { maxBytes: limit });
}
