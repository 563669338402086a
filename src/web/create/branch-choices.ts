import type { Branch } from '../../protocol/index.js';
import { text } from '../text/text.js';
import type { WorktreeDraft } from './create-draft.js';
import type { DraftProblem } from './draft-problem.js';

/** Branches that a new worktree can be on as they are: no other one is. */
export function usableBranches(branches: readonly Branch[]): readonly string[] {
  return branches.filter(({ remote, worktree }) => !remote && worktree === undefined).map(({ name }) => name);
}

/** What the daemon would say of the new branch, known before it is asked. */
export function branchProblem({ branch, existing }: WorktreeDraft, branches: readonly Branch[]): DraftProblem | undefined {
  const there = existing ? undefined : branches.find(({ name, remote }) => !remote && name === branch.trim());
  if (there === undefined) return undefined;
  return { field: 'branch', text: text.create.branchExists, conflict: there.worktree === undefined ? 'usable' : 'taken' };
}
