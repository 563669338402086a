import { browserStorage, onStorageChange } from '../parts/browser-storage.js';
import { Store } from '../parts/store.js';

const KEY = 'maestro.seen';
/** More than anybody has sessions; the oldest looks are forgotten. */
const LIMIT = 500;

/** When the user last looked at each session, in this browser. In milliseconds of `Date.now()`. */
export class SeenSessions extends Store<ReadonlyMap<string, number>> {
  constructor(signal: AbortSignal) {
    super(parseSeen(browserStorage.read(KEY)));
    onStorageChange(KEY, (text) => this.set(parseSeen(text)), signal);
  }

  mark(id: string, at: number): void {
    if ((this.value.get(id) ?? 0) >= at) return;
    const seen = new Map(this.value);
    seen.delete(id); // so that it comes last, as the newest
    seen.set(id, at);
    const kept = [...seen].slice(-LIMIT);
    browserStorage.write(KEY, JSON.stringify(kept));
    this.set(new Map(kept));
  }
}

/** What is not understood counts as never seen. */
export function parseSeen(text: string | undefined): ReadonlyMap<string, number> {
  try {
    const entries: unknown = JSON.parse(text ?? '[]');
    return new Map(Array.isArray(entries) ? entries.filter(isLook) : []);
  } catch {
    return new Map();
  }
}

function isLook(entry: unknown): entry is [string, number] {
  return Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number';
}
