import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Inventory, WorktreeRequest } from '../../protocol/index.js';
import type { Clock } from '../clock.js';
import type { Git } from '../git.js';
import type { RecordStore } from '../store/record-store.js';
import { storageFailed } from '../store/storage-error.js';
import { takeInventory } from '../worktree/inventory.js';
import { makeWorktree } from '../worktree/make-worktree.js';
import { planWorktree } from '../worktree/plan-worktree.js';
import { type Removal, removeWorktree } from '../worktree/remove-worktree.js';
import type { RepositoryQueue } from '../worktree/repository-queue.js';
import type { SavedSalvage } from '../worktree/salvage.js';
import { undoMake } from '../worktree/undo-make.js';
import { dropEmptyParent } from '../worktree/worktree-path.js';
import type { WorktreeRecord } from '../worktree-record.js';

interface WorktreeKeeperParts {
  readonly git: Git;
  readonly queue: RepositoryQueue;
  readonly records: RecordStore<WorktreeRecord>;
  /** Below which worktrees are made. Absolute. */
  readonly directory: string;
  readonly clock: Clock;
  /** Notes where a salvage is, before the record of its worktree goes. */
  readonly onSalvaged: (record: WorktreeRecord, salvage: SavedSalvage) => Promise<void>;
}

export interface WorktreePlanRequest {
  readonly id: string;
  readonly request: WorktreeRequest;
  readonly name?: string | undefined;
}

/**
 * The worktrees that Maestro made. Each has a durable record from before the first thing of it is made until the last one is removed, so
 * that no crash leaves anything in a repository that nobody knows of.
 */
export class WorktreeKeeper {
  readonly #parts: WorktreeKeeperParts;
  readonly #records = new Map<string, WorktreeRecord>();

  constructor(parts: WorktreeKeeperParts) {
    this.#parts = parts;
  }

  /** Reads the records, before anything else is asked of this. Answers what is wrong with those that could not be used. */
  async load(): Promise<readonly string[]> {
    const { records, problems } = await this.#parts.records.load();
    for (const record of records) this.#records.set(record.id, record);
    return problems;
  }

  find(id: string): WorktreeRecord | undefined {
    return this.#records.get(id);
  }

  list(): readonly WorktreeRecord[] {
    return [...this.#records.values()];
  }

  /** Checks all that can be checked and makes nothing. */
  plan({ id, request, name }: WorktreePlanRequest): Promise<WorktreeRecord> {
    const { git, directory, clock } = this.#parts;
    const { base_repo, branch, create_branch = true, base } = request;
    return planWorktree(
      { git, directory, clock },
      {
        id,
        request: { base_repo, branch, create_branch, ...(base === undefined ? {} : { base }) },
        ...(name === undefined ? {} : { name }),
      },
    );
  }

  /** Makes what was planned, with its record on disk first. A failure leaves nothing but perhaps the record, for {@link undo}. */
  async make(planned: WorktreeRecord): Promise<WorktreeRecord> {
    await this.save(planned);
    const made = await makeWorktree(this.#parts, planned);
    await this.save({ ...made, state: 'made' });
    return made;
  }

  /**
   * Takes back a worktree whose making was cut off or whose session was never told of. Files that a program has made in it meanwhile are
   * saved under its salvage ref. No error if there is none.
   */
  async undo(id: string): Promise<Removal> {
    const record = this.#records.get(id);
    if (record === undefined) return {};
    if ((await undoMake(this.#parts, record)) === 'kept') return this.remove(id, { salvage: true });
    await dropEmptyParent(this.#parts.directory, record.path);
    await this.forget(id);
    return {};
  }

  /** What the worktree holds that exists nowhere else. */
  inventory(record: WorktreeRecord): Promise<Inventory> {
    return takeInventory(this.#parts.git, record);
  }

  /**
   * Removes a worktree, its branch if that has no commits of its own, and its record. Rejects with `worktree_dirty` while it holds work,
   * unless that is to be salvaged first and can be. Can be asked again after any failure.
   */
  async remove(id: string, { salvage }: { readonly salvage: boolean }): Promise<Removal> {
    const record = this.#records.get(id);
    if (record === undefined) return {};
    const removal = await removeWorktree(this.#parts, record, { salvage, now: this.#parts.clock.now() });
    // The record goes last: after a crash the removal is asked for again, and tells again what was salvaged.
    if (removal.salvage !== undefined) await this.#parts.onSalvaged(record, removal.salvage);
    await this.forget(id);
    return removal;
  }

  /** Notes durably that the worktree is to go with its session, whoever gets to it; with undefined, that it is to stay. */
  async doom(id: string, how: 'clean' | 'salvage' | undefined): Promise<void> {
    const record = this.#records.get(id);
    if (record === undefined || record.doomed === how) return;
    const { doomed: _doomed, ...spared } = record;
    await this.save(how === undefined ? spared : { ...record, doomed: how });
  }

  /** Durable before it resolves. */
  async save(record: WorktreeRecord): Promise<void> {
    await this.#parts.records.save(record);
    this.#records.set(record.id, record);
  }

  /** The worktree is gone: so is what is known of it. */
  async forget(id: string): Promise<void> {
    await this.#parts.records.remove(id);
    this.#records.delete(id);
  }
}

/** The file that says that a worktree's set-up has succeeded. It is in git's own directory for the worktree, so it is no change in it. */
export function setupMark(record: WorktreeRecord): string | undefined {
  return record.admin_dir === undefined ? undefined : join(record.admin_dir, 'maestro-setup-done');
}

/** What was set up is so no longer: the next start of the session does it again. */
export async function clearSetupMark(record: WorktreeRecord): Promise<void> {
  const mark = setupMark(record);
  if (mark === undefined) return;
  await rm(mark, { force: true }).catch((error: unknown) => {
    throw storageFailed('delete', mark, error);
  });
}
