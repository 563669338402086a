import { pageLocks } from './page-locks.js';

/**
 * Knows which sessions the user has before their eyes, in any page of this browser: each page holds a lock for what it shows while it can be
 * seen, and the browser gives the lock back with the page, however that ends.
 */
export class SessionsInView {
  #shown: readonly string[] = [];
  #release: () => void = () => {};

  constructor(signal: AbortSignal) {
    document.addEventListener('visibilitychange', () => this.#hold(), { signal });
    signal.addEventListener('abort', () => this.show([]));
  }

  /** This page shows these. */
  show(ids: readonly string[]): void {
    this.#shown = ids;
    this.#hold();
  }

  async has(id: string): Promise<boolean> {
    if (this.here().includes(id)) return true;
    const { held = [] } = (await pageLocks()?.query()) ?? {};
    return held.some(({ name }) => name === lockName(id));
  }

  /** Those in this page. */
  here(): readonly string[] {
    return document.visibilityState === 'visible' ? this.#shown : [];
  }

  #hold(): void {
    this.#release();
    const released = new Promise<void>((resolve) => {
      this.#release = resolve;
    });
    for (const id of this.here()) pageLocks()?.request(lockName(id), { mode: 'shared' }, () => released);
  }
}

function lockName(id: string): string {
  return `maestro.in_view ${id}`;
}
