import { setTimeout as delay } from 'node:timers/promises';

/**
 * Resolves with the first result of `probe` that is neither undefined nor false. Asks again and again, as some things tell nobody when
 * they change; after `deadlineMs` it rejects, naming what was waited for.
 */
export async function until<T>(what: string, probe: () => T | Promise<T>, deadlineMs = 20_000): Promise<Exclude<T, undefined | false>> {
  const end = performance.now() + deadlineMs;
  let failure: unknown;
  for (;;) {
    try {
      const result = await probe();
      if (result !== undefined && result !== false) return result as Exclude<T, undefined | false>;
      failure = undefined;
    } catch (error) {
      failure = error;
    }
    if (performance.now() > end) throw new Error(`waited ${deadlineMs} ms in vain for ${what}`, { cause: failure });
    await delay(15);
  }
}
