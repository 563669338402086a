import type { GitState, Session } from '../../protocol/index.js';
import { sessionName } from '../session/session-name.js';
import { text } from '../text/text.js';

type Distance = Pick<GitState, 'ahead' | 'behind' | 'compared_with'>;

/** How far a branch is from another: `2 ahead, 1 behind main`. Empty where it is not known or none. */
export function distanceText({ ahead = 0, behind = 0, compared_with }: Distance): string {
  if (compared_with === undefined || ahead + behind === 0) return '';
  return text.changes.distance(ahead, behind, compared_with);
}

export function changedText(changed: number): string {
  return text.changes.changed(changed);
}

/** What a session's worktree holds, in parts: its branch, its changes, its distance. */
export function gitParts({ git, worktree }: Session): { branch: string; rest: readonly string[] } | undefined {
  if (git === undefined) return worktree === undefined ? undefined : { branch: worktree.branch, rest: [] };
  const rest = [changedText(git.changed), distanceText(git)].filter((part) => part !== '');
  return { branch: git.branch ?? text.changes.detached, rest };
}

/** The branch, where a session's name does not tell it already. Only worktrees of a session's own stand for a branch. */
export function tellingBranch(session: Session): string | undefined {
  const branch = session.worktree === undefined ? undefined : (session.git?.branch ?? session.worktree.branch);
  return branch === sessionName(session) ? undefined : branch;
}
