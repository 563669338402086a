import type { KillQuery, KillResult } from '../../protocol/index.js';
import { killWorktreeSession } from './kill-worktree-session.js';
import type { LiveSession } from './live-session.js';
import { requireWritable } from './record-keeper.js';
import type { SessionContext } from './session-context.js';
import type { SessionEntry } from './session-entry.js';
import { endAll, erase } from './session-remains.js';
import { requireTmux } from './tmux-health.js';

/**
 * Ends a session for good: its processes, pane, sidecar, scrollback and fifos, and the worktree it owns unless work would be lost; a
 * tombstone stays.
 *
 * It waits for nobody. Once the tombstone is durable the session is claimed, and an operation that is still inside tmux finds its claim
 * void when it comes back and ends what it made. Asking twice gives the same answer.
 */
export async function killSession(context: SessionContext, id: string, query: KillQuery): Promise<KillResult> {
  const known = context.registry.find(id);
  if (known?.phase.kind === 'removing') return known.phase.result.catch(() => removeFiles(context, known));
  const entry = context.registry.need(id);
  requireWritable(entry);
  const worktree = context.worktrees.find(id);
  if (worktree !== undefined) return killWorktreeSession(context, { entry, worktree, query });
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
  await endAll(context, entry, live);
  return removeFiles(context, entry);
}

/** Can be asked for again when the disk refuses; {@link erase} is tried again by itself too. */
async function removeFiles(context: SessionContext, entry: SessionEntry): Promise<KillResult> {
  await erase(context, entry);
  context.log.info({ session: entry.id }, 'session removed');
  return { removed: true, ...leftWorktree(entry) };
}

/** A worktree of which no record was found is not touched. */
function leftWorktree({ record: { worktree } }: SessionEntry): Pick<KillResult, 'worktree' | 'warnings'> {
  if (worktree === undefined) return { worktree: 'none' };
  const warning = `Maestro's record of the worktree ${worktree.path} is lost, so it was not touched; \`git worktree remove\` takes it away`;
  return { worktree: 'kept', warnings: [warning] };
}
