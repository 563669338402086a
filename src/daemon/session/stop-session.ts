import { MaestroError, type Session } from '../../protocol/index.js';
import type { LiveSession } from './live-session.js';
import { requireWritable } from './record-keeper.js';
import { resumeSession } from './resume-session.js';
import type { SessionContext } from './session-context.js';
import type { SessionEntry } from './session-entry.js';
import { stopGivenUp, stopping } from './session-record.js';
import { notFound } from './session-registry.js';
import { labelOf } from './session-view.js';
import { requireTmux } from './tmux-health.js';

/**
 * Ends a session's program and keeps everything else: dead, `stopped`, resumable. The intent is on disk first, so that the end counts
 * as asked for even when the daemon is gone by the time it comes. Asking twice gives the same answer.
 */
export async function stopSession(context: SessionContext, id: string): Promise<Session> {
  const entry = context.registry.need(id);
  if (entry.stop) return entry.stop;
  if (entry.phase.kind !== 'running') throw notRunning(entry);
  requireWritable(entry);
  requireTmux(context.panes, entry.record);
  const { live } = entry.phase;
  entry.stop = stop(context, entry, live).finally(() => {
    entry.stop = undefined;
  });
  return entry.stop;
}

/** Ends the program if one runs, and starts it again as a resume does. */
export async function restartSession(context: SessionContext, id: string): Promise<Session> {
  const { phase } = context.registry.need(id);
  if (phase.kind === 'running' || phase.kind === 'ending') {
    if (phase.kind === 'running') await stopSession(context, id);
    await phase.live.whenSettled();
  }
  return resumeSession(context, id);
}

/** A stop that was cut off with an earlier daemon is asked for again, as soon as its program is taken over. */
export function finishStop(context: SessionContext, entry: SessionEntry): void {
  if (entry.record.intent?.kind !== 'stop' || entry.phase.kind !== 'running') return;
  context.background.start(async () => void (await stopSession(context, entry.id)));
}

async function stop(context: SessionContext, entry: SessionEntry, live: LiveSession): Promise<Session> {
  await context.keeper.commit(entry, (record) => stopping(record, context.clock.now()));
  const { survivors } = await context.processes.endTree({ sessionId: entry.id, root: live.pane.pid, rootFollows: true });
  if (survivors.some((process) => process.pid === live.pane.pid)) {
    await context.keeper.commit(entry, stopGivenUp);
    throw new MaestroError('internal', `${labelOf(entry.record)} cannot be stopped: process ${live.pane.pid} does not end even on SIGKILL`);
  }
  context.poll();
  await live.whenSettled();
  if (entry.phase.kind === 'removing') throw notFound(entry.id);
  return entry.view();
}

function notRunning(entry: SessionEntry): MaestroError {
  const { status } = entry.record;
  const hint = status === 'running' ? 'is just starting or ending; try again' : `is ${status}; there is no program to stop`;
  return new MaestroError('not_running', `${labelOf(entry.record)} ${hint}`, { details: { id: entry.id } });
}
