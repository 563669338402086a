import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MaestroError } from '../../../protocol/index.js';
import type { Git } from '../../git.js';
import { type Repository, refsPlace } from '../repository.js';
import { readFileAt } from './file-at-commit.js';

/** A list of files to copy into new worktrees that other tools know too, in gitignore syntax. */
const INCLUDE_PATH = '.worktreeinclude';
const SIZE_LIMIT = 64 * 1024;

/** The patterns of `.worktreeinclude`: that of the commit, or one that only the main worktree has and git does not know. */
export async function readIncludes(git: Git, repository: Repository, commit: string): Promise<string[]> {
  const committed = await readFileAt(git, refsPlace(repository), { commit, path: INCLUDE_PATH, limit: SIZE_LIMIT });
  if (committed !== undefined && 'problem' in committed) throw invalid(`${INCLUDE_PATH} ${committed.problem}`);
  return patterns(committed ?? (await untracked(git, repository)));
}

async function untracked(git: Git, { mainWorktree, gitDir }: Repository): Promise<Buffer> {
  if (mainWorktree === undefined) return Buffer.alloc(0);
  const file = join(mainWorktree, INCLUDE_PATH);
  const found = await lstat(file).catch(() => undefined);
  if (!found?.isFile()) return Buffer.alloc(0);
  const place = { cwd: mainWorktree, gitDir, workTree: mainWorktree };
  if ((await git.run(place, ['ls-files', '-z', '--', INCLUDE_PATH])).length > 0) return Buffer.alloc(0);
  if (found.size > SIZE_LIMIT) throw invalid(`${file} has ${found.size} bytes; at most ${SIZE_LIMIT} are read`);
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw invalid(`${file} cannot be read (${error.code ?? error.message})`);
  });
}

function patterns(bytes: Buffer): string[] {
  const lines = bytes
    .toString()
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/);
  return lines.filter((line) => line.trim() !== '' && !line.startsWith('#') && !line.includes('\0'));
}

function invalid(problem: string): MaestroError {
  return new MaestroError('invalid_request', `worktree.setup: ${problem}`, { details: { field: 'worktree.setup', file: INCLUDE_PATH } });
}
