import { MaestroError, type ResumeProgress, type Session, type SessionEvent } from '../protocol/index.js';
import { Backoff } from './backoff.js';

/** Whether what a {@link SessionFeed} knows is up to date. `ended`: closed, or the daemon no longer knows who asks. */
export type FeedState = 'connecting' | 'live' | 'cut_off' | 'ended';

export interface FeedSnapshot {
  readonly state: FeedState;
  /** In no particular order. Empty until the first connection; the last known ones while cut off. */
  readonly sessions: readonly Session[];
  /** How far a resume of several sessions has come, as far as this connection has heard of it. */
  readonly resumes?: ResumeProgress | undefined;
}

export interface SessionFeedOptions {
  /** One connection: a snapshot, then every change. */
  readonly events: (signal: AbortSignal) => AsyncIterable<SessionEvent>;
  readonly backoff?: Backoff;
}

/**
 * All sessions of a daemon, kept up to date over as many connections as it takes. Each connection begins with a snapshot, so nothing
 * that changed while cut off is missed.
 */
export class SessionFeed {
  readonly #events: SessionFeedOptions['events'];
  readonly #backoff: Backoff;
  readonly #closed = new AbortController();
  readonly #listeners = new Set<() => void>();
  #sessions = new Map<string, Session>();
  /** Killed ones: an answer that was under way must not bring one back. */
  readonly #removed = new Set<string>();
  #resumes: ResumeProgress | undefined;
  #snapshot: FeedSnapshot = { state: 'connecting', sessions: [] };
  #wake: (() => void) | undefined;
  /** When this connection brought its snapshot; undefined until it has. */
  #liveSince: number | undefined;

  constructor({ events, backoff = new Backoff() }: SessionFeedOptions) {
    this.#events = events;
    this.#backoff = backoff;
    void this.#run();
  }

  /** The same object until something changes. */
  get snapshot(): FeedSnapshot {
    return this.#snapshot;
  }

  /** Calls `listener` after every change, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes over a session that an answer of the API brought, unless a newer state of it is known. */
  put(session: Session): void {
    const known = this.#sessions.get(session.id);
    if (this.#removed.has(session.id) || (known !== undefined && known.updated_at > session.updated_at)) return;
    this.#sessions.set(session.id, session);
    this.#publish();
  }

  /** Takes note that a session was killed. */
  remove(id: string): void {
    this.#removed.add(id);
    if (this.#sessions.delete(id)) this.#publish();
  }

  /** Something has changed, such as the network or the page's visibility: tries at once instead of waiting. */
  nudge(): void {
    this.#wake?.();
  }

  close(): void {
    this.#closed.abort();
    this.#wake?.();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      try {
        for await (const event of this.#events(signal)) this.#receive(event);
      } catch (error) {
        if (error instanceof MaestroError && error.code === 'unauthorized') break;
      }
      if (signal.aborted) break;
      if (this.#liveSince !== undefined) this.#backoff.held(Date.now() - this.#liveSince);
      this.#liveSince = undefined;
      this.#publish('cut_off');
      await this.#pause(this.#backoff.next());
    }
    this.#publish('ended');
  }

  #receive(event: SessionEvent): void {
    if (event.type === 'snapshot') {
      this.#sessions = new Map(event.sessions.map((session) => [session.id, session]));
      this.#removed.clear();
      this.#resumes = undefined; // a daemon that began anew knows of none
      this.#liveSince = Date.now();
    } else if (event.type === 'session') this.#sessions.set(event.session.id, event.session);
    else if (event.type === 'removed') {
      this.#sessions.delete(event.id);
      this.#removed.add(event.id);
    } else if (event.type === 'resumes') this.#resumes = event.progress;
    else return; // a transition's outcome comes as a session of its own
    this.#publish('live');
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #publish(state = this.#snapshot.state): void {
    this.#snapshot = { state, sessions: [...this.#sessions.values()], ...(this.#resumes === undefined ? {} : { resumes: this.#resumes }) };
    for (const listener of this.#listeners) listener();
  }
}
