import { InventoryAnswer } from '../client/answers.js';
import { type Inventory, MaestroError } from '../protocol/index.js';
import { canBeSaved, inventoryLines } from './inventory-text.js';
import { printableLines } from './printable.js';
import { ask } from './question.js';

/** A refusal to remove a worktree because of what it holds. */
export interface DirtyWorktree {
  readonly error: MaestroError;
  readonly inventory: Inventory;
}

/** What is to become of a worktree that holds unsaved work. */
export type DirtyChoice = 'salvage' | 'keep' | 'nothing';

/** `error` as the refusal of a worktree that holds unsaved work, where it is one. */
export function dirtyWorktree(error: unknown): DirtyWorktree | undefined {
  if (!(error instanceof MaestroError) || error.code !== 'worktree_dirty') return undefined;
  const inventory = InventoryAnswer.safeParse(error.details?.inventory);
  return inventory.success ? { error, inventory: inventory.data } : undefined;
}

/** What is to be read of it before somebody decides. Safe for a terminal. */
export function dirtyLines({ error, inventory }: DirtyWorktree): string[] {
  return [printableLines(error.message), ...inventoryLines(inventory)];
}

/** The refusal with the inventory and what to do in its message. */
export function explained(dirty: DirtyWorktree): MaestroError {
  const { error, inventory } = dirty;
  const force = canBeSaved(inventory) ? ['--force saves everything first'] : [];
  const advice = [...force, '--keep-worktree leaves it'].join(', ');
  return new MaestroError(error.code, [...dirtyLines(dirty), advice].join('\n'), { details: error.details, cause: error });
}

/** Asks what is to become of it. What cannot be saved is not offered to be. */
export async function askAboutDirty({ inventory }: DirtyWorktree): Promise<DirtyChoice> {
  const salvage = canBeSaved(inventory) ? '[s]alvage and kill, ' : '';
  const answer = (await ask(`${salvage}[k]eep the worktree, [n]othing? `)).toLowerCase();
  if (salvage !== '' && ['s', 'salvage'].includes(answer)) return 'salvage';
  return ['k', 'keep'].includes(answer) ? 'keep' : 'nothing';
}
