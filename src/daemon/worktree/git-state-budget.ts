import { readFileSync } from 'node:fs';

const LIMIT_FILE = '/proc/sys/fs/inotify/max_user_watches';
/** Where the system names no limit. */
const DEFAULT_DIRECTORIES = 50_000;
/** Of what the system lets a user watch: editors and build tools of the same user need theirs. */
const SHARE = 0.5;

/** How many more directories may be watched. */
export class WatchBudget {
  #left: number;

  constructor(directories: number) {
    this.#left = directories;
  }

  /** Half of what the system allows the user. */
  static ofSystem(): WatchBudget {
    try {
      return new WatchBudget(Math.floor(Number.parseInt(readFileSync(LIMIT_FILE, 'utf8'), 10) * SHARE));
    } catch {
      return new WatchBudget(DEFAULT_DIRECTORIES);
    }
  }

  /** Whether there was one. */
  take(): boolean {
    if (this.#left <= 0) return false;
    this.#left -= 1;
    return true;
  }

  give(count: number): void {
    this.#left += count;
  }
}
