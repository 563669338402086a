import { type Commit, DIFF_COMMIT_LIMIT } from '../../protocol/index.js';
import { formatCommitTime } from '../clock.js';
import { type Git, type GitPlace, records } from '../git.js';

interface CommitRange {
  readonly from: string;
  readonly to: string;
}

export interface Commits {
  readonly commits: Commit[];
  readonly commits_total: number;
}

const FORMAT = '--format=tformat:%H%x00%s%x00%an%x00%ct';
const FIELDS = 4;

/** The commits that `to` has and `from` has not, newest first. */
export async function commitsIn(git: Git, place: GitPlace, { from, to }: CommitRange): Promise<Commits> {
  if (from === to) return { commits: [], commits_total: 0 };
  const range = ['--end-of-options', `${from}..${to}`, '--'];
  const log = ['log', '-z', `--max-count=${DIFF_COMMIT_LIMIT}`, '--no-show-signature', '--encoding=UTF-8', '--no-patch', FORMAT];
  const [output, total] = await Promise.all([git.run(place, [...log, ...range]), git.text(place, ['rev-list', '--count', ...range])]);
  return { commits: parseCommits(output), commits_total: Number(total) };
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
