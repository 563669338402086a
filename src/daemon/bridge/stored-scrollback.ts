import { freshLineAfter } from './fresh-line.js';
import { ModeTracker } from './mode-tracker.js';
import { type StoredScrollback, StreamLog } from './stream-log.js';
import { epilogue } from './terminal-modes.js';

/**
 * What a session's next life replays ahead of its own output: what was stored, in order, with the modes of the dead programs left behind
 * (S7) and the cursor at the start of a fresh line; at most `budget` bytes. What needs no resetting gets nothing added, so bytes that
 * pass through here at every reboot stay as they are.
 */
export function restoredBytes({ former, current }: StoredScrollback, budget: number): Buffer {
  const output = Buffer.concat([closed(former), closed(current)]);
  return output.length <= budget ? output : cleanTail(output, budget);
}

/** `stored` cut to `budget` bytes, the newest of them, whole to both ends. */
export function trimStored({ former, current }: StoredScrollback, budget: number): StoredScrollback {
  // As large as the budget, so that its clean starts are close enough together for it.
  const log = new StreamLog(Math.max(1, Math.min(budget, former.length + current.length)));
  log.append(former);
  log.beginLife();
  log.append(current);
  return log.stored(budget);
}

/** The last bytes of `output`, at most `budget` of them with the preamble that they start with, whole to both ends. */
export function cleanTail(output: Buffer, budget: number): Buffer {
  return trimStored({ former: Buffer.alloc(0), current: output }, budget).current;
}

/** A life's output, which starts in a reset terminal, up to its last whole character or sequence, and out of its modes. */
function closed(output: Buffer): Buffer {
  const tracker = new ModeTracker();
  tracker.feed(output);
  const whole = output.subarray(0, output.length - tracker.unfinishedBytes);
  const reset = Buffer.concat([whole, epilogue(tracker.modes)]);
  return whole.length === 0 ? whole : Buffer.concat([reset, Buffer.from(freshLineAfter(reset))]);
}
