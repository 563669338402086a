import { type Inventory, InventorySchema, type KillResult, MaestroError, type Session } from '../../protocol/index.js';
import { visibleText } from '../parts/visible-text.js';
import { sessionName } from '../session/session-name.js';
import { itemCount, restoreCommand, unsalvageable } from '../worktrees/inventory-words.js';

/** Why a session was not killed: what its worktree holds. */
export interface KillRefusal {
  readonly inventory: Inventory;
  /** Its program has ended all the same. */
  readonly ended: boolean;
}

/** `error` as the refusal of a kill by which work would be lost, where it is one. */
export function killRefusal(error: unknown): KillRefusal | undefined {
  if (!(error instanceof MaestroError) || error.code !== 'worktree_dirty') return undefined;
  const inventory = InventorySchema.safeParse(error.details?.inventory);
  return inventory.success ? { inventory: inventory.data, ended: error.details?.ended === true } : undefined;
}

export interface RefusalWords {
  readonly lead: string;
  /** The words of the safe button. */
  readonly keep: string;
  /** What a salvage would save; undefined when it cannot save all. */
  readonly saves?: string;
  /** Why there can be no salvage, and what to do. */
  readonly obstacle?: string;
}

export function refusalWords({ inventory, ended }: KillRefusal, session: Session): RefusalWords {
  const name = sessionName(session);
  const isRunning = session.status === 'running' && !ended;
  const what = inventory.broken === undefined ? 'holds work that exists nowhere else' : 'has lost its link to the repository';
  const state = isRunning
    ? `${name} is still running.`
    : ended
      ? `The program of ${name} has ended; the session and its files are kept.`
      : `${name} is kept.`;
  const obstacle = unsalvageable(inventory);
  return {
    lead: `${state} Its worktree ${what}.`,
    keep: isRunning ? 'Keep it running' : 'Keep it',
    ...(obstacle === undefined ? { saves: savedItems(itemCount(inventory)) } : { obstacle }),
  };
}

function savedItems(count: number): string {
  return count === 0 ? 'the state of the worktree' : count === 1 ? 'this item' : `all ${count} items`;
}

/** What is to be told of a kill that was done; `command` brings back what was saved. */
export interface KillNote {
  readonly text: string;
  readonly command?: string;
}

/** Undefined where there is nothing but what the list shows anyway. */
export function killNote({ worktree, branch_kept, salvage_ref }: KillResult, session: Session): KillNote | undefined {
  const branch = branch_kept === undefined ? '' : `The branch ${visibleText(branch_kept)} is kept.`;
  if (salvage_ref !== undefined) {
    const text = `Killed ${sessionName(session)}. What its worktree held is saved; this brings it back. ${branch}`.trim();
    return { text, command: restoreCommand(session.id) };
  }
  const place = session.worktree === undefined ? '' : ` in ${visibleText(session.worktree.path)}`;
  const kept = worktree === 'kept' ? `The worktree is kept${place}.` : worktree === 'pending' ? 'The worktree is removed soon.' : '';
  const text = `${kept} ${branch}`.trim();
  return text === '' ? undefined : { text };
}
