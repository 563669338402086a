import { QueryClient } from '@tanstack/react-query';
import { fetchTransport, MaestroClient, SessionFeed, type SessionFeedOptions, UnreachableError } from '../../client/index.js';
import { HostClock } from '../attention/host-clock.js';
import { onComeback } from '../parts/comeback.js';
import { SeenSessions } from '../session/seen-sessions.js';
import { ReplayCache } from '../terminal/replay-cache.js';
import { TerminalRoom } from '../terminal/terminal-room.js';
import { type Note, type NoteChannel, sharedEvents } from './shared-events.js';
import { Toasts } from './toasts.js';
import { watchedTransport } from './watched-transport.js';

/** All that one login of this page holds; it ends with the login. */
export class Connection {
  readonly client: MaestroClient;
  readonly feed: SessionFeed;
  readonly queries: QueryClient;
  readonly seen: SeenSessions;
  readonly hostClock = new HostClock();
  readonly toasts = new Toasts();
  readonly room = new TerminalRoom();
  readonly replays = new ReplayCache();
  /** Sessions that this page has made. */
  readonly madeHere = new Set<string>();
  readonly #closed = new AbortController();

  constructor(secret: string, onUnauthorized: () => void) {
    const onDate = (date: string) => this.hostClock.learn(date);
    const client = new MaestroClient(watchedTransport(fetchTransport({ secret }), { onUnauthorized, onDate }));
    this.client = client;
    this.feed = new SessionFeed({ events: eventsOf(client) });
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
    this.replays.clear();
  }
}

const EVENTS = 'maestro.events';

/** Shared among this browser's pages where it lets them take turns, which it does for pages of trustworthy addresses only. */
function eventsOf(client: MaestroClient): SessionFeedOptions['events'] {
  const source = (signal: AbortSignal) => client.events({ signal });
  const locks = 'locks' in navigator ? navigator.locks : undefined;
  if (locks === undefined || !('BroadcastChannel' in window)) return source;
  const openChannel = (onNote: (note: Note) => void): NoteChannel => {
    const channel = new BroadcastChannel(EVENTS);
    channel.onmessage = ({ data }: MessageEvent<Note>) => onNote(data);
    return { post: (note) => channel.postMessage(note), close: () => channel.close() };
  };
  const takeTurn = (lead: () => Promise<void>, signal: AbortSignal) => locks.request(EVENTS, { signal }, lead);
  return (signal) => sharedEvents({ source, openChannel, takeTurn }, signal);
}
