import { Store } from '../parts/store.js';

export interface Toast {
  readonly key: number;
  readonly text: string;
  readonly isError: boolean;
  /** To be run in a shell; the note stays until it is dismissed. */
  readonly command?: string | undefined;
}

interface ToastOptions {
  readonly isError?: boolean;
  readonly command?: string | undefined;
}

const SHOWN_MS = 4000;
/** Errors stay longer: they have to be read, and say what to do. */
const ERROR_SHOWN_MS = 12_000;

/** Short notes about what has no better place on the page. */
export class Toasts extends Store<readonly Toast[]> {
  #key = 0;

  constructor() {
    super([]);
  }

  say(text: string, { isError = false, command }: ToastOptions = {}): void {
    this.#key += 1;
    const toast = { key: this.#key, text, isError, command };
    this.set([...this.value.filter((other) => other.text !== text), toast].slice(-3));
    if (command === undefined) setTimeout(() => this.dismiss(toast.key), isError ? ERROR_SHOWN_MS : SHOWN_MS);
  }

  dismiss(key: number): void {
    this.set(this.value.filter((toast) => toast.key !== key));
  }
}
