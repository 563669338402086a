import { type Inventory, InventorySchema, MaestroError } from '../../protocol/index.js';
import type { Sidecar } from '../store/sidecar.js';
import { labelOf } from './session-view.js';

/** True when a salvage ref can hold all that the worktree holds. */
export function isSalvageable({ nested_repositories, dirty_submodules, broken }: Inventory): boolean {
  return nested_repositories.length === 0 && dirty_submodules.length === 0 && broken === undefined;
}

interface Refusal {
  readonly inventory: Inventory;
  /** The session's program has ended meanwhile. */
  readonly ended: boolean;
}

/** The refusal of a kill: what the worktree holds, and what can be done. */
export function dirtyError(record: Sidecar, { inventory, ended }: Refusal): MaestroError {
  const { id, worktree, cwd } = record;
  const path = worktree?.path ?? cwd;
  const state = ended ? 'its program was ended and the worktree is kept' : 'it runs on and nothing was touched';
  const text = `${labelOf(record)} was not killed, as its worktree ${path} holds ${holdings(inventory)}; ${state}. ${nextStep(inventory)}`;
  return new MaestroError('worktree_dirty', text, { details: { id, path, ended, inventory } });
}

/** The inventory that comes with a `worktree_dirty` error. */
export function inventoryOf(error: unknown): Inventory | undefined {
  if (!(error instanceof MaestroError) || error.code !== 'worktree_dirty') return undefined;
  return InventorySchema.safeParse(error.details?.inventory).data;
}

function holdings(inventory: Inventory): string {
  const { files_total, detached_commits_total, nested_repositories, dirty_submodules, operation, broken } = inventory;
  if (broken !== undefined) return `a link to its repository that is broken (${broken})`;
  const parts = [
    count(files_total, 'file that exists nowhere else', 'files that exist nowhere else'),
    count(detached_commits_total, 'commit on no branch', 'commits on no branch'),
    count(nested_repositories.length, 'nested repository', 'nested repositories'),
    count(dirty_submodules.length, 'submodule with work in it', 'submodules with work in them'),
    operation === undefined ? undefined : `an unfinished ${operation.replace('_', '-')}`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? 'work' : parts.join(', ');
}

function count(number: number, one: string, many: string): string | undefined {
  return number === 0 ? undefined : `${number} ${number === 1 ? one : many}`;
}

function nextStep(inventory: Inventory): string {
  if (isSalvageable(inventory)) {
    return 'Commit the work, kill by force to have all of it saved first, or kill and keep the worktree.';
  }
  if (inventory.broken !== undefined) return 'Mend it with `git worktree repair`, or kill and keep the worktree.';
  const named = [...inventory.nested_repositories, ...inventory.dirty_submodules].slice(0, 3).join(', ');
  return `No salvage can hold repositories of their own (${named}): push or move them, or kill and keep the worktree.`;
}
