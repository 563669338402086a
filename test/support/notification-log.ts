import type { BrowserContext, Page } from 'playwright-core';

/** A notification that a page has made. */
export interface MadeNotification {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly isClosed: boolean;
}

interface LogOptions {
  /** What the browser says before the user is asked; what it really says when left out. */
  readonly permission?: NotificationPermission;
}

/** Puts a record in the place of the browser's notifications, in each page that the profile opens from now on. */
export async function recordNotifications(profile: BrowserContext, { permission }: LogOptions = {}): Promise<void> {
  await profile.addInitScript((said: NotificationPermission | undefined) => {
    const real = window.Notification;
    const log = { made: [] as object[], asked: 0, focused: 0, notes: 0, permission: said };
    class Recorded extends EventTarget {
      static get permission() {
        return log.permission ?? real.permission;
      }
      static async requestPermission() {
        log.asked += 1;
        log.permission = 'granted';
        return 'granted';
      }
      onclick: (() => void) | null = null;
      onclose: (() => void) | null = null;
      isClosed = false;
      readonly title: string;
      readonly options: NotificationOptions;
      constructor(title: string, options: NotificationOptions) {
        super();
        this.title = title;
        this.options = options;
        log.made.push(this);
      }
      close() {
        this.isClosed = true;
        this.onclose?.();
      }
    }
    class Oscillator extends OscillatorNode {
      constructor(audio: BaseAudioContext, options?: OscillatorOptions) {
        super(audio, options);
        log.notes += 1;
      }
    }
    window.focus = () => {
      log.focused += 1;
    };
    Object.assign(window, { Notification: Recorded, OscillatorNode: Oscillator, notificationLog: log });
  }, permission);
}

interface NotificationLog {
  readonly made: { title: string; options: NotificationOptions; isClosed: boolean; onclick: () => void }[];
  readonly asked: number;
  readonly focused: number;
  readonly notes: number;
}

type Logged = { notificationLog: NotificationLog };

export function notificationsOf(page: Page): Promise<MadeNotification[]> {
  return page.evaluate(() =>
    (window as unknown as Logged).notificationLog.made.map(({ title, options, isClosed }) => ({
      title,
      body: options.body ?? '',
      tag: options.tag ?? '',
      isClosed,
    })),
  );
}

/** How often the page asked for leave, came to the front, and let a note sound. */
export function countsOf(page: Page): Promise<{ asked: number; focused: number; notes: number }> {
  return page.evaluate(() => {
    const { asked, focused, notes } = (window as unknown as Logged).notificationLog;
    return { asked, focused, notes };
  });
}

/** As a user clicks the newest notification. */
export function clickNotification(page: Page): Promise<void> {
  return page.evaluate(() => (window as unknown as Logged).notificationLog.made.at(-1)?.onclick());
}
