import type { GitOperation, Inventory, InventoryFile } from '../../protocol/index.js';
import { formatBytes } from '../changes/file-words.js';

const OPERATIONS: Readonly<Record<GitOperation, string>> = {
  merge: 'a merge',
  rebase: 'a rebase',
  cherry_pick: 'a cherry-pick',
  revert: 'a revert',
  bisect: 'a bisect',
  apply: 'an apply',
};

export function operationText(operation: GitOperation): string {
  return `${OPERATIONS[operation]} is under way`;
}

export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** What the kind of a file does not say already. */
export function fileFacts({ kind, status, bytes }: InventoryFile): string {
  const isTold = status === kind || ['untracked', 'modified'].includes(status) || (kind === 'staged' && status === 'added');
  return [...(isTold ? [] : [status.replace('_', ' ')]), ...(bytes === undefined ? [] : [formatBytes(bytes)])].join(', ');
}

/** The things in it that a salvage saves. */
export function itemCount({ files_total, detached_commits_total }: Inventory): number {
  return files_total + detached_commits_total;
}

/** What would be lost, in a few words: `3 files, a rebase`. */
export function holdsText(inventory: Inventory): string {
  if (inventory.broken !== undefined) return 'not known';
  const { files_total, detached_commits_total, nested_repositories, dirty_submodules, operation } = inventory;
  const words = [
    files_total === 0 ? '' : countText(files_total, 'file'),
    detached_commits_total === 0 ? '' : countText(detached_commits_total, 'commit'),
    nested_repositories.length === 0 ? '' : countText(nested_repositories.length, 'repository', 'repositories'),
    dirty_submodules.length === 0 ? '' : countText(dirty_submodules.length, 'submodule'),
    operation === undefined ? '' : OPERATIONS[operation],
  ].filter((part) => part !== '');
  return words.length === 0 ? 'nothing' : words.join(', ');
}

const NESTED = 'A salvage cannot hold a repository of its own: move it elsewhere first.';
const SUBMODULES = 'A salvage cannot hold the work in a submodule: commit and push it there first.';

/** Why no salvage can hold all of it, and what to do; undefined when one can. */
export function unsalvageable({ broken, nested_repositories, dirty_submodules }: Inventory): string | undefined {
  if (broken !== undefined) {
    return 'Nothing is known of what it holds, so nothing can be saved of it. Look into the directory, and run `git worktree repair` there.';
  }
  const reasons = [...(nested_repositories.length > 0 ? [NESTED] : []), ...(dirty_submodules.length > 0 ? [SUBMODULES] : [])];
  return reasons.length === 0 ? undefined : reasons.join(' ');
}

/** How to get back what was saved of the session or worktree with this id. */
export function restoreCommand(id: string): string {
  return `maestro salvage restore ${id.slice(0, 8)}`;
}
