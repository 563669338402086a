import type { KillResult } from '../../protocol/index.js';
import type { Pane } from '../panes/panes.js';
import type { LiveSession } from './live-session.js';
import { messageOf, requireWritable } from './record-keeper.js';
import type { SessionContext } from './session-context.js';
import type { SessionEntry } from './session-entry.js';
import { requireTmux } from './tmux-health.js';

/**
 * Ends a session for good: its processes, pane, sidecar, scrollback and fifos; a tombstone stays.
 *
 * It waits for nobody. Once the tombstone is durable the session is claimed, and an operation that is still inside tmux finds its claim
 * void when it comes back and ends what it made. Asking twice gives the same answer.
 */
export async function killSession(context: SessionContext, id: string): Promise<KillResult> {
  const removing = context.registry.find(id)?.phase;
  if (removing?.kind === 'removing') return removing.result;
  const entry = context.registry.need(id);
  requireWritable(entry);
  if (entry.live) requireTmux(context.panes, entry.record);
  await context.tombstones.bury(id);
  const phase = entry.phase;
  if (phase.kind === 'removing') return phase.result;
  const result = remove(context, entry, entry.live);
  entry.claim({ kind: 'removing', result });
  return result;
}

async function remove(context: SessionContext, entry: SessionEntry, live: LiveSession | undefined): Promise<KillResult> {
  // One turn later the claim holds, so that nothing below can be overtaken.
  await Promise.resolve();
  if (live) await abandon(context, live);
  else await endProcesses(context, entry.id);
  await discard(context, entry.id);
  context.registry.remove(entry.id);
  context.log.info({ session: entry.id }, 'session removed');
  return { removed: true, worktree: 'none' };
}

/** Ends a live session's processes and pane, and reads its output to the end. */
export async function abandon(context: SessionContext, live: LiveSession): Promise<void> {
  await abandonPane(context, live.pane);
  await live.seal();
  live.settled();
}

/** Ends a pane's processes and takes it out of tmux. What fails is logged: the tombstone makes it be done again. */
export async function abandonPane(context: SessionContext, pane: Pane): Promise<void> {
  try {
    await endProcesses(context, pane.sessionId, pane.pid);
    await context.panes.killSession(pane);
  } catch (error) {
    context.log.error({ session: pane.sessionId, error: messageOf(error) }, 'a pane could not be ended; it will be when tmux answers');
  }
}

/** Ends every process of a session: those below `root`, and those that carry its id wherever they went. */
export async function endProcesses(context: SessionContext, sessionId: string, root?: number): Promise<void> {
  const { survivors } = await context.processes.endTree({ sessionId, root, rootFollows: true });
  if (survivors.length === 0) return;
  context.log.warn({ session: sessionId, pids: survivors.map((process) => process.pid) }, 'processes of a session cannot be ended');
}

/** Removes what is on disk of a session and bars later writes of it. */
export async function discard(context: SessionContext, id: string): Promise<void> {
  await Promise.all([context.sidecars.remove(id), context.scrollbacks.remove(id)]);
}
