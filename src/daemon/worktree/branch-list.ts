import { BRANCHES_LIMIT, type Branch, type BranchList } from '../../protocol/index.js';
import type { Git } from '../git.js';
import { type Repository, refsPlace } from './repository.js';

const FIELDS = ['refname', 'objectname', 'contents:subject', 'authorname', 'committerdate:iso-strict', 'symref', 'worktreepath'];
const MAX_BYTES = 8 * 1024 * 1024;
/** What git puts behind each branch: no field holds a NUL. */
const RECORD_END = '\0\n';
const LOCAL = 'refs/heads/';
const REMOTE = 'refs/remotes/';

/** The branches of a repository and those that it knows of its remotes, by the time of their last commit, the newest first. */
export async function listBranches(git: Git, repository: Repository): Promise<BranchList> {
  const format = `--format=${FIELDS.map((field) => `%(${field})`).join('%00')}%00`;
  const args = ['for-each-ref', '--sort=-committerdate', `--count=${2 * BRANCHES_LIMIT}`, format, LOCAL, REMOTE];
  const output = (await git.run(refsPlace(repository), args, { maxBytes: MAX_BYTES })).toString('utf8');
  const records = output.split(RECORD_END).filter((record) => record !== '');
  const branches = records.flatMap((record) => branchOf(record.split('\0')) ?? []);
  return {
    branches: branches.slice(0, BRANCHES_LIMIT),
    truncated: branches.length > BRANCHES_LIMIT || records.length === 2 * BRANCHES_LIMIT,
  };
}

/** Undefined for a name that only points to a branch, as `origin/HEAD` does, and for what is no commit. */
function branchOf(fields: readonly string[]): Branch | undefined {
  const [ref = '', id = '', subject = '', author = '', at = '', pointsTo = '', worktree = ''] = fields;
  if (pointsTo !== '' || at === '') return undefined;
  const remote = ref.startsWith(REMOTE);
  return {
    name: ref.slice((remote ? REMOTE : LOCAL).length),
    remote,
    commit: { id, subject, author, at: new Date(at).toISOString() },
    ...(worktree === '' ? {} : { worktree }),
  };
}
