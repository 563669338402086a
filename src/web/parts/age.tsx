import { useSyncExternalStore } from 'react';
import { formatAge } from '../session/age.js';
import { text } from '../text/text.js';

/** How long ago `since` was, kept up to date. */
export function Age({ since }: { since: number }) {
  return useSyncExternalStore(everySecond, () => formatAge(Date.now() - since));
}

/** Whole seconds until `at`, counted down. */
export function Countdown({ at }: { at: number }) {
  const seconds = useSyncExternalStore(everySecond, () => Math.max(1, Math.ceil((at - Date.now()) / 1000)));
  return text.parts.seconds(seconds);
}

/** Tells of whole seconds, so that ages that stand side by side change together. One timer, and none while nobody listens. */
class SecondTicker {
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#wait();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) clearTimeout(this.#timer);
    };
  }

  #wait(): void {
    this.#timer = setTimeout(() => this.#tick(), 1000 - (Date.now() % 1000));
  }

  #tick(): void {
    this.#wait();
    for (const listener of this.#listeners) listener();
  }
}

const ticker = new SecondTicker();

function everySecond(listener: () => void): () => void {
  return ticker.subscribe(listener);
}
