import type { Pane } from '../panes/panes.js';
import type { LiveSession } from './live-session.js';
import { messageOf } from './record-keeper.js';
import type { SessionContext } from './session-context.js';
import type { SessionEntry } from './session-entry.js';

/** Ends a live session's processes and pane, and reads its output to the end. */
export async function abandon(context: SessionContext, live: LiveSession): Promise<void> {
  await abandonPane(context, live.pane);
  await live.seal();
  live.settled();
}

/** Ends whatever runs of a session, whether this daemon has its program in hand or not. */
export async function endAll(context: SessionContext, { id }: SessionEntry, live: LiveSession | undefined): Promise<void> {
  if (live) await abandon(context, live);
  else await endProcesses(context, id);
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

/**
 * Removes what is on disk of a session that is gone for everybody already. What the disk does not let go of now is removed by a later
 * flush, see {@link eraseAgain}, or by the next start.
 */
export async function erase(context: SessionContext, entry: SessionEntry): Promise<void> {
  entry.unerased = true;
  await discard(context, entry.id);
  entry.unerased = false;
  context.registry.remove(entry.id);
}

/** Removes what could not be removed before. */
export async function eraseAgain(context: SessionContext): Promise<void> {
  const left = context.registry.entries().filter(({ unerased }) => unerased);
  await Promise.all(left.map((entry) => erase(context, entry).catch(() => undefined)));
}

/** Removes what is on disk of a session and bars later writes of it. */
export async function discard(context: SessionContext, id: string): Promise<void> {
  const { sidecars, scrollbacks, transitions, uploads } = context;
  await Promise.all([sidecars, scrollbacks, transitions, uploads].map((store) => store.remove(id)));
}
