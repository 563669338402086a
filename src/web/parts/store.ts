import { useSyncExternalStore } from 'react';

/** What {@link useStore} can follow. */
export interface Watchable<T> {
  readonly value: T;
  subscribe(listener: () => void): () => void;
}

/** A value that changes outside of React. */
export class Store<T> implements Watchable<T> {
  readonly #listeners = new Set<() => void>();
  #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** The value now, and again whenever it changes. */
export function useStore<T>(store: Watchable<T>): T {
  return useSyncExternalStore(
    (listener) => store.subscribe(listener),
    () => store.value,
  );
}
