/**
 * Calls `run` after so many milliseconds, but not before what has come until then was read: on a crowded machine a process may be stopped
 * for longer than that, and its timers come first. Answers what calls it off.
 */
export function timeOut(ms: number, run: () => void): () => void {
  const timer = setTimeout(() => setImmediate(run), Math.max(1, ms));
  return () => clearTimeout(timer);
}
