import { randomUUID } from 'node:crypto';
import {
  MaestroError,
  type RestoredSalvage,
  type RestoreSalvageRequest,
  type Salvage,
  type SalvageDetail,
  type WorktreeRequest,
} from '../../protocol/index.js';
import { type Clock, formatTime } from '../clock.js';
import type { Git } from '../git.js';
import type { Log } from '../log.js';
import { SALVAGE_RECORD_VERSION, type SalvageRecord } from '../salvage-record.js';
import type { RecordStore } from '../store/record-store.js';
import type { SavedSalvage } from '../worktree/salvage.js';
import { applySalvage } from '../worktree/salvage-apply.js';
import { dropSalvage, readSalvage } from '../worktree/salvage-read.js';
import type { WorktreeRecord } from '../worktree-record.js';
import { messageOf } from './record-keeper.js';
import { expandPath } from './working-directory.js';
import type { WorktreeKeeper } from './worktree-keeper.js';

interface SalvageKeeperParts {
  readonly git: Git;
  readonly records: RecordStore<SalvageRecord>;
  readonly worktrees: WorktreeKeeper;
  readonly home: string;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a salvage is kept, in milliseconds; 0 for until it is dropped. */
  readonly retentionMs: number;
}

/** What was saved of worktrees that were removed by force: how it is found, brought back, and let go. */
export class SalvageKeeper {
  readonly #parts: SalvageKeeperParts;
  readonly #records = new Map<string, SalvageRecord>();
  /** Those that are not on disk yet. */
  readonly #unnoted = new Set<SalvageRecord>();

  constructor(parts: SalvageKeeperParts) {
    this.#parts = parts;
  }

  /** Reads the records, before anything else is asked of this. Answers what is wrong with those that could not be used. */
  async load(): Promise<readonly string[]> {
    const { records, problems } = await this.#parts.records.load();
    for (const record of records) this.#records.set(record.id, record);
    return problems;
  }

  /**
   * Notes where a salvage is, durably if that can be had. It comes when the worktree is gone already, so that it fails nothing: what
   * cannot be written is known to this daemon and tried again by {@link retry}, and the ref is there all the same.
   */
  async keep(worktree: WorktreeRecord, saved: SavedSalvage): Promise<void> {
    const { id, base_repo, git_dir, name } = worktree;
    const { ref, commit, branch, files_total, bytes } = saved;
    const record: SalvageRecord = {
      version: SALVAGE_RECORD_VERSION,
      id,
      ref,
      commit,
      base_repo,
      git_dir,
      ...(branch === undefined ? {} : { branch }),
      ...(name === undefined ? {} : { name }),
      created_at: formatTime(this.#parts.clock.now()),
      files_total,
      bytes,
    };
    this.#records.set(id, record);
    await this.#note(record);
  }

  /** Writes what could not be written before. */
  async retry(): Promise<void> {
    await Promise.all([...this.#unnoted].map((record) => this.#note(record)));
  }

  async #note(record: SalvageRecord): Promise<void> {
    try {
      await this.#parts.records.save(record);
      this.#unnoted.delete(record);
    } catch (error) {
      if (this.#unnoted.has(record)) return;
      this.#unnoted.add(record);
      const { id, ref } = record;
      this.#parts.log.error({ session: id, ref, error: messageOf(error) }, 'a salvage could not be noted; its ref is in the repository');
    }
  }

  /** Newest first. */
  async list(): Promise<Salvage[]> {
    const newestFirst = [...this.#records.values()].sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
    return Promise.all(newestFirst.map(async (record) => this.#view(record, await this.#isMissing(record))));
  }

  async show(id: string): Promise<SalvageDetail> {
    const record = this.need(id);
    const content = await readSalvage(this.#parts.git, record);
    if (content === undefined) throw gone(record);
    return { ...this.#view(record, false), files: [...content.files], commits: [...content.commits] };
  }

  /** Rejects an id that no salvage has as `not_found`. */
  need(id: string): SalvageRecord {
    const record = this.#records.get(id);
    if (record !== undefined) return record;
    throw new MaestroError('not_found', `there is no salvage ${id}; \`maestro salvage ls\` lists those there are`, { details: { id } });
  }

  /**
   * Makes a worktree as it was when it was salvaged: on its branch where that still stands there, else on a new one. It belongs to no
   * session and is listed as left. The salvage stays.
   */
  async restore(id: string, { path }: RestoreSalvageRequest): Promise<RestoredSalvage> {
    const { git, worktrees, home } = this.#parts;
    const record = this.need(id);
    const content = await readSalvage(git, record);
    if (content === undefined) throw gone(record);
    const planned = await this.#plan(record, content.head);
    const made = await worktrees.make(path === undefined ? planned : { ...planned, path: expandPath(path, { home, field: 'path' }) });
    try {
      await applySalvage(git, made, content);
    } catch (error) {
      await worktrees.doom(made.id, 'salvage');
      await worktrees.undo(made.id);
      throw error;
    }
    const { branch, created_branch } = made;
    return { path: made.path, branch, created_branch };
  }

  /** Lets a salvage go for good. */
  async drop(id: string): Promise<void> {
    const record = this.need(id);
    await dropSalvage(this.#parts.git, record);
    await this.#parts.records.remove(id);
    this.#records.delete(id);
  }

  /** Drops what has been kept for longer than the retention. */
  async prune(): Promise<void> {
    const { retentionMs, clock } = this.#parts;
    if (retentionMs === 0) return;
    const now = clock.now();
    const old = [...this.#records.values()].filter(({ created_at }) => now - Date.parse(created_at) > retentionMs);
    for (const { id } of old) {
      await this.drop(id).catch((error: unknown) => {
        this.#parts.log.warn({ salvage: id, error: messageOf(error) }, 'a salvage that is over cannot be dropped yet');
      });
    }
  }

  /** On the branch itself if it stands where the salvage was taken and is free, or is gone; else on a new one with a name like it. */
  async #plan({ id: salvaged, base_repo, branch, name }: SalvageRecord, head: string): Promise<WorktreeRecord> {
    const id = randomUUID();
    const called = name === undefined ? {} : { name };
    const plan = (request: Omit<WorktreeRequest, 'base_repo'>): Promise<WorktreeRecord> =>
      this.#parts.worktrees.plan({ id, request: { base_repo, ...request }, ...called });
    if (branch !== undefined) {
      const same = await plan({ branch, create_branch: false }).catch(unlessRefused);
      if (same?.base_commit === head) return same;
      const again = await plan({ branch, base: head }).catch(unlessRefused);
      if (again !== undefined) return again;
    }
    const like = `salvage/${branch ?? 'detached'}`;
    return (
      (await plan({ branch: `${like}-${salvaged.slice(0, 8)}`, base: head }).catch(unlessRefused)) ??
      plan({ branch: `${like}-${id}`, base: head })
    );
  }

  async #isMissing({ git_dir, commit, ref }: SalvageRecord): Promise<boolean> {
    const answer = await this.#parts.git
      .attempt({ cwd: '/', gitDir: git_dir }, ['rev-parse', '--verify', '--quiet', '--end-of-options', ref])
      .catch(() => undefined);
    return answer?.stdout.toString().trim() !== commit;
  }

  #view({ id, ref, commit, base_repo, branch, name, created_at, files_total, bytes }: SalvageRecord, missing: boolean): Salvage {
    const { retentionMs } = this.#parts;
    return {
      id,
      ref,
      commit,
      base_repo,
      ...(branch === undefined ? {} : { branch }),
      ...(name === undefined ? {} : { name }),
      created_at,
      ...(retentionMs === 0 ? {} : { expires_at: formatTime(Date.parse(created_at) + retentionMs) }),
      files_total,
      bytes,
      ...(missing ? { missing } : {}),
    };
  }
}

/** A branch that cannot be had is no failure: there are others. */
function unlessRefused(error: unknown): undefined {
  if (error instanceof MaestroError && (error.code === 'branch_conflict' || error.code === 'invalid_request')) return undefined;
  throw error;
}

function gone({ id, ref, base_repo }: SalvageRecord): MaestroError {
  return new MaestroError('not_found', `the salvage ${id} is no longer there: ${base_repo} has no ${ref}`, {
    details: { id, ref, base_repo },
  });
}
