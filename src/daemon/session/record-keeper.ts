import { MaestroError } from '../../protocol/index.js';
import type { Log } from '../log.js';
import type { Panes } from '../panes/panes.js';
import type { Sidecar } from '../store/sidecar.js';
import type { SidecarStore } from '../store/sidecar-store.js';
import type { SessionEntry } from './session-entry.js';
import { labelOf } from './session-view.js';

type Transition = (record: Sidecar) => Sidecar;

interface AskedChange {
  readonly before: Sidecar;
  readonly after: Sidecar;
  readonly write: () => Promise<unknown>;
}

interface RecordKeeperParts {
  readonly sidecars: SidecarStore;
  readonly panes: Panes;
  readonly log: Log;
}

/** Brings changes of a session's record to disk: before anybody is told of what was asked for, and again and again for what was seen. */
export class RecordKeeper {
  readonly #sidecars: SidecarStore;
  readonly #panes: Panes;
  readonly #log: Log;

  constructor(parts: RecordKeeperParts) {
    this.#sidecars = parts.sidecars;
    this.#panes = parts.panes;
    this.#log = parts.log;
  }

  /**
   * Makes a change that somebody asked for. Resolves once it is durable. When it cannot be written the record is as before, unless it
   * has been changed since, and `storage_failed` is thrown.
   */
  async commit(entry: SessionEntry, transition: Transition): Promise<void> {
    requireWritable(entry);
    const before = entry.record;
    entry.change(transition);
    const after = entry.record;
    if (after !== before) await this.#written(entry, { before, after, write: () => this.#sidecars.save(after) });
  }

  /**
   * Makes a change that holds once `work` has succeeded, which would otherwise wait for the disk twice: what is to be written is made
   * durable beside the record while `work` is done. Both have ended when this settles. Rejects like `work`, or like {@link commit}; the
   * record is then as it was.
   */
  async commitAfter<T>(entry: SessionEntry, transition: Transition, work: () => Promise<T>): Promise<T> {
    requireWritable(entry);
    const before = entry.record;
    const after = transition(before);
    const [preparing, working] = await Promise.allSettled([this.#sidecars.prepare(after), work()]);
    try {
      if (working.status === 'rejected') throw working.reason;
      if (preparing.status === 'rejected') throw preparing.reason;
      // What was reported meanwhile is in the record by now, and not in what was prepared.
      if (entry.record === before) {
        entry.change(() => after);
        await this.#written(entry, { before, after, write: () => preparing.value.save() });
      } else await this.commit(entry, transition);
      return working.value;
    } finally {
      if (preparing.status === 'fulfilled') await preparing.value.drop();
    }
  }

  /** Notes what was seen. It holds whether or not it can be written; {@link retry} tries again. */
  async observe(entry: SessionEntry, transition: Transition): Promise<void> {
    entry.change(transition);
    await this.#write(entry);
  }

  /** Writes what could not be written before. */
  async retry(entries: readonly SessionEntry[]): Promise<void> {
    await Promise.all(entries.filter((entry) => entry.unsaved).map((entry) => this.#write(entry)));
  }

  /** Brings the copy of the record that rides with the pane up to date. A pane that cannot be reached keeps the older one. */
  async mirror(entry: SessionEntry): Promise<void> {
    const { live } = entry;
    if (!live) return;
    await this.#panes.setRecord(live.pane, JSON.stringify(entry.record)).catch((error: unknown) => {
      this.#log.debug({ session: entry.id, error: messageOf(error) }, 'the record kept with the pane is not up to date');
    });
  }

  /** Takes a change back that cannot be written. */
  async #written(entry: SessionEntry, { before, after, write }: AskedChange): Promise<void> {
    try {
      await write();
      entry.unsaved = false;
    } catch (error) {
      if (entry.record === after) entry.change(() => before);
      // The file may hold the change all the same, if only its last step failed.
      entry.unsaved = true;
      throw error;
    }
  }

  async #write(entry: SessionEntry): Promise<void> {
    if (entry.readOnly) return;
    const { record } = entry;
    try {
      await this.#sidecars.save(record);
      if (entry.record === record) entry.unsaved = false;
    } catch (error) {
      if (!entry.unsaved)
        this.#log.error({ session: entry.id, error: messageOf(error) }, 'a session record cannot be written; trying again');
      entry.unsaved = true;
    }
  }
}

/** Rejects a change of a session that a newer Maestro wrote. */
export function requireWritable(entry: SessionEntry): void {
  if (!entry.readOnly) return;
  throw new MaestroError(
    'forbidden',
    `${labelOf(entry.record)} was written by a newer Maestro and is shown only; upgrade this one to change it`,
    {
      details: { id: entry.id, version: entry.record.version },
    },
  );
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
