import { browserStorage } from '../parts/browser-storage.js';
import { pageLocks } from './page-locks.js';

const TOLD = 'maestro.told';
const LAST_USED = 'maestro.last_page';
/** More than anybody has sessions; what was told of the oldest is forgotten. */
const LIMIT = 500;
/** How much later the other pages ask than the one that was used last, in milliseconds: the one that tells is the one that is shown on a click. */
const LATER_MS = 300;

/** Sees to it that of all pages of this browser one tells the user of a change, and only once. */
export class ToldOnce {
  readonly #page = Math.random().toString(36).slice(2);

  constructor(signal: AbortSignal) {
    window.addEventListener('focus', () => this.#used(), { signal });
    if (document.hasFocus()) this.#used();
  }

  /** True for the first page that asks. */
  async claim(id: string, key: string): Promise<boolean> {
    if (browserStorage.read(LAST_USED) !== this.#page) await new Promise((resolve) => setTimeout(resolve, LATER_MS));
    const take = async () => isFirst(id, key);
    return pageLocks()?.request(TOLD, take) ?? take();
  }

  #used(): void {
    browserStorage.write(LAST_USED, this.#page);
  }
}

function isFirst(id: string, key: string): boolean {
  const told = parseTold(browserStorage.read(TOLD));
  if (told.get(id) === key) return false;
  told.delete(id); // so that it comes last, as the newest
  told.set(id, key);
  browserStorage.write(TOLD, JSON.stringify([...told].slice(-LIMIT)));
  return true;
}

/** What is not understood was never told. */
export function parseTold(json: string | undefined): Map<string, string> {
  try {
    const entries: unknown = JSON.parse(json ?? '[]');
    return new Map(Array.isArray(entries) ? entries.filter(isEntry) : []);
  } catch {
    return new Map();
  }
}

function isEntry(entry: unknown): entry is [string, string] {
  return Array.isArray(entry) && entry.length === 2 && entry.every((part) => typeof part === 'string');
}
