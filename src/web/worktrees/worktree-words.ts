import type { Salvage, WorktreeEntry } from '../../protocol/index.js';
import { visibleText } from '../parts/visible-text.js';
import { text } from '../text/text.js';
import { holdsText, itemCount, unsalvageable } from './inventory-words.js';

/** How a worktree can be removed: at once, or after a salvage. Undefined when only something else can be done about it. */
export type Removal = 'plain' | 'salvage';

/** A kill of its session decides about one that is owned. */
export function removalOf({ removable, state, inventory }: WorktreeEntry): Removal | undefined {
  if (removable) return 'plain';
  return state === 'left' && inventory !== undefined && unsalvageable(inventory) === undefined ? 'salvage' : undefined;
}

/** What is asked before it is removed. */
export function removalQuestion({ inventory, state }: WorktreeEntry, removal: Removal): string {
  const words = text.worktrees.removeQuestion;
  if (removal === 'plain') return state === 'missing' ? words.missing : words.plain;
  const isOne = inventory !== undefined && itemCount(inventory) === 1;
  return words.salvage(inventory && holdsText(inventory), isOne);
}

/** What to call a salvage: the name of its session, else its branch, else its short id. */
export function salvageName({ name, branch, id }: Salvage): string {
  return visibleText(name ?? branch ?? id.slice(0, 8));
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long a salvage is kept yet. */
export function keptFor(expiresAt: string | undefined, now: number): string {
  if (expiresAt === undefined) return text.worktrees.kept(undefined);
  return text.worktrees.kept(Math.ceil((Date.parse(expiresAt) - now) / DAY_MS));
}
