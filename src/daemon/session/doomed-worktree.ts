import { inventoryOf } from './dirty-worktree.js';
import { messageOf } from './record-keeper.js';
import type { SessionContext } from './session-context.js';
import type { SessionEntry } from './session-entry.js';

/** Removes the worktree of a session that is gone already, if its kill was to. What holds work stays, and is listed as left. */
export async function finishDoomed(context: SessionContext, id: string): Promise<void> {
  const record = context.worktrees.find(id);
  if (record?.doomed === undefined) return;
  try {
    await context.worktrees.remove(id, { salvage: record.doomed === 'salvage' });
    context.log.info({ session: id }, 'the worktree of a killed session was removed');
  } catch (error) {
    context.log.warn({ session: id, path: record.path, error: messageOf(error) }, 'the worktree of a killed session is kept');
    if (inventoryOf(error) === undefined) return;
    // A doom that cannot be lifted on disk is tried again by the next start, which finds the work and keeps it again.
    await context.worktrees
      .doom(id, undefined)
      .catch((failure: unknown) => context.log.warn({ session: id, error: messageOf(failure) }, 'a kept worktree could not be noted'));
  }
}

/** A kill that came in between has left the worktree to whoever has the session in hand: nothing of it runs any more. */
export async function removeDoomed(context: SessionContext, entry: SessionEntry): Promise<void> {
  if (entry.phase.kind !== 'removing') return;
  await entry.phase.result.catch(() => undefined);
  await finishDoomed(context, entry.id);
}

/** Takes back the worktree of a session that nobody was told of. What cannot be taken back is logged, and listed as left. */
export async function undoWorktree(context: SessionContext, id: string): Promise<void> {
  const record = context.worktrees.find(id);
  if (record === undefined) return;
  try {
    const removal = await context.worktrees.undo(id);
    if (removal.salvage === undefined) return;
    context.log.warn({ session: id, ref: removal.salvage.ref }, 'files made in the worktree of a session that was not created were saved');
  } catch (error) {
    context.log.warn({ session: id, path: record.path, error: messageOf(error) }, 'the worktree of a session that was not created is kept');
  }
}
