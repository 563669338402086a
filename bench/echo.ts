import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from './statistics.js';
import type { Viewer } from './viewer.js';

/** A program that sends each byte back, with the terminal out of the way, once it has said that it is ready. */
export const ECHO = 'stty raw -echo; printf ready; exec cat';

/** Pause between two keystrokes, in milliseconds: no typist is faster, and each finds everybody asleep. */
const PAUSE_MS = 2;

/** Milliseconds from each of `count` keystrokes to its echo. */
export async function keystrokes(viewer: Viewer, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    await delay(PAUSE_MS);
    const came = viewer.received(1);
    const start = performance.now();
    viewer.type(String.fromCharCode(97 + (index % 26)));
    times.push((await came) - start);
  }
  return times;
}

export interface Echo {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export async function echo(viewer: Viewer, count: number): Promise<Echo> {
  const times = await keystrokes(viewer, count);
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95), p99: quantile(times, 0.99) };
}
