import { MaestroError, utf8Length } from '../../protocol/index.js';
import type { Git, GitPlace } from '../git.js';

/** git keeps each part of a name as a file, and `PART.lock` beside it for a moment; file systems take 255 bytes. */
const PART_LIMIT = 250;

/** Rejects unless `name` is the name of a branch as it stands: nothing that git would expand, take for an option or for a commit. */
export async function checkBranchName(git: Git, place: GitPlace, name: string): Promise<void> {
  const problem = reservedProblem(name) ?? lengthProblem(name) ?? (await formatProblem(git, place, name));
  if (problem === undefined) return;
  throw new MaestroError('invalid_request', `worktree.branch: ${JSON.stringify(name)} ${problem}`, {
    details: { field: 'worktree.branch' },
  });
}

function reservedProblem(name: string): string | undefined {
  if (name.startsWith('-')) return 'must not begin with -, as git would take it for an option';
  if (name === '@' || name === 'HEAD') return 'is what git calls the current commit; choose another name';
  if (/^(?:[0-9a-fA-F]{40}|[0-9a-fA-F]{64})$/.test(name)) return 'reads as the id of a commit; choose another name';
  return undefined;
}

function lengthProblem(name: string): string | undefined {
  if (name.split('/').every((part) => utf8Length(part) <= PART_LIMIT)) return undefined;
  return `is too long: each part between slashes may have ${PART_LIMIT} bytes`;
}

async function formatProblem(git: Git, place: GitPlace, name: string): Promise<string | undefined> {
  const { code } = await git.attempt(place, ['check-ref-format', `refs/heads/${name}`]);
  if (code === 0) return undefined;
  return 'is no name for a branch; git takes no spaces, control characters, .., ~, ^, :, ?, *, [, \\, @{, nor . or .lock at the end of a part';
}
