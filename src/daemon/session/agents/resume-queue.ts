import { MaestroError, type ResumeProgress, type Session } from '../../../protocol/index.js';
import type { Log } from '../../log.js';
import { messageOf } from '../record-keeper.js';
import type { SessionEntry } from '../session-entry.js';
import type { SessionRegistry } from '../session-registry.js';

interface ResumeQueueParts {
  readonly registry: SessionRegistry;
  readonly resume: (id: string) => Promise<Session>;
  /** Resolves once the resumed program has started, so that it no longer keeps a core busy; in bounded time. */
  readonly started: (id: string) => Promise<void>;
  /** How many programs may be starting at once. */
  readonly slots: number;
  readonly log: Log;
}

/**
 * Resumes many sessions at a pace that the host can bear, those first that somebody waits for: after a reboot fifty agents that start at
 * once would all be slow, and each would be judged by that.
 */
export class ResumeQueue {
  readonly #parts: ResumeQueueParts;
  #waiting: string[] = [];
  readonly #resuming = new Set<string>();
  #resumed: string[] = [];
  #failed: ResumeProgress['failed'] = [];
  #isClosed = false;
  #idle: (() => void)[] = [];

  constructor(parts: ResumeQueueParts) {
    this.#parts = parts;
  }

  get progress(): ResumeProgress {
    const waiting = [...this.#waiting];
    const resuming = [...this.#resuming];
    const resumed = [...this.#resumed];
    const failed = [...this.#failed];
    return { total: waiting.length + resuming.length + resumed.length + failed.length, waiting, resuming, resumed, failed };
  }

  /**
   * Adds the sessions of `ids`, or every dormant one, and answers how far all is. Sessions that are in the queue already stay where they
   * are. Rejects with `not_found` for an id that nobody has, and adds none.
   */
  add(ids?: readonly string[]): ResumeProgress {
    const { registry } = this.#parts;
    const entries = ids?.map((id) => registry.need(id)) ?? registry.entries().filter(isDormant);
    if (this.#waiting.length === 0 && this.#resuming.size === 0) this.#startAfresh();
    const isNew = ({ id }: SessionEntry): boolean => !this.#waiting.includes(id) && !this.#resuming.has(id);
    const known = this.#waiting.flatMap((id) => registry.find(id) ?? []);
    const added = [...new Set(entries)].filter(isNew);
    const again = new Set(added.map(({ id }) => id));
    this.#resumed = this.#resumed.filter((id) => !again.has(id));
    this.#failed = this.#failed.filter(({ id }) => !again.has(id));
    this.#waiting = [...known, ...added].sort(byUrgency).map(({ id }) => id);
    this.#announce();
    this.#fill();
    return this.progress;
  }

  /** Nothing more is begun. */
  close(): void {
    this.#isClosed = true;
    this.#waiting = [];
    this.#settle();
  }

  /** Resolves once nothing waits and nothing is being resumed. */
  idle(): Promise<void> {
    if (this.#waiting.length === 0 && this.#resuming.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #startAfresh(): void {
    this.#resumed = [];
    this.#failed = [];
  }

  #fill(): void {
    while (!this.#isClosed && this.#resuming.size < this.#parts.slots) {
      const id = this.#waiting.shift();
      if (id === undefined) break;
      this.#resuming.add(id);
      void this.#bringBack(id);
    }
    this.#settle();
  }

  async #bringBack(id: string): Promise<void> {
    const { resume, started, log } = this.#parts;
    try {
      await resume(id);
      await started(id);
      this.#resumed.push(id);
    } catch (error) {
      const { code, message } = error instanceof MaestroError ? error : { code: 'internal', message: messageOf(error) };
      // It came back, or was killed, by another hand while it waited.
      if (code === 'already_running') this.#resumed.push(id);
      else this.#failed.push({ id, code, message });
      if (code !== 'already_running') log.warn({ session: id, error: message }, 'a session was not resumed');
    }
    this.#resuming.delete(id);
    this.#announce();
    this.#fill();
  }

  #announce(): void {
    this.#parts.registry.announce({ type: 'resumes', progress: this.progress });
  }

  #settle(): void {
    if (this.#waiting.length > 0 || this.#resuming.size > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}

function isDormant({ record, phase }: SessionEntry): boolean {
  return record.status === 'dormant' && phase.kind === 'resting';
}

/** Those that wait for the user, then those that were looked at last, then those that did something last. */
function byUrgency(a: SessionEntry, b: SessionEntry): number {
  const waits = Number(b.record.was_waiting ?? false) - Number(a.record.was_waiting ?? false);
  if (waits !== 0) return waits;
  const at = ({ record }: SessionEntry): string => record.seen_at ?? record.updated_at;
  return at(a) < at(b) ? 1 : at(a) > at(b) ? -1 : 0;
}
