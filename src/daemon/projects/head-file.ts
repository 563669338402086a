import { lstat, readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the HEAD of a repository points, as far as its files tell. */
export interface HeadFile {
  /** Without `refs/heads/`. Undefined when it is detached, or only git can tell. */
  readonly branch: string | undefined;
  /** Only git can tell: the refs are not in files, or HEAD is none. */
  readonly isOpaque: boolean;
  /** The branch has no commit yet. */
  readonly isUnborn: boolean;
  /** Another one after every change of HEAD or of the ref that it names. */
  readonly stamp: string;
  /** Who owns HEAD. */
  readonly uid: number;
}

/** A HEAD is one line; a ref name is a path. */
const HEAD_LIMIT = 5000;
/** What HEAD says where the refs are in a reftable. */
const NO_FILE = 'refs/heads/.invalid';

/** Undefined where there is no repository any more. */
export async function readHeadFile(gitDir: string): Promise<HeadFile | undefined> {
  const head = await textOf(join(gitDir, 'HEAD'));
  if (head === undefined) return undefined;
  const ref = /^ref:\s*(\S.*)$/m.exec(head.text)?.[1]?.trimEnd();
  const isOpaque = ref === NO_FILE || (ref === undefined && !/^[0-9a-f]{40,64}\s*$/.test(head.text));
  const [loose, packed, table] = await Promise.all([
    ref === undefined || isOpaque ? '' : stampOf(join(gitDir, ref)),
    stampOf(join(gitDir, 'packed-refs')),
    isOpaque ? stampOf(join(gitDir, 'reftable', 'tables.list')) : '',
  ]);
  return {
    branch: isOpaque || !ref?.startsWith('refs/heads/') ? undefined : ref.slice('refs/heads/'.length),
    isOpaque,
    isUnborn: ref !== undefined && !isOpaque && loose === '' && packed === '',
    stamp: [head.text, loose, packed, table].join('\n'),
    uid: head.uid,
  };
}

/** Old versions of git made HEAD a symbolic link to the file of the branch. */
async function textOf(path: string): Promise<{ text: string; uid: number } | undefined> {
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink()) return { text: `ref: ${await readlink(path)}`, uid: found.uid };
    return found.isFile() && found.size <= HEAD_LIMIT ? { text: await readFile(path, 'utf8'), uid: found.uid } : undefined;
  } catch {
    return undefined;
  }
}

/** git replaces these files, so that each has another inode after a change; empty for a file that is not there. */
async function stampOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? '' : `${found.ino}:${found.size}:${found.mtimeMs}`;
}
