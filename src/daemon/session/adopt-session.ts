import type { PaneInfo } from '../panes/panes.js';
import { removeDoomed } from './doomed-worktree.js';
import type { SessionContext } from './session-context.js';
import type { SessionEntry } from './session-entry.js';
import { adopted } from './session-record.js';

/**
 * Takes over a session's live pane: its pipe is armed afresh under a new epoch, which is on disk before it is used, so that no stream
 * position ever means two things.
 */
export async function adoptSession(context: SessionContext, entry: SessionEntry, pane: PaneInfo): Promise<void> {
  const generation = entry.claim({ kind: 'resuming' });
  try {
    await context.keeper.observe(entry, (record) => adopted(record, pane.run, context.clock.now()));
    const stored = await context.scrollbacks.read(entry.id);
    const live = await context.launcher.adopt(entry.record, pane, stored);
    if (!entry.holds(generation)) {
      await live.close();
      return await removeDoomed(context, entry);
    }
    entry.claim({ kind: 'running', live });
    // A size that was acknowledged may not have reached the pane.
    live.viewers.set(entry.record.size);
    entry.warning = entry.warning === UNREACHED ? undefined : entry.warning;
  } catch (error) {
    if (entry.holds(generation)) {
      entry.claim({ kind: 'resting' });
      entry.warning ??= UNREACHED;
    }
    await removeDoomed(context, entry);
    throw error;
  } finally {
    context.registry.publish(entry);
  }
  await context.keeper.mirror(entry);
}

/** Shown while a program runs on that could not be taken over; it is tried again with every look at tmux. */
const UNREACHED = 'Its program runs on in tmux and could not be taken over yet; this is tried again.';
