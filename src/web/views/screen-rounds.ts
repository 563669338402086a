/** Fetches one session's screen; true where it is another than before. */
export type FetchScreen = (id: string) => Promise<boolean>;

interface Watched {
  /** It has a program that may print at any time; otherwise one look is enough. */
  readonly isLive: boolean;
  hasScreen: boolean;
  isUnderWay: boolean;
  waitMs: number;
  dueAt: number;
}

/** How soon a screen that changes is looked at again, and one that does not, in milliseconds. */
const SOONEST_MS = 1500;
const LATEST_MS = 6000;
/** Between two looks, whichever screens they are at: five a second, also with a wall of many. */
const APART_MS = 200;
const AT_ONCE = 3;

/**
 * Looks at the screens that can be seen, in turns: nothing tells of output. Those that do not change are looked at less often, and
 * none while the page is hidden.
 */
export class ScreenRounds {
  readonly #fetch: FetchScreen;
  readonly #watched = new Map<string, Watched>();
  #isPaused = false;
  #lastAt = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(fetch: FetchScreen) {
    this.#fetch = fetch;
  }

  /** The session can be seen, until the returned function is called. */
  watch(id: string, { isLive, hasScreen }: { isLive: boolean; hasScreen: boolean }): () => void {
    const one = { isLive, hasScreen, isUnderWay: false, waitMs: SOONEST_MS, dueAt: performance.now() };
    this.#watched.set(id, one);
    this.#plan();
    return () => {
      if (this.#watched.get(id) === one) this.#watched.delete(id);
      this.#plan();
    };
  }

  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#plan();
  }

  close(): void {
    this.#watched.clear();
    this.#plan();
  }

  #plan(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isPaused) return;
    const [id, next] = this.#next() ?? [];
    if (id === undefined || next === undefined) return;
    // What shows nothing yet does not wait for its turn.
    const at = next.hasScreen ? Math.max(next.dueAt, this.#lastAt + APART_MS) : next.dueAt;
    this.#timer = setTimeout(() => void this.#look(id, next), Math.max(0, at - performance.now()));
  }

  /** The one that is due first; those that show nothing yet before all others. */
  #next(): [string, Watched] | undefined {
    const all = [...this.#watched];
    if (all.filter(([, { isUnderWay }]) => isUnderWay).length >= AT_ONCE) return undefined;
    const ready = all.filter(([, { isUnderWay, dueAt }]) => !isUnderWay && Number.isFinite(dueAt));
    return ready.sort(([, a], [, b]) => Number(a.hasScreen) - Number(b.hasScreen) || a.dueAt - b.dueAt)[0];
  }

  async #look(id: string, one: Watched): Promise<void> {
    one.isUnderWay = true;
    this.#lastAt = performance.now();
    this.#plan();
    const isNew = await this.#fetch(id).catch(() => undefined);
    one.isUnderWay = false;
    if (isNew === undefined) one.waitMs = LATEST_MS;
    else {
      one.hasScreen = true;
      one.waitMs = isNew ? SOONEST_MS : Math.min(LATEST_MS, one.waitMs * 1.5);
    }
    one.dueAt = isNew !== undefined && !one.isLive ? Number.POSITIVE_INFINITY : performance.now() + one.waitMs;
    this.#plan();
  }
}
