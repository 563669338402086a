import { SessionIdSchema } from '../../protocol/index.js';
import type { Connection } from '../app/connection.js';
import { openSession } from '../app/open-session.js';
import type { Preferences } from '../settings/preferences.js';
import { AttentionWatch } from './attention-watch.js';
import { Chimes } from './chimes.js';
import { DesktopNotices } from './desktop-notices.js';
import { noticeOf, type Occasion } from './occasion.js';
import { SessionsInView } from './sessions-in-view.js';
import { ToldOnce } from './told-once.js';

/** Tells the user, in the ways that they chose, of sessions that are not before their eyes, until `signal` aborts. */
export class Attention {
  readonly #preferences: Preferences;
  readonly #notices: DesktopNotices;
  readonly #chimes = new Chimes();
  readonly #inView: SessionsInView;

  constructor({ feed, seen, hostClock, client }: Connection, preferences: Preferences, signal: AbortSignal) {
    const told = new ToldOnce(signal);
    this.#preferences = preferences;
    this.#notices = new DesktopNotices(openKnown, signal);
    this.#inView = new SessionsInView(signal);
    document.addEventListener('visibilitychange', () => this.#closeSeen(), { signal });
    const watch = new AttentionWatch({
      feed,
      hostNow: () => hostClock.now(),
      askHostNow: () => client.host().then(() => hostClock.now()),
      wants: (kind) => wants(preferences, kind),
      isSeen: (id, since) => (seen.value.get(id) ?? 0) >= since,
      isInView: (id) => this.#inView.has(id),
      claim: (id, key) => told.claim(id, key),
      tell: (occasion) => this.#tell(occasion),
      change: (occasion) => this.#notices.reword(occasion.session.id, noticeOf(occasion)),
      retract: (id) => this.#notices.close(id),
      keepOnly: (ids) => this.#notices.closeOthers(ids),
    });
    signal.addEventListener('abort', () => watch.close());
  }

  /** This page shows these sessions. */
  show(ids: readonly string[]): void {
    this.#inView.show(ids);
    this.#closeSeen();
  }

  #tell(occasion: Occasion): void {
    const { id } = occasion.session;
    if (this.#preferences.notifications.value) this.#notices.show(id, noticeOf(occasion));
    if (this.#preferences.sound.value) this.#chimes.sound(occasion.kind);
  }

  #closeSeen(): void {
    for (const id of this.#inView.here()) this.#notices.close(id);
  }
}

/** What came by a message is taken as an id only if it is one. */
function openKnown(id: string): void {
  if (SessionIdSchema.safeParse(id).success) openSession(id);
}

function wants({ quiet, notifications, sound, tellWaiting, tellDone }: Preferences, kind: Occasion['kind']): boolean {
  const isTold = kind === 'waiting' ? tellWaiting.value : tellDone.value;
  return isTold && !quiet.value && (notifications.value || sound.value);
}
