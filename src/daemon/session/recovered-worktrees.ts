import { finishDoomed, undoWorktree } from './doomed-worktree.js';
import { killSession } from './kill-session.js';
import { messageOf } from './record-keeper.js';
import type { SessionContext } from './session-context.js';
import { killGivenUp } from './session-record.js';

/** Removes what is left of worktrees whose sessions were not created, or were killed, when an earlier daemon went down. */
export async function finishWorktrees(context: SessionContext): Promise<void> {
  const { worktrees, registry } = context;
  const ownerless = worktrees.list().filter(({ id }) => registry.find(id) === undefined);
  for (const { id, state, doomed } of ownerless) {
    if (state === 'making') await undoWorktree(context, id);
    else if (doomed !== undefined) await finishDoomed(context, id);
  }
}

/** A kill that was cut off before its end is asked for again; one that would lose work now is given up. */
export function killAgain(context: SessionContext, id: string): void {
  const entry = context.registry.find(id);
  const intent = entry?.record.intent;
  if (entry === undefined || intent?.kind !== 'kill') return;
  const { force, keep_worktree } = intent;
  context.background.start(async () => {
    await killSession(context, id, { force, keep_worktree }).catch(async (error: unknown) => {
      context.log.warn({ session: id, error: messageOf(error) }, 'a kill that was cut off is given up');
      await context.keeper.observe(entry, killGivenUp);
      context.registry.publish(entry);
    });
  });
}
