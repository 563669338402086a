import { QueryClient } from '@tanstack/react-query';
import { fetchTransport, MaestroClient, SessionFeed, UnreachableError } from '../../client/index.js';
import { onComeback } from '../parts/comeback.js';
import { SeenSessions } from '../session/seen-sessions.js';
import { TerminalRoom } from '../terminal/terminal-room.js';
import { Toasts } from './toasts.js';
import { watchedTransport } from './watched-transport.js';

/** All that one login of this page holds; it ends with the login. */
export class Connection {
  readonly client: MaestroClient;
  readonly feed: SessionFeed;
  readonly queries: QueryClient;
  readonly seen: SeenSessions;
  readonly toasts = new Toasts();
  readonly room = new TerminalRoom();
  /** Sessions that this page has made. */
  readonly madeHere = new Set<string>();
  readonly #closed = new AbortController();

  constructor(secret: string, onUnauthorized: () => void) {
    const client = new MaestroClient(watchedTransport(fetchTransport({ secret }), onUnauthorized));
    this.client = client;
    this.feed = new SessionFeed({ events: (signal) => client.events({ signal }) });
    this.seen = new SeenSessions(this.#closed.signal);
    this.queries = new QueryClient({
      defaultOptions: {
        // A daemon on this machine answers also when the browser thinks that it is offline.
        queries: { networkMode: 'always', staleTime: 30_000, retry: (count, error) => error instanceof UnreachableError && count < 3 },
        mutations: { networkMode: 'always', retry: false },
      },
    });
    onComeback(() => this.feed.nudge(), this.#closed.signal);
  }

  close(): void {
    this.#closed.abort();
    this.feed.close();
    this.queries.clear();
  }
}
