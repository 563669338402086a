import { lstat } from 'node:fs/promises';
import { type Inventory, MaestroError, NAME_KEY, type RemovedWorktree, type WorktreeEntry } from '../../protocol/index.js';
import type { WorktreeRecord } from '../worktree-record.js';
import { isSalvageable } from './dirty-worktree.js';
import { inParallel } from './in-parallel.js';
import type { SessionContext } from './session-context.js';

/** Inventories taken at the same time: each reads a whole worktree. */
const PARALLEL = 4;

/** The worktrees that Maestro made, with or without their sessions: what each holds, which can go, and why. */
export class WorktreeList {
  readonly #context: SessionContext;

  constructor(context: SessionContext) {
    this.#context = context;
  }

  /** In the order of their making. */
  async list(): Promise<WorktreeEntry[]> {
    const made = this.#context.worktrees.list().filter((record) => record.state === 'made');
    const entries: WorktreeEntry[] = [];
    await inParallel(made, PARALLEL, async (record) => void entries.push(await this.#entry(record)));
    return entries.sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
  }

  /** Removes a worktree that no session owns. Rejects with `worktree_dirty` while it holds work, unless `force` is to salvage it first. */
  async remove(id: string, { force = false }: { readonly force?: boolean | undefined }): Promise<RemovedWorktree> {
    const { worktrees, registry } = this.#context;
    const record = worktrees.find(id);
    if (record === undefined) {
      throw new MaestroError('not_found', `Maestro has made no worktree ${id}; \`maestro worktree ls\` lists those there are`, {
        details: { id },
      });
    }
    if (registry.find(id) !== undefined) {
      const text = `the worktree ${record.path} belongs to session ${id.slice(0, 8)}; kill the session to have it removed`;
      throw new MaestroError('already_running', text, { details: { id, path: record.path } });
    }
    const { branch_kept, salvage } = await worktrees.remove(id, { salvage: force });
    return {
      path: record.path,
      ...(branch_kept === undefined ? {} : { branch_kept }),
      ...(salvage === undefined ? {} : { salvage_ref: salvage.ref }),
    };
  }

  async #entry(record: WorktreeRecord): Promise<WorktreeEntry> {
    const { id, path, base_repo, branch, created_branch, base_commit, created_at } = record;
    const session = this.#sessionOf(id);
    const found = await this.#look(record);
    const state = found.state ?? (session === undefined ? 'left' : 'owned');
    const judged = judge({ state, inventory: found.inventory });
    return {
      id,
      path,
      base_repo,
      branch: found.inventory?.branch ?? branch,
      created_branch,
      base_commit,
      created_at,
      state,
      ...(session === undefined ? {} : { session }),
      ...(found.inventory === undefined ? {} : { inventory: found.inventory }),
      ...(session === undefined ? judged : { removable: false, reason: `session ${session.name ?? session.id.slice(0, 8)} owns it` }),
    };
  }

  async #look(record: WorktreeRecord): Promise<{ state?: 'broken' | 'missing'; inventory?: Inventory }> {
    const isThere = await lstat(record.path).then(
      () => true,
      () => false,
    );
    if (!isThere) return { state: 'missing' };
    const inventory = await this.#context.worktrees.inventory(record);
    return inventory.broken === undefined ? { inventory } : { state: 'broken', inventory };
  }

  #sessionOf(id: string): WorktreeEntry['session'] {
    const record = this.#context.registry.find(id)?.record;
    if (record === undefined) return undefined;
    const name = record.metadata[NAME_KEY];
    return { id, status: record.status, ...(typeof name === 'string' ? { name } : {}) };
  }
}

interface Judged {
  readonly state: WorktreeEntry['state'];
  readonly inventory: Inventory | undefined;
}

function judge({ state, inventory }: Judged): Pick<WorktreeEntry, 'removable' | 'reason'> {
  if (state === 'missing') return { removable: true, reason: 'its directory is gone; only what git noted of it is left' };
  if (inventory === undefined || inventory.broken !== undefined) {
    return {
      removable: false,
      reason: `its link to the repository is broken: ${inventory?.broken ?? 'unknown'}; try \`git worktree repair\``,
    };
  }
  if (inventory.clean) return { removable: true, reason: 'nothing in it would be lost' };
  if (isSalvageable(inventory)) return { removable: false, reason: 'it holds work that exists nowhere else; by force it is saved first' };
  return { removable: false, reason: 'it holds repositories of their own, which cannot be saved' };
}
