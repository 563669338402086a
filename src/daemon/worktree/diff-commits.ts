import { type Commit, DIFF_COMMIT_LIMIT } from '../../protocol/index.js';
import type { Git, GitPlace } from '../git.js';
import { readLog } from './commit-list.js';

interface CommitRange {
  readonly from: string;
  readonly to: string;
}

export interface Commits {
  readonly commits: Commit[];
  readonly commits_total: number;
}

/** The commits that `to` has and `from` has not, newest first. */
export async function commitsIn(git: Git, place: GitPlace, { from, to }: CommitRange): Promise<Commits> {
  if (from === to) return { commits: [], commits_total: 0 };
  const revisions = ['--end-of-options', `${from}..${to}`];
  const [commits, total] = await Promise.all([
    readLog(git, place, { limit: DIFF_COMMIT_LIMIT, revisions }),
    git.text(place, ['rev-list', '--count', ...revisions, '--']),
  ]);
  return { commits, commits_total: Number(total) };
}
