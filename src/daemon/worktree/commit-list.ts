import { type Commit, INVENTORY_LIST_LIMIT } from '../../protocol/index.js';
import { formatCommitTime } from '../clock.js';
import { type Git, type GitPlace, records } from '../git.js';

export interface CommitList {
  readonly commits: Commit[];
  readonly total: number;
}

/** The most that git is asked for, and what selects them, as `git rev-list` takes it. */
interface LogRequest {
  readonly limit: number;
  readonly revisions: readonly string[];
}

const FORMAT = '--format=tformat:%H%x00%s%x00%an%x00%ct';
const FIELDS = 4;

/** The commits that `revisions` select, as `git rev-list` takes them, newest first. The first {@link INVENTORY_LIST_LIMIT} are told in full. */
export async function listCommits(git: Git, place: GitPlace, revisions: readonly string[]): Promise<CommitList> {
  const total = Number(await git.text(place, ['rev-list', '--count', ...revisions, '--']));
  if (total === 0) return { commits: [], total };
  return { commits: await readLog(git, place, { limit: INVENTORY_LIST_LIMIT, revisions }), total };
}

/** Commits, newest first. */
export async function readLog(git: Git, place: GitPlace, { limit, revisions }: LogRequest): Promise<Commit[]> {
  const log = ['log', '-z', `--max-count=${limit}`, '--no-show-signature', '--encoding=UTF-8', '--no-patch', FORMAT];
  return parseCommits(await git.run(place, [...log, ...revisions, '--']));
}

function parseCommits(output: Buffer): Commit[] {
  const fields = records(output).map((field) => field.toString('utf8'));
  const commits: Commit[] = [];
  for (let at = 0; at + FIELDS <= fields.length; at += FIELDS) {
    const [id = '', subject = '', author = '', seconds = '0'] = fields.slice(at, at + FIELDS);
    commits.push({ id, subject, author, at: formatCommitTime(Number(seconds)) });
  }
  return commits;
}
