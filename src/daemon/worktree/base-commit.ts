import { MaestroError } from '../../protocol/index.js';
import type { Git } from '../git.js';
import { gitReason } from './git-failure.js';
import { type Repository, refsPlace, requireCommits, shellQuote } from './repository.js';

/** The commit that a branch is made at. */
export interface BaseCommit {
  readonly commit: string;
  /** The branch or remote branch that was named, short; that of HEAD when none was. Absent for anything else. */
  readonly base?: string;
  /** `base`, when it is a remote branch. */
  readonly upstream?: string;
}

const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** What `base` names in the repository as seen from {@link Repository.startDir}: HEAD there when it is absent. */
export async function resolveBase(git: Git, repository: Repository, base?: string): Promise<BaseCommit> {
  await requireCommits(git, repository);
  if (base?.startsWith('-')) throw refused(base, 'must not begin with -, as git would take it for an option');
  const commit = await commitOf(git, repository, base ?? 'HEAD').catch((error: unknown) => {
    throw base === undefined && error instanceof MaestroError ? noHead(repository) : error;
  });
  return { commit, ...branchOf(await fullName(git, repository, base ?? 'HEAD')) };
}

/** In two steps, as a name such as `:/text` takes what follows it for its own. */
async function commitOf(git: Git, repository: Repository, base: string): Promise<string> {
  const place = { cwd: repository.startDir };
  const named = await git.attempt(place, ['rev-parse', '--verify', '--end-of-options', base]);
  const object = named.stdout.toString().trim();
  if (named.code !== 0 || !OBJECT_ID.test(object))
    throw refused(base, await unknownProblem(git, repository, { base, stderr: named.stderr }));
  const peeled = await git.attempt(place, ['rev-parse', '--verify', '--quiet', `${object}^{commit}`]);
  if (peeled.code === 0) return peeled.stdout.toString().trim();
  const type = await git.attempt(place, ['cat-file', '-t', object]);
  if (type.code !== 0) throw refused(base, `names ${object}, which this repository does not have; fetch it first`);
  throw refused(base, `names a ${type.stdout.toString().trim()}, not a commit; give a branch, a tag or a commit`);
}

async function fullName(git: Git, repository: Repository, base: string): Promise<string> {
  const args = ['rev-parse', '--symbolic-full-name', '--verify', '--end-of-options', base];
  const { code, stdout } = await git.attempt({ cwd: repository.startDir }, args);
  return code === 0 ? stdout.toString().trim() : '';
}

function branchOf(ref: string): { base?: string; upstream?: string } {
  if (ref.startsWith('refs/heads/')) return { base: ref.slice('refs/heads/'.length) };
  if (!ref.startsWith('refs/remotes/')) return {};
  const remote = ref.slice('refs/remotes/'.length);
  return { base: remote, upstream: remote };
}

interface Unknown {
  readonly base: string;
  readonly stderr: string;
}

async function unknownProblem(git: Git, repository: Repository, { base, stderr }: Unknown): Promise<string> {
  if (/is ambiguous/.test(stderr) && !/unknown revision/.test(stderr)) {
    return 'is the beginning of more than one object id; give more digits';
  }
  if (/dubious|permission denied/i.test(stderr)) return `cannot be looked up: ${gitReason(stderr)}`;
  return `names no commit in ${repository.path}; ${await hint(git, repository, base)}`;
}

async function hint(git: Git, repository: Repository, base: string): Promise<string> {
  const remotes = (await git.text(refsPlace(repository), ['remote'])).split('\n').filter((remote) => remote !== '');
  const fetch = (what: string) => `git -C ${shellQuote(repository.path)} fetch ${what}`;
  const [first] = remotes;
  if (first === undefined) return 'give a branch, a tag or a commit that it has';
  const remote = remotes.find((name) => base.startsWith(`${name}/`));
  if (remote !== undefined) return `fetch it first: ${fetch(`${remote} ${shellQuote(base.slice(remote.length + 1))}`)}`;
  if (base.startsWith('refs/')) return `fetch it first: ${fetch(`${first} ${shellQuote(`${base}:${base}`)}`)}`;
  const matching = await remoteBranches(git, repository, base);
  if (matching.length > 0) return `did you mean ${matching.join(' or ')}?`;
  return `if it is new at ${first}, fetch it first: ${fetch(first)}`;
}

/** The remote branches whose own name is `branch`, such as `origin/fix` for `fix`. */
export async function remoteBranches(git: Git, repository: Repository, branch: string): Promise<string[]> {
  if (/[*?[\\\s]/.test(branch)) return [];
  const args = ['for-each-ref', '--count=5', '--format=%(refname:lstrip=2)', `refs/remotes/*/${branch}`];
  return (await git.text(refsPlace(repository), args)).split('\n').filter((name) => name !== '');
}

function noHead(repository: Repository): MaestroError {
  return new MaestroError(
    'invalid_request',
    `worktree.base: HEAD of ${repository.startDir} is on a branch without commits; say where to start, such as by base "main"`,
    { details: { field: 'worktree.base' } },
  );
}

function refused(base: string, problem: string): MaestroError {
  return new MaestroError('invalid_request', `worktree.base: ${JSON.stringify(base)} ${problem}`, { details: { field: 'worktree.base' } });
}
