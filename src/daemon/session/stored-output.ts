import { trimStored } from '../bridge/stored-scrollback.js';
import type { SessionContext } from './session-context.js';
import type { SessionEntry } from './session-entry.js';

/**
 * The output of former lives and this one: from the bridge while a program runs, else from disk. Empty when nothing is kept. Where there is
 * more than `tail` bytes, the newest of them, whole to both ends.
 */
export async function storedOutput(context: SessionContext, entry: SessionEntry, tail = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const stored = entry.live ? entry.live.bridge.stored(context.replayBytes) : await context.scrollbacks.read(entry.id);
  if (stored === undefined) return Buffer.alloc(0);
  // A bridge knows places to cut at that are far apart, and would leave little of a short tail.
  const { former, current } = stored.former.length + stored.current.length > tail ? trimStored(stored, tail) : stored;
  return Buffer.concat([former, current]);
}
