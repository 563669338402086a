/** The origin's storage, which a browser may refuse: then nothing is remembered, and nothing breaks. */
export const browserStorage = {
  read(key: string): string | undefined {
    try {
      return localStorage.getItem(key) ?? undefined;
    } catch {
      return undefined;
    }
  },

  write(key: string, value: string): void {
    try {
      localStorage.setItem(key, value);
    } catch {
      // Full or blocked: the value holds as long as this page.
    }
  },

  remove(key: string): void {
    try {
      localStorage.removeItem(key);
    } catch {
      // Blocked: there is nothing to remove.
    }
  },
};

/** Calls `listener` when another page of this origin changes `key`, until `signal` aborts. */
export function onStorageChange(key: string, listener: (value: string | undefined) => void, signal?: AbortSignal): void {
  const options = signal === undefined ? {} : { signal };
  window.addEventListener('storage', (event) => event.key === key && listener(event.newValue ?? undefined), options);
}
