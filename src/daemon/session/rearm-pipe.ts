import { seedFrom } from '../bridge/snapshot-seed.js';
import { removeFifo } from './fifo-pool.js';
import type { LiveSession } from './live-session.js';
import type { SessionContext } from './session-context.js';
import type { SessionEntry } from './session-entry.js';
import { rearmed } from './session-record.js';

/**
 * A running program's output comes through no more, as somebody ended the pipe or removed its fifo. Arms it afresh under a new epoch, from
 * what tmux shows; viewers get a gap and a fresh replay. Does nothing when the session ends meanwhile.
 */
export async function rearmPipe(context: SessionContext, entry: SessionEntry): Promise<void> {
  if (entry.phase.kind !== 'running' || !entry.phase.live.beginRearming()) return;
  const { live } = entry.phase;
  try {
    await rearm(context, entry, live);
  } catch (error) {
    if (entry.live === live) throw error;
  } finally {
    live.endRearming();
  }
}

async function rearm(context: SessionContext, entry: SessionEntry, live: LiveSession): Promise<void> {
  const { panes, keeper, clock, fifos, stateDir, log } = context;
  await keeper.observe(entry, (record) => rearmed(record, clock.now()));
  const { epoch, id } = entry.record;
  const fifo = stateDir.fifo(id, epoch);
  await fifos.make(fifo);
  try {
    live.bridge.rearm({ fifo, epoch });
    const ofThisLife = live.bridge.stored(context.replayBytes).current;
    live.bridge.seed(seedFrom(await panes.adopt(live.pane, fifo), ofThisLife));
  } catch (error) {
    await removeFifo(fifo);
    throw error;
  }
  await removeFifo(live.moveTo(fifo));
  // A record that is lost is made from this copy: an older epoch in it would be given out twice.
  await keeper.mirror(entry);
  log.warn({ session: id, epoch }, 'the pipe of a session had broken and was armed afresh');
}
