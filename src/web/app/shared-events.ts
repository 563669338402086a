import { UnreachableError } from '../../client/index.js';
import type { Session, SessionEvent } from '../../protocol/index.js';
import { EventQueue } from './event-queue.js';

/** What pages of one browser tell each other. */
export type Note = { readonly kind: 'hello' } | { readonly kind: 'event'; readonly event: SessionEvent } | { readonly kind: 'cut' };

/** Reaches all other pages. */
export interface NoteChannel {
  post(note: Note): void;
  close(): void;
}

export interface SharedEventsOptions {
  /** One connection to the daemon. */
  readonly source: (signal: AbortSignal) => AsyncIterable<SessionEvent>;
  readonly openChannel: (onNote: (note: Note) => void) => NoteChannel;
  /** Runs `lead` when no other page does, and until it has ended. Does nothing once `signal` has aborted. */
  readonly takeTurn: (lead: () => Promise<void>, signal: AbortSignal) => Promise<unknown>;
}

/** How long a page waits for one that leads, in milliseconds, before it makes a connection of its own. */
const PATIENCE_MS = 3000;

/**
 * The daemon's events over one connection for all pages of a browser, which has few connections to give: one page leads and passes on
 * what it hears. When it is closed, another takes its turn.
 */
export async function* sharedEvents(options: SharedEventsOptions, signal: AbortSignal): AsyncGenerator<SessionEvent> {
  const follower = new Follower(options);
  const stop = () => follower.close();
  signal.addEventListener('abort', stop);
  try {
    yield* follower.events;
  } finally {
    signal.removeEventListener('abort', stop);
    follower.close();
  }
}

class Follower {
  readonly events = new EventQueue<SessionEvent>();
  readonly #options: SharedEventsOptions;
  readonly #channel: NoteChannel;
  readonly #gone = new AbortController();
  readonly #sessions = new Map<string, Session>();
  readonly #patience: ReturnType<typeof setTimeout>;
  #listening: Promise<void> | undefined;
  #leads = false;
  #knows = false;

  constructor(options: SharedEventsOptions) {
    this.#options = options;
    this.#channel = options.openChannel((note) => this.#hear(note));
    this.#patience = setTimeout(() => void this.#listen(), PATIENCE_MS);
    this.#channel.post({ kind: 'hello' });
    options.takeTurn(() => this.#lead(), this.#gone.signal).catch(() => {}); // only an aborted wait ends so
  }

  close(): void {
    clearTimeout(this.#patience);
    this.#gone.abort();
    this.#channel.close();
    this.events.end();
  }

  #hear(note: Note): void {
    if (this.#leads) {
      if (note.kind === 'hello' && this.#knows) this.#channel.post({ kind: 'event', event: this.#snapshot() });
    } else if (note.kind === 'event') this.#take(note.event);
    else if (note.kind === 'cut') this.events.fail(new UnreachableError('broken', 'the page that leads was cut off'));
  }

  async #lead(): Promise<void> {
    if (this.#gone.signal.aborted) return;
    this.#leads = true;
    await this.#listen();
    if (!this.#gone.signal.aborted) this.#channel.post({ kind: 'cut' });
    this.#leads = false;
  }

  #listen(): Promise<void> {
    this.#listening ??= this.#connect();
    return this.#listening;
  }

  async #connect(): Promise<void> {
    clearTimeout(this.#patience);
    try {
      for await (const event of this.#options.source(this.#gone.signal)) {
        this.#take(event);
        if (this.#leads) this.#channel.post({ kind: 'event', event });
      }
      this.events.fail(new UnreachableError('broken', 'the daemon went away'));
    } catch (error) {
      this.events.fail(error);
    }
  }

  /** Changes mean nothing before the snapshot that they change. */
  #take(event: SessionEvent): void {
    if (event.type === 'snapshot') {
      this.#knows = true;
      clearTimeout(this.#patience);
      this.#sessions.clear();
      for (const session of event.sessions) this.#sessions.set(session.id, session);
    } else if (!this.#knows) return;
    else if (event.type === 'session') this.#sessions.set(event.session.id, event.session);
    else if (event.type === 'removed') this.#sessions.delete(event.id);
    this.events.push(event);
  }

  #snapshot(): SessionEvent {
    return { type: 'snapshot', sessions: [...this.#sessions.values()] };
  }
}
