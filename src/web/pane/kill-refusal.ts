import { type Inventory, InventorySchema, type KillResult, MaestroError, type Session } from '../../protocol/index.js';
import { visibleText } from '../parts/visible-text.js';
import { sessionName } from '../session/session-name.js';
import { text } from '../text/text.js';
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
  const words = text.pane.notKilled;
  const what = inventory.broken === undefined ? words.holdsWork : words.lostLink;
  const state = isRunning ? words.running(name) : ended ? words.ended(name) : words.kept(name);
  const obstacle = unsalvageable(inventory);
  return {
    lead: `${state} ${what}`,
    keep: isRunning ? text.session.fate.keepRunning : text.session.fate.keep,
    ...(obstacle === undefined ? { saves: words.saves(itemCount(inventory)) } : { obstacle }),
  };
}

/** What is to be told of a kill that was done; `command` brings back what was saved. */
export interface KillNote {
  readonly text: string;
  readonly command?: string;
}

/** Undefined where there is nothing but what the list shows anyway. */
export function killNote({ worktree, branch_kept, salvage_ref }: KillResult, session: Session): KillNote | undefined {
  const words = text.pane.worktreeAfterKill;
  const branch = branch_kept === undefined ? '' : words.branch(visibleText(branch_kept));
  if (salvage_ref !== undefined) {
    return { text: `${text.pane.salvaged(sessionName(session))} ${branch}`.trim(), command: restoreCommand(session.id) };
  }
  const path = session.worktree && visibleText(session.worktree.path);
  const kept = worktree === 'kept' ? words.kept(path) : worktree === 'pending' ? words.pending : '';
  const told = `${kept} ${branch}`.trim();
  return told === '' ? undefined : { text: told };
}
