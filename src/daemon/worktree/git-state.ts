import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import type { GitState } from '../../protocol/index.js';
import { type Git, type GitPlace, records } from '../git.js';
import type { DiffTree } from './diff-tree.js';
import { gitFailed } from './git-failure.js';
import { comparedRef, distance } from './git-state-branch.js';
import { onDisk, type RawPath, rawPath } from './raw-path.js';

/** Submodules count when their commit changed: looking into each would run git there. */
const STATUS = ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=all', '--ignored=no', '--ignore-submodules=dirty'];
const IGNORED = [
  'status',
  '--porcelain=v2',
  '-z',
  '--untracked-files=normal',
  '--ignored=matching',
  '--no-renames',
  '--ignore-submodules=all',
];
/** Names of a million files. */
const MAX_BYTES = 256 * 1024 * 1024;

/** How a worktree stands. Writes nothing. */
export async function readGitState(git: Git, tree: DiffTree): Promise<GitState> {
  try {
    const { paths, ...status } = parseStatus(await git.run(tree.place, [...STATUS, '--no-ahead-behind'], { maxBytes: MAX_BYTES }));
    const revision = await revisionOf(tree.root, status.text, paths);
    const compared = await comparedRef(git, tree.place, { branch: status.branch, comparedWith: tree.comparedWith });
    const apart = compared === undefined ? undefined : await distance(git, tree.place, compared.ref);
    const { branch, changed } = status;
    return {
      ...(branch === undefined ? {} : { branch }),
      changed,
      revision,
      ...(compared === undefined || apart === undefined ? {} : { ...apart, compared_with: compared.name }),
    };
  } catch (error) {
    throw gitFailed(`read the state of ${tree.root}`, error);
  }
}

/** The directories that a rule ignores, relative to the top of the worktree; none of those below them. */
export async function ignoredDirectories(git: Git, place: GitPlace): Promise<ReadonlySet<RawPath>> {
  const found = records(await git.run(place, IGNORED, { maxBytes: MAX_BYTES })).map(rawPath);
  return new Set(found.filter((record) => record.startsWith('! ') && record.endsWith('/')).map((record) => record.slice(2, -1)));
}

/** The format: git-status(1), "Porcelain Format Version 2". */
function parseStatus(output: Buffer): Status {
  const found = records(output);
  let branch: string | undefined;
  const paths: RawPath[] = [];
  for (let at = 0; at < found.length; at++) {
    const record = found[at]?.toString('utf8') ?? '';
    if (record.startsWith('# branch.head ')) branch = record.slice('# branch.head '.length);
    if (record.startsWith('#')) continue;
    const fields = FIELDS[record.charAt(0)] ?? 0;
    paths.push(
      rawPath(found[at] ?? Buffer.alloc(0))
        .split(' ')
        .slice(fields)
        .join(' '),
    );
    // The path that it was renamed from is a record of its own.
    if (record.startsWith('2 ')) at += 1;
  }
  return { branch: branch === '(detached)' ? undefined : branch, changed: paths.length, text: output, paths };
}

/** How many fields stand before the path, by the kind of record. */
const FIELDS: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10, '?': 1 };

interface Status {
  readonly branch: string | undefined;
  readonly changed: number;
  readonly text: Buffer;
  readonly paths: readonly RawPath[];
}

/** More changed files than this are told apart by their names only. */
const STATS_LIMIT = 2000;

/** Of what git says, and of size and time of each changed file: the time that also tells of a new mode, and that no program can set. */
async function revisionOf(root: string, text: Buffer, paths: readonly RawPath[]): Promise<string> {
  const stats = await Promise.all(paths.slice(0, STATS_LIMIT).map((path) => lstat(onDisk(root, path)).catch(() => undefined)));
  const digest = createHash('sha1').update(text);
  for (const file of stats) digest.update(`${file?.size} ${file?.ctimeMs} ${file?.ino}\n`);
  return digest.digest('hex').slice(0, 16);
}
