import type { WorktreeEntry } from '../protocol/index.js';
import { findOne, type Naming } from './find-one.js';
import { canBeSaved } from './inventory-text.js';
import { printable } from './printable.js';

/** What is to become of worktrees. */
export interface CleanupPlan {
  /** Nothing is lost with these. */
  readonly removable: readonly WorktreeEntry[];
  /** These hold unsaved work, which is saved before they are removed. */
  readonly salvaged: readonly WorktreeEntry[];
  readonly staying: readonly WorktreeEntry[];
}

const NAMING: Naming<WorktreeEntry> = {
  kind: 'worktree',
  listedBy: 'maestro worktree ls',
  nameOf: ({ session }) => session?.name,
  describe: ({ branch, path }) => `${printable(branch)}  ${printable(path)}`,
};

/** The one worktree that `target` names: by the id or the whole name of its session, else by the beginning of that id. */
export function findWorktree(entries: readonly WorktreeEntry[], target: string): WorktreeEntry {
  return findOne(entries, target, NAMING);
}

/** With `force` also what only a salvage keeps is to go. A worktree whose session is there stays: a kill of the session decides. */
export function planCleanup(entries: readonly WorktreeEntry[], { force }: { force: boolean }): CleanupPlan {
  const removable = entries.filter((entry) => entry.removable);
  const salvaged = force ? entries.filter((entry) => !entry.removable && isSalvageable(entry)) : [];
  const staying = entries.filter((entry) => !removable.includes(entry) && !salvaged.includes(entry));
  return { removable, salvaged, staying };
}

/** Whether a removal by force could take it and lose nothing. */
export function isSalvageable({ state, inventory }: WorktreeEntry): boolean {
  return state === 'left' && inventory !== undefined && canBeSaved(inventory);
}
