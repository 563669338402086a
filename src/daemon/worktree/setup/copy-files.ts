import { constants } from 'node:fs';
import { copyFile, lstat, readlink, symlink } from 'node:fs/promises';
import { type Git, GitError, type GitPlace, records } from '../../git.js';
import type { WorktreeRecord } from '../../worktree-record.js';
import { gitFailed } from '../git-failure.js';
import { onDisk, type RawPath, rawPath } from '../raw-path.js';
import { RealDirectories } from './real-directories.js';

interface CopyParts {
  readonly git: Git;
  /** The user's: the daemon's own keeps everybody out. */
  readonly umask: number;
}

export interface CopiedFiles {
  readonly files: number;
  readonly bytes: number;
}

const HERE = Buffer.from('./');

const AT_ONCE = 16;

/** What does not stop the others: it is there already, is gone by now, or must not be read. */
const PASSED_OVER = new Set(['EEXIST', 'ENOENT', 'EACCES', 'EPERM', 'ENOTDIR', 'EISDIR', 'ELOOP']);

/**
 * Copies the files of the main worktree that git ignores and that match one of `patterns`, which are in gitignore syntax. Nothing is ever
 * overwritten, written through a symbolic link, or taken out of another repository. What must not be read is passed over.
 */
export async function copyFiles(parts: CopyParts, record: WorktreeRecord, patterns: readonly string[]): Promise<CopiedFiles> {
  const { path, base_repo, git_dir } = record;
  if (patterns.length === 0 || base_repo === git_dir) return { files: 0, bytes: 0 };
  try {
    const files = await ignoredFiles(parts.git, record, patterns);
    return await copyAll({ from: base_repo, to: path, directories: new RealDirectories(path, parts.umask) }, files);
  } catch (error) {
    throw gitFailed(`copy ignored files of ${base_repo} to ${path}`, error);
  }
}

async function ignoredFiles(git: Git, { base_repo, git_dir }: WorktreeRecord, patterns: readonly string[]): Promise<RawPath[]> {
  const place = { cwd: base_repo, gitDir: git_dir, workTree: base_repo };
  const excludes = patterns.map((pattern) => `--exclude=${pattern}`);
  const matching = records(await git.run(place, ['ls-files', '-z', '--others', '--ignored', ...excludes]));
  // A name that ends with a slash is another repository.
  const files = matching.filter((file) => file.at(-1) !== 0x2f);
  if (files.length === 0) return [];
  return onlyIgnored(git, place, files);
}

/** Each path has `./` in front, as the command takes no literal ones and a colon would begin a pattern. */
async function onlyIgnored(git: Git, place: GitPlace, files: readonly Buffer[]): Promise<RawPath[]> {
  const input = Buffer.concat(files.flatMap((file) => [HERE, file, Buffer.of(0)]));
  const args = ['--no-literal-pathspecs', 'check-ignore', '-z', '--stdin'];
  const answer = await git.attempt(place, args, { input });
  if (answer.code > 1 || answer.truncated) throw new GitError(args, answer);
  return records(answer.stdout).map((file) => rawPath(file.subarray(HERE.length)));
}

interface Copying {
  readonly from: string;
  readonly to: string;
  readonly directories: RealDirectories;
}

async function copyAll(copying: Copying, files: readonly RawPath[]): Promise<CopiedFiles> {
  let copied = 0;
  let bytes = 0;
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const sizes = await Promise.all(files.slice(at, at + AT_ONCE).map((file) => copyOne(copying, file)));
    for (const size of sizes) {
      if (size === undefined) continue;
      copied += 1;
      bytes += size;
    }
  }
  return { files: copied, bytes };
}

/** The size of what was copied; undefined when it was passed over. */
async function copyOne({ from, to, directories }: Copying, file: RawPath): Promise<number | undefined> {
  try {
    const source = onDisk(from, file);
    const found = await lstat(source);
    if (!(found.isFile() || found.isSymbolicLink()) || !(await directories.makeFor(file))) return undefined;
    const target = onDisk(to, file);
    if (found.isSymbolicLink()) await symlink(await readlink(source, 'buffer'), target);
    else await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    return found.size;
  } catch (error) {
    if (PASSED_OVER.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
