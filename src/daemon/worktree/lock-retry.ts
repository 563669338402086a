import { setTimeout as delay } from 'node:timers/promises';
import { isLockError } from './git-failure.js';

const WAITS_MS = [25, 50, 100, 200, 400, 800, 1600];

/** Does `work` again, for some three seconds at most, while another git holds the lock that it needs: of the config, or of a ref. */
export async function retryWhileLocked<T>(work: () => Promise<T>): Promise<T> {
  for (const waitMs of WAITS_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isLockError(error)) throw error;
      await delay(waitMs);
    }
  }
  return work();
}
