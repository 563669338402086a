import type { Notice } from './occasion.js';

/** Whether the browser shows notices of this page; `ask` where the user has not said yet. */
export type Leave = 'granted' | 'denied' | 'ask' | 'insecure' | 'unsupported';

export function noticeLeave(): Leave {
  if (!window.isSecureContext) return 'insecure';
  if (!('Notification' in window)) return 'unsupported';
  return Notification.permission === 'default' ? 'ask' : Notification.permission;
}

/** Asks the user, which browsers allow in answer to a click only. Shows `sample`, as some have the interface and no notices of pages. */
export async function askLeave(sample: Notice): Promise<Leave> {
  if (noticeLeave() === 'ask') await Notification.requestPermission();
  const leave = noticeLeave();
  if (leave !== 'granted') return leave;
  return makeNotice(sample, 'maestro') === undefined ? 'unsupported' : 'granted';
}

/** Notices of the browser, one for each session at most. */
export class DesktopNotices {
  readonly #shown = new Map<string, Notification>();

  show(id: string, notice: Notice, onOpen: () => void): void {
    this.close(id);
    const made = noticeLeave() === 'granted' ? makeNotice(notice, id) : undefined;
    if (made === undefined) return;
    this.#shown.set(id, made);
    made.onclick = () => {
      window.focus();
      made.close();
      onOpen();
    };
    made.onclose = () => this.#shown.get(id) === made && this.#shown.delete(id);
  }

  close(id: string): void {
    this.#shown.get(id)?.close();
    this.#shown.delete(id);
  }
}

/** `tag`: a notice replaces the one of the same tag. Without the system's sound, as the page has one of its own. */
function makeNotice({ title, body }: Notice, tag: string): Notification | undefined {
  try {
    return new Notification(title, { body, tag, icon: '/icon-192.png', silent: true });
  } catch {
    return undefined; // on phones: there only a service worker may show one
  }
}
