import type { FeedSnapshot } from '../../client/index.js';
import type { Session } from '../../protocol/index.js';
import { type Occasion, type OccasionKind, occasionOf } from './occasion.js';

export interface AttentionParts {
  /** All sessions, and whether they are up to date. */
  readonly feed: { readonly snapshot: FeedSnapshot; subscribe(listener: () => void): () => void };
  /** The host's clock, in milliseconds since 1970. */
  readonly hostNow: () => number;
  /** The same, but asked for now: clocks are put right, here and there. */
  readonly askHostNow: () => Promise<number>;
  readonly wants: (kind: OccasionKind) => boolean;
  /** The user has looked at the session since then. */
  readonly isSeen: (id: string, since: number) => boolean;
  /** Some page that the user can see shows the session. */
  readonly isInView: (id: string) => Promise<boolean>;
  /** True for the first of all pages that asks about this key of the session. */
  readonly claim: (id: string, key: string) => Promise<boolean>;
  readonly tell: (occasion: Occasion) => void;
  /** The session still has the occasion, and something else of it has changed. */
  readonly change: (occasion: Occasion) => void;
  /** The page has come to know the sessions: these alone have an occasion. */
  readonly keepOnly: (ids: ReadonlySet<string>) => void;
  /** What was told of the session is no longer so. */
  readonly retract: (id: string) => void;
}

/** How long something must be so before it is told, in milliseconds: what is answered at once, by a rule of the agent, is no news. */
export const SETTLE_MS = 600;
/** Older changes are not told, in milliseconds: a page that slept, or was cut off, does not come back with yesterday's news. */
export const FRESH_MS = 60_000;

/**
 * Finds out what the user is to be told of: that a session begins to wait, or is done. Once for each change, not for what was so when the
 * page came to know the sessions, and not for a session that is looked at.
 */
export class AttentionWatch {
  readonly #parts: AttentionParts;
  readonly #sessions = new Map<string, Session>();
  readonly #keys = new Map<string, string | undefined>();
  readonly #settling = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #unsubscribe: () => void;
  #asking: Promise<number> | undefined;
  #knows = false;
  #wasCut = false;

  constructor(parts: AttentionParts) {
    this.#parts = parts;
    this.#unsubscribe = parts.feed.subscribe(() => this.#look());
    this.#look();
  }

  close(): void {
    this.#unsubscribe();
    for (const id of [...this.#sessions.keys()]) this.#forget(id);
  }

  #look(): void {
    const { state, sessions } = this.#parts.feed.snapshot;
    if (state === 'live') {
      this.#compare(sessions);
      if (!this.#knows) this.#parts.keepOnly(new Set(sessions.filter((session) => occasionOf(session)).map(({ id }) => id)));
      this.#knows = true;
    }
    this.#wasCut = state !== 'live';
  }

  #compare(sessions: readonly Session[]): void {
    const ids = new Set(sessions.map(({ id }) => id));
    for (const id of [...this.#sessions.keys()]) if (!ids.has(id)) this.#forget(id);
    for (const session of sessions) if (this.#sessions.get(session.id) !== session) this.#take(session);
  }

  #take(session: Session): void {
    const { id } = session;
    const occasion = occasionOf(session);
    const key = occasion?.key;
    const isChange = this.#keys.get(id) !== key;
    this.#sessions.set(id, session);
    this.#keys.set(id, key);
    if (!isChange) {
      if (occasion !== undefined && this.#knows) this.#parts.change(occasion);
      return;
    }
    if (!this.#knows) return; // what was told before may still be so
    this.#withdraw(id);
    if (key === undefined) return;
    const changedAt = this.#changedAt(session);
    const isFresh = isFreshAt(this.#parts.hostNow(), changedAt) || this.#askIfFresh(changedAt);
    this.#settling.set(
      id,
      setTimeout(async () => (await isFresh) && this.#settled(id, key), SETTLE_MS),
    );
  }

  /** A change that is heard of as it happens is as old as the record of it; one that was found after a cut, as old as what it led to. */
  #changedAt({ updated_at, activity }: Session): number {
    return Date.parse(this.#wasCut ? (activity?.since ?? updated_at) : updated_at);
  }

  /** What seems old is, unless a clock was put right meanwhile. One question for all that change at once. */
  async #askIfFresh(changedAt: number): Promise<boolean> {
    this.#asking ??= this.#parts.askHostNow().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking.then((now) => isFreshAt(now, changedAt)).catch(() => false);
  }

  async #settled(id: string, key: string): Promise<void> {
    if (this.#keys.get(id) !== key) return;
    this.#settling.delete(id);
    const { wants, isInView, claim, tell } = this.#parts;
    const occasion = this.#occasion(id, key);
    if (occasion === undefined || !wants(occasion.kind) || this.#isSeen(occasion) || (await isInView(id))) return;
    if (!(await claim(id, key))) return;
    const still = this.#occasion(id, key);
    if (still !== undefined) tell(still);
  }

  /** What waits goes on waiting after a look. */
  #isSeen({ session: { id, activity }, kind }: Occasion): boolean {
    return kind !== 'waiting' && activity !== undefined && this.#parts.isSeen(id, Date.parse(activity.since));
  }

  /** The session's, unless it has gone on meanwhile. */
  #occasion(id: string, key: string): Occasion | undefined {
    const session = this.#sessions.get(id);
    const occasion = session && occasionOf(session);
    return occasion?.key === key ? occasion : undefined;
  }

  #forget(id: string): void {
    this.#sessions.delete(id);
    this.#keys.delete(id);
    this.#withdraw(id);
  }

  #withdraw(id: string): void {
    clearTimeout(this.#settling.get(id));
    this.#settling.delete(id);
    this.#parts.retract(id);
  }
}

function isFreshAt(now: number, changedAt: number): boolean {
  return now - changedAt <= FRESH_MS;
}
