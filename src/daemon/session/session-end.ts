import type { Pane, PaneInfo } from '../panes/panes.js';
import { SCROLLBACK_HEADER_BYTES } from '../store/scrollback-store.js';
import type { Sidecar } from '../store/sidecar.js';
import { isStorageFailure, storeLastScreen } from './last-screen.js';
import type { LiveSession } from './live-session.js';
import { messageOf } from './record-keeper.js';
import type { SessionContext } from './session-context.js';
import type { SessionEntry } from './session-entry.js';
import { type End, ended, endedInReboot, lost, lostInReboot } from './session-record.js';

/** How long a dead pane's last bytes may take to come through before they are given up, in milliseconds. */
const LAST_BYTES_MS = 2_000;

/**
 * The program of a running session has ended. Takes in its last bytes and writes down scrollback and record, then takes the pane out of
 * tmux, and only then says so: a crash in between finds either the dead pane or the record of its end. A dead session keeps nothing in
 * tmux.
 */
export async function paneEnded(context: SessionContext, entry: SessionEntry, info: PaneInfo): Promise<void> {
  if (entry.phase.kind !== 'running' || entry.phase.live.pane.paneId !== info.paneId) return;
  const { live } = entry.phase;
  const generation = entry.claim({ kind: 'ending', live });
  const end: End = { ...info.exit, at: context.clock.now(), livedMs: context.clock.monotonic() - live.since };
  try {
    await live.bridge.drained(LAST_BYTES_MS);
    if (!entry.holds(generation)) return;
    await storeScrollback(context, entry, live);
    if (!entry.holds(generation)) return;
    await context.keeper.observe(entry, (record) => settled(context, record, end));
    await removeDeadPane(context, live.pane);
    await rest(context, entry, { live, generation });
  } finally {
    live.settled();
  }
}

/** Takes a pane whose end is written down out of tmux. One that stays is seen with a later look, and tried again. */
export async function removeDeadPane(context: SessionContext, pane: Pane): Promise<void> {
  await context.panes.killSession(pane).catch((error: unknown) => {
    context.log.warn({ session: pane.sessionId, error: messageOf(error) }, 'a dead pane stays in tmux until it answers');
  });
}

/** The pane of a running session is no longer there and nobody saw its program end. */
export async function paneLost(context: SessionContext, entry: SessionEntry): Promise<void> {
  if (entry.phase.kind !== 'running') return;
  const { live } = entry.phase;
  const generation = entry.claim({ kind: 'ending', live });
  try {
    await live.seal();
    if (!entry.holds(generation)) return;
    await storeScrollback(context, entry, live);
    if (!entry.holds(generation)) return;
    await context.keeper.observe(entry, (record) => settled(context, record, undefined));
    await rest(context, entry, { live, generation });
  } finally {
    live.settled();
  }
}

/**
 * The program of a session that this daemon never took over is gone too: it may have ended in the very moment in which it was to be taken
 * over. Its last words are in its pane, which goes once all is written down, like any other.
 */
export async function unreachedEnded(context: SessionContext, entry: SessionEntry, info: PaneInfo | undefined): Promise<void> {
  if (info !== undefined) await lastWords(context, entry, info);
  // Another look may have come to the same end meanwhile.
  if (entry.phase.kind !== 'resting' || entry.record.status !== 'running') return;
  const end = info && { ...info.exit, at: context.clock.now() };
  await context.keeper.observe(entry, (record) => settled(context, record, end));
  entry.warning = undefined;
  if (info !== undefined) await removeDeadPane(context, info);
  context.registry.publish(entry);
}

/** A tmux that does not answer is asked again with the next look; a disk that refuses keeps the older file. */
async function lastWords(context: SessionContext, { id, record }: SessionEntry, info: PaneInfo): Promise<void> {
  try {
    await storeLastScreen(context, record, info);
  } catch (error) {
    if (!isStorageFailure(error)) throw error;
    context.log.warn({ session: id, error: messageOf(error) }, 'scrollback cannot be written; the older file stays');
  }
}

/** The end is on disk; what still comes through the fifo until tmux lets go of it is added, and everybody is told. */
async function rest(context: SessionContext, entry: SessionEntry, claim: { live: LiveSession; generation: number }): Promise<void> {
  await claim.live.seal();
  if (entry.holds(claim.generation)) await storeScrollback(context, entry, claim.live);
  if (!entry.holds(claim.generation)) return;
  entry.claim({ kind: 'resting' });
  context.log.info({ session: entry.id, ...entry.record.exit }, 'session ended');
  context.registry.publish(entry);
}

function settled(context: SessionContext, record: Sidecar, end: End | undefined): Sidecar {
  const now = context.clock.now();
  if (end === undefined) return lost(record, now);
  const next = ended(record, end, { now, confirmMs: context.confirmMs });
  const lostAt = context.tmuxLoss.at;
  return lostAt !== undefined && end.at <= lostAt && endedInReboot(next, lostAt) ? lostInReboot(next, now) : next;
}

/** Writes what the bridge of a session holds. A failure keeps the older file and is logged: it never fails what the caller is doing. */
export async function storeScrollback(context: SessionContext, { id, record }: SessionEntry, live: LiveSession): Promise<void> {
  const version = live.bridge.version;
  if (version === live.flushed) return;
  try {
    await context.scrollbacks.write(id, { run: record.run, ...live.bridge.stored(context.replayBytes - SCROLLBACK_HEADER_BYTES) });
    live.flushed = version;
  } catch (error) {
    context.log.warn({ session: id, error: messageOf(error) }, 'scrollback cannot be written; the older file stays');
  }
}
