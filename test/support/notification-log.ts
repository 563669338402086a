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
  /** False: a browser without workers, whose pages show their notifications themselves. */
  readonly hasWorkers?: boolean;
}

/**
 * Keeps a record of the notifications of each page that the profile opens from now on. Those that a worker shows are the browser's own; a
 * record stands in the place of those that pages show.
 */
export async function recordNotifications(profile: BrowserContext, { permission, hasWorkers = true }: LogOptions = {}): Promise<void> {
  if (!hasWorkers) await profile.addInitScript(() => delete (Navigator.prototype as { serviceWorker?: unknown }).serviceWorker);
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
    if ('ServiceWorkerRegistration' in window && 'serviceWorker' in navigator) {
      const { prototype } = ServiceWorkerRegistration;
      const { showNotification } = prototype;
      let last: { title: string; options: NotificationOptions | undefined } | undefined;
      prototype.showNotification = async function (title, options) {
        await showNotification.call(this, title, options);
        // What the browser forgot at once is shown again in its place.
        if (last?.title !== title || last.options?.tag !== options?.tag) {
          last = { title, options };
          log.made.push(last);
        }
      };
    }
    Object.assign(window, { Notification: Recorded, OscillatorNode: Oscillator, notificationLog: log });
  }, permission);
}

interface NotificationLog {
  readonly made: { title: string; options: NotificationOptions; isClosed?: boolean; onclick: () => void }[];
  readonly asked: number;
  readonly focused: number;
  readonly notes: number;
}

type Logged = { notificationLog: NotificationLog };

export function notificationsOf(page: Page): Promise<MadeNotification[]> {
  return page.evaluate(async () => {
    const workers = 'serviceWorker' in navigator ? navigator.serviceWorker : undefined;
    const shown = (await (await workers?.getRegistration())?.getNotifications()) ?? [];
    return (window as unknown as Logged).notificationLog.made.map(({ title, options: { body = '', tag = '' }, isClosed }) => ({
      title,
      body,
      tag,
      isClosed: isClosed ?? !shown.some((one) => one.title === title && one.tag === tag),
    }));
  });
}

/** What the browser shows the user now of the worker's, by title. */
export function shownTitles(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const shown = (await (await navigator.serviceWorker.getRegistration())?.getNotifications()) ?? [];
    return shown.map(({ title }) => title);
  });
}

/** How often the page asked for leave, came to the front, and let a note sound. */
export function countsOf(page: Page): Promise<{ asked: number; focused: number; notes: number }> {
  return page.evaluate(() => {
    const { asked, focused, notes } = (window as unknown as Logged).notificationLog;
    return { asked, focused, notes };
  });
}

/** As a user clicks the newest notification that the page shows itself. */
export function clickNotification(page: Page): Promise<void> {
  return page.evaluate(() => (window as unknown as Logged).notificationLog.made.at(-1)?.onclick());
}

/** What this needs to know of the world of a worker. */
interface WorkerWorld {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: { openWindow(url: string): Promise<null> };
  readonly NotificationEvent: new (type: string, init: { notification: Notification }) => Event;
  dispatchEvent(event: Event): boolean;
}

/** How many pages the worker still knows of: one that is left goes a moment later. */
export async function pagesOfWorker(profile: BrowserContext): Promise<number> {
  const [worker] = profile.serviceWorkers();
  const known = await worker?.evaluate(async () => {
    const { clients } = globalThis as unknown as { clients: { matchAll(options: object): Promise<readonly unknown[]> } };
    return (await clients.matchAll({ type: 'window', includeUncontrolled: true })).length;
  });
  return known ?? 0;
}

/**
 * As a user clicks the worker's notification with this tag. Answers the address of the page that the worker opened, if it did. There is no
 * way to click a real one: what the browser allows in answer to a click only, which is to come to the front, does not happen.
 */
export async function clickShown(profile: BrowserContext, tag: string): Promise<string | undefined> {
  const [worker] = profile.serviceWorkers();
  if (worker === undefined) throw new Error('there is no worker');
  return worker.evaluate(async (tag) => {
    const world = globalThis as unknown as WorkerWorld;
    const [notification] = await world.registration.getNotifications({ tag });
    if (notification === undefined) throw new Error(`nothing is shown with the tag ${tag}`);
    let opened: string | undefined;
    world.clients.openWindow = async (url) => {
      opened = url;
      return null;
    };
    const event = new world.NotificationEvent('notificationclick', { notification });
    let handled: Promise<unknown> = Promise.resolve();
    Object.defineProperty(event, 'waitUntil', {
      value: (work: Promise<unknown>) => {
        handled = work;
      },
    });
    world.dispatchEvent(event);
    await handled;
    return opened;
  }, tag);
}
