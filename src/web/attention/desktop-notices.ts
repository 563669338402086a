import { knownWorker, noticeWorker, onNoticeClick } from './notice-worker.js';
import type { Notice } from './occasion.js';

/** Whether the browser shows notices of this page; `ask` where the user has not said yet. */
export type Leave = 'granted' | 'denied' | 'ask' | 'insecure' | 'unsupported';

export function noticeLeave(): Leave {
  if (!window.isSecureContext) return 'insecure';
  if (!('Notification' in window)) return 'unsupported';
  return Notification.permission === 'default' ? 'ask' : Notification.permission;
}

/** Calls back when the user has said otherwise, which they can in the browser at any time. */
export function followLeave(onChange: () => void, signal: AbortSignal): void {
  navigator.permissions?.query({ name: 'notifications' }).then(
    (status) => status.addEventListener('change', onChange, { signal }),
    () => undefined, // a browser that does not tell
  );
}

/** The tag of the sample, and of nothing that is told. */
const SAMPLE = 'maestro';

/** Asks the user, which browsers allow in answer to a click only. Shows `sample`, as some have the interface and no notices of pages. */
export async function askLeave(sample: Notice): Promise<Leave> {
  if (noticeLeave() === 'ask') await Notification.requestPermission();
  const leave = noticeLeave();
  if (leave !== 'granted') return leave;
  return (await showNotice(sample, SAMPLE)) === undefined ? 'unsupported' : 'granted';
}

/** No notice of this browser is shown any more, and nothing is left that could show one. */
export async function takeDown(): Promise<void> {
  const worker = await knownWorker();
  for (const shown of (await worker?.getNotifications()) ?? []) shown.close();
  await worker?.unregister();
}

/**
 * Notices of the browser, one for each session at most, whichever page shows it. Those that a worker shows stay when the page is closed, and
 * every page can take them back.
 */
export class DesktopNotices {
  readonly #onOpen: (id: string) => void;
  /** Those that this page shows itself. */
  readonly #own = new Map<string, Notification>();
  /** One step at a time: what is taken back at once must not be shown after all. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(onOpen: (id: string) => void, signal: AbortSignal) {
    this.#onOpen = onOpen;
    onNoticeClick(onOpen, signal);
  }

  show(id: string, notice: Notice): void {
    this.#then(async () => {
      if (noticeLeave() !== 'granted') return;
      const made = await showNotice(notice, id);
      if (made instanceof Notification) this.#keep(id, made);
    });
  }

  /** Says it in other words, unless the user has put it away. */
  reword(id: string, notice: Notice): void {
    this.#then(async () => {
      const [shown = this.#own.get(id)] = await shownBy(id);
      if (shown !== undefined && (shown.title !== notice.title || shown.body !== notice.body)) this.show(id, notice);
    });
  }

  close(id: string): void {
    this.#then(async () => {
      this.#own.get(id)?.close();
      for (const shown of await shownBy(id)) shown.close();
    });
  }

  /** Takes back those of other sessions, such as of a page that was closed since. */
  closeOthers(ids: ReadonlySet<string>): void {
    this.#then(async () => {
      for (const shown of await shownBy()) if (shown.tag !== SAMPLE && !ids.has(shown.tag)) shown.close();
    });
  }

  #keep(id: string, made: Notification): void {
    this.#own.set(id, made);
    made.onclick = () => {
      window.focus();
      made.close();
      this.#onOpen(id);
    };
    made.onclose = () => this.#own.get(id) === made && this.#own.delete(id);
  }

  #then(step: () => Promise<void>): void {
    this.#last = this.#last.then(step).catch(() => undefined); // the browser has lost its leave, or its worker
  }
}

async function shownBy(tag?: string): Promise<Notification[]> {
  return (await (await knownWorker())?.getNotifications(tag === undefined ? {} : { tag })) ?? [];
}

/** Chromium that has just started forgets some of what it shows, so that nobody could take it back. The user sees one, as it replaces itself. */
const TRIES = 3;

/** `tag`: a notice replaces the one of the same tag. Without the system's sound, as the page has one of its own. */
async function showNotice({ title, body }: Notice, tag: string): Promise<Notification | 'worker' | undefined> {
  const options = { body, tag, icon: '/icon-192.png', silent: true };
  try {
    const worker = await noticeWorker();
    if (worker === undefined) return new Notification(title, options);
    for (let tries = 0; tries < TRIES; tries += 1) {
      await worker.showNotification(title, options);
      if ((await worker.getNotifications({ tag })).length > 0) break;
    }
    return 'worker';
  } catch {
    return undefined; // a phone without a worker, or leave that was taken back
  }
}
