import { TOMBSTONE_KEPT_MS } from '../store/tombstones.js';
import { messageOf } from './record-keeper.js';
import type { SessionContext } from './session-context.js';
import type { SessionEntry } from './session-entry.js';
import { erase } from './session-remains.js';

/** Removes sessions that have been dead for longer than `retentionMs`, never one that owns a worktree, and old tombstones. */
export async function prune(context: SessionContext, retentionMs: number): Promise<void> {
  const now = context.clock.now();
  const old = context.registry.entries().filter((entry) => mayGo(entry, now, retentionMs));
  for (const entry of old) {
    // It may have been resumed while others were removed.
    if (!mayGo(entry, now, retentionMs)) continue;
    await pruneOne(context, entry).catch((error: unknown) => {
      context.log.warn({ session: entry.id, error: messageOf(error) }, 'a session that had been dead for long cannot be removed yet');
    });
  }
  await context.tombstones.prune(TOMBSTONE_KEPT_MS, now);
}

function mayGo({ phase, record, readOnly }: SessionEntry, now: number, retentionMs: number): boolean {
  if (phase.kind !== 'resting' || readOnly || record.status !== 'dead' || record.worktree !== undefined || record.exit === undefined)
    return false;
  return now - Date.parse(record.exit.at) > retentionMs;
}

/** The claim makes a resume that comes meanwhile find no session. */
async function pruneOne(context: SessionContext, entry: SessionEntry): Promise<void> {
  const result = erase(context, entry).then(() => ({ removed: true, worktree: 'none' as const }));
  entry.claim({ kind: 'removing', result });
  await result;
  context.log.info({ session: entry.id }, 'a session that had been dead for long was removed');
}
