import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What the daemon tells of itself, one line of JSON each time. */
export interface ProbeLine {
  /** What is left on the heap after everything that can be collected has been, in bytes. */
  readonly heap: number;
  /** Memory of buffers outside the heap, in bytes. */
  readonly external: number;
  /** How late timers were since the line before, in milliseconds. */
  readonly delayP99: number;
  readonly delayMax: number;
}

/** Loaded into the daemon with `--expose-gc --import`. Where to write and how often is in the query of its own URL. */
const { searchParams } = new URL(import.meta.url);
const out = searchParams.get('out');
const everyMs = Number(searchParams.get('every'));
const collect = (globalThis as { gc?: () => void }).gc;

if (out !== null && collect !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  setInterval(() => {
    const [delayP99, delayMax] = [delay.percentile(99) / 1e6, delay.max / 1e6];
    collect();
    const { heapUsed, external } = process.memoryUsage();
    const line: ProbeLine = { heap: heapUsed, external, delayP99, delayMax };
    appendFileSync(out, `${JSON.stringify(line)}\n`);
    delay.reset(); // the collection is ours
  }, everyMs).unref();
}
