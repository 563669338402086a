import type { Inventory, InventoryFile } from '../../protocol/index.js';
import { formatBytes } from '../changes/file-words.js';
import { text } from '../text/text.js';

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
  if (inventory.broken !== undefined) return text.worktrees.holdsUnknown;
  const { files_total, detached_commits_total, nested_repositories, dirty_submodules, operation } = inventory;
  const { count, operations, holdsNothing } = text.worktrees;
  const words = [
    files_total === 0 ? '' : count.files(files_total),
    detached_commits_total === 0 ? '' : count.commits(detached_commits_total),
    nested_repositories.length === 0 ? '' : count.repositories(nested_repositories.length),
    dirty_submodules.length === 0 ? '' : count.submodules(dirty_submodules.length),
    operation === undefined ? '' : operations[operation],
  ].filter((part) => part !== '');
  return words.length === 0 ? holdsNothing : words.join(', ');
}

/** Why no salvage can hold all of it, and what to do; undefined when one can. */
export function unsalvageable({ broken, nested_repositories, dirty_submodules }: Inventory): string | undefined {
  const words = text.worktrees.unsalvageable;
  if (broken !== undefined) return words.broken;
  const reasons = [...(nested_repositories.length > 0 ? [words.nested] : []), ...(dirty_submodules.length > 0 ? [words.submodules] : [])];
  return reasons.length === 0 ? undefined : reasons.join(' ');
}

/** How to get back what was saved of the session or worktree with this id. */
export function restoreCommand(id: string): string {
  return `maestro salvage restore ${id.slice(0, 8)}`;
}
