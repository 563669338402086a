import { lstat, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { MaestroError, utf8Length } from '../../protocol/index.js';

/** The longest directory name, in bytes: short enough for sockets and other things that programs make below it. */
const NAME_LIMIT = 80;

/** How much of the id a path may show: more only where something is in the way. */
const ID_LENGTHS = [8, 13, 18, 36];

interface PathParts {
  /** Where worktrees are kept. */
  readonly directory: string;
  /** The main worktree's top, or the bare repository. */
  readonly repositoryPath: string;
  readonly branch: string;
  readonly id: string;
}

/** A path for a new worktree where nothing is: `DIRECTORY/REPOSITORY/BRANCH-ID`. Branches whose names look alike differ by the id. */
export async function freeWorktreePath({ directory, repositoryPath, branch, id }: PathParts): Promise<string> {
  const parent = join(directory, safeName(repositoryName(repositoryPath), 'repository'));
  const name = safeName(branch, 'branch');
  for (const length of ID_LENGTHS) {
    const path = join(parent, `${name}-${id.slice(0, length)}`);
    if (!(await exists(path))) return path;
  }
  throw new MaestroError('storage_failed', `there is something already at ${join(parent, `${name}-${id}`)}; move it away, then try again`);
}

/** What people call a repository: `tool` for `tool`, `tool.git`, `tool/.git` and `tool/.bare`. */
function repositoryName(path: string): string {
  const name = basename(path);
  if (name === '.git' || name === '.bare') return basename(dirname(path));
  return name.replace(/\.git$/, '');
}

/**
 * A directory name that no tool stumbles over: letters and digits of any language, and a few signs. Never empty, hidden, nor like an
 * option; in Unicode form NFC, as some file systems hold nothing else.
 */
function safeName(text: string, otherwise: string): string {
  const plain = text.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}._+-]+/gu, '-');
  const name = withinBytes(plain.replace(/^[\p{M}.-]+/u, '')).replace(/[.-]+$/, '');
  return name === '' ? otherwise : name;
}

function withinBytes(text: string): string {
  let bytes = 0;
  let kept = '';
  for (const character of text) {
    bytes += utf8Length(character);
    if (bytes > NAME_LIMIT) break;
    kept += character;
  }
  return kept;
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

/** Removes the directory that a repository has below `directory` for its worktrees once the last of them, such as the one at `path`, is gone. */
export async function dropEmptyParent(directory: string, path: string): Promise<void> {
  const parent = dirname(path);
  // One that is not empty stays.
  if (dirname(parent) === directory) await rmdir(parent).catch(() => undefined);
}
