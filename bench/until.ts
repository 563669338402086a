import { setTimeout as delay } from 'node:timers/promises';

/** Asks until `probe` says yes; rejects after a minute. */
export async function until(what: string, probe: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 60_000;
  while (!(await probe())) {
    if (performance.now() > end) throw new Error(`waited a minute in vain for ${what}`);
    await delay(5);
  }
}
