import { MaestroError, type Session, type SessionEvent } from '../../protocol/index.js';
import type { SessionEntry } from './session-entry.js';

type Listener = (event: SessionEvent) => void;

/** A part of the daemon that goes along with its sessions. Its methods must not throw and must not block. */
export interface Follower {
  changed(id: string): void;
  removed(id: string): void;
  /** The first listener has come, or the last one has gone. */
  audience(present: boolean): void;
}

/** The sessions of this daemon. One that is being created or removed is known here, and to clients does not exist. */
export class SessionRegistry {
  readonly #entries = new Map<string, SessionEntry>();
  readonly #listeners = new Set<Listener>();
  readonly #followers = new Set<Follower>();

  add(entry: SessionEntry): void {
    this.#entries.set(entry.id, entry);
  }

  /** Any entry, also one that clients do not see. */
  find(id: string): SessionEntry | undefined {
    return this.#entries.get(id);
  }

  /** The entry that a client means. Rejects an unknown id, and one that is being removed, as `not_found`. */
  need(id: string): SessionEntry {
    const entry = this.#entries.get(id);
    if (entry === undefined || !isVisible(entry)) throw notFound(id);
    return entry;
  }

  remove(id: string): void {
    const entry = this.#entries.get(id);
    if (!this.#entries.delete(id)) return;
    for (const follower of this.#followers) follower.removed(id);
    if (entry?.phase.kind === 'creating') return;
    this.#emit({ type: 'removed', id });
  }

  /** Tells everybody how the session is now. */
  publish(entry: SessionEntry): void {
    if (!isVisible(entry)) return;
    for (const follower of this.#followers) follower.changed(entry.id);
    this.#emit({ type: 'session', session: entry.view() });
  }

  /** Tells everybody of what is no change of a session itself. */
  announce(event: SessionEvent): void {
    this.#emit(event);
  }

  entries(): SessionEntry[] {
    return [...this.#entries.values()];
  }

  /** In the order of their creation. */
  list(): Session[] {
    return this.entries()
      .filter(isVisible)
      .map((entry) => entry.view())
      .sort((a, b) => (a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : a.id < b.id ? -1 : 1));
  }

  /** Calls `listener` on every change until `signal` aborts. It must not throw and must not block. */
  subscribe(listener: Listener, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#tellAudience(true);
    const leave = () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#tellAudience(false);
    };
    signal.addEventListener('abort', leave, { once: true });
  }

  follow(follower: Follower): void {
    this.#followers.add(follower);
    if (this.#listeners.size > 0) follower.audience(true);
  }

  #tellAudience(present: boolean): void {
    for (const follower of this.#followers) follower.audience(present);
  }

  #emit(event: SessionEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

function isVisible(entry: SessionEntry): boolean {
  return entry.phase.kind !== 'creating' && entry.phase.kind !== 'removing';
}

export function notFound(id: string): MaestroError {
  return new MaestroError('not_found', `there is no session ${id}; \`maestro ls\` lists those there are`, { details: { id } });
}
