import { type KillQuery, type KillResult, MaestroError } from '../../protocol/index.js';
import type { Removal } from '../worktree/remove-worktree.js';
import type { WorktreeRecord } from '../worktree-record.js';
import { dirtyError, inventoryOf, isSalvageable } from './dirty-worktree.js';
import { finishDoomed } from './doomed-worktree.js';
import type { SessionContext } from './session-context.js';
import { storeScrollback } from './session-end.js';
import type { Phase, SessionEntry } from './session-entry.js';
import { killed, killGivenUp, killing } from './session-record.js';
import { notFound } from './session-registry.js';
import { abandonPane, endAll, endProcesses, erase } from './session-remains.js';
import { labelOf } from './session-view.js';
import { tearDown } from './teardown.js';
import { requireTmux } from './tmux-health.js';
import { clearSetupMark } from './worktree-keeper.js';

/** What a kill of a session that owns a worktree works on. */
interface Job {
  readonly entry: SessionEntry;
  readonly worktree: WorktreeRecord;
  readonly query: KillQuery;
}

/**
 * Ends a session that owns a worktree, without losing work.
 *
 * The worktree is looked at first: what holds work that exists nowhere else is refused, with nothing touched. Then the program is ended,
 * and the worktree is looked at again when nothing writes there any more: now a refusal leaves the session dead with its worktree. The
 * tombstone is written once the worktree is gone, so a crash in between leaves a session whose kill can be asked for again, and recovery
 * asks. While a resume is under way there is no program to wait for: the session is gone at once, and whoever has the resume removes the
 * worktree when it comes back.
 */
export async function killWorktreeSession(context: SessionContext, job: Job): Promise<KillResult> {
  const { entry, worktree, query } = job;
  if (entry.phase.kind === 'killing') return entry.phase.result;
  if (query.keep_worktree !== true) await requireExpendable(context, job);
  // The tombstone comes last here: where none could be written, the program is not ended for a kill that cannot be finished.
  await context.tombstones.requireRoom(entry.id);
  const phase = phaseOf(entry);
  switch (phase.kind) {
    case 'killing':
    case 'removing':
      return phase.result;
    case 'creating':
      throw notFound(entry.id);
    case 'resuming':
      return killResuming(context, job);
    default: {
      if (entry.live) requireTmux(context.panes, entry.record);
      const live = entry.live;
      const result = finish(context, { entry, worktree, query });
      entry.claim({ kind: 'killing', result, ...(live === undefined ? {} : { live }) });
      return result;
    }
  }
}

/** As it is now: what was known of it before an await may be past. */
function phaseOf(entry: SessionEntry): Phase {
  return entry.phase;
}

/** Rejects when work would be lost, or could not be salvaged although that is asked for. */
async function requireExpendable(context: SessionContext, { entry, worktree, query }: Job): Promise<void> {
  const inventory = await context.worktrees.inventory(worktree);
  if (inventory.clean || (query.force === true && isSalvageable(inventory))) return;
  throw dirtyError(entry.record, { inventory, ended: entry.phase.kind === 'resting' });
}

/** The doom is durable before the tombstone: a crash from here on leaves a session that recovery buries, with its worktree. */
async function killResuming(context: SessionContext, { entry, query }: Job): Promise<KillResult> {
  const { id } = entry;
  const keep = query.keep_worktree === true;
  if (!keep) await context.worktrees.doom(id, query.force === true ? 'salvage' : 'clean');
  await context.tombstones.bury(id);
  const phase = phaseOf(entry);
  if (phase.kind === 'removing' || phase.kind === 'killing') return phase.result;
  const live = entry.live;
  const result = vanish(context, entry, live).then(async (): Promise<KillResult> => {
    // With the resume done before the claim nobody else comes back for the worktree.
    if (live !== undefined && !keep) context.background.start(() => finishDoomed(context, id));
    return { removed: true, worktree: keep ? 'kept' : 'pending' };
  });
  entry.claim({ kind: 'removing', result });
  return result;
}

async function vanish(context: SessionContext, entry: SessionEntry, live: SessionEntry['live']): Promise<void> {
  // One turn later the claim holds, so that nothing below can be overtaken.
  await Promise.resolve();
  await endAll(context, entry, live);
  await erase(context, entry);
}

async function finish(context: SessionContext, job: Job): Promise<KillResult> {
  const { entry } = job;
  await Promise.resolve();
  const result = await removeOrGiveUp(context, job);
  entry.claim({ kind: 'removing', result: Promise.resolve(result) });
  await erase(context, entry);
  context.log.info({ session: entry.id, worktree: result.worktree }, 'session removed');
  return result;
}

/** Up to the tombstone, behind which there is no way back: what fails before it leaves a session that can be killed again. */
async function removeOrGiveUp(context: SessionContext, job: Job): Promise<KillResult> {
  const { entry, query } = job;
  const warnings: string[] = [];
  try {
    await context.keeper.observe(entry, (record) => killing(record, { query, now: context.clock.now() }));
    await endProgram(context, entry);
    await context.keeper.observe(entry, (record) => killed(record, context.clock.now()));
    context.registry.publish(entry);
    const removal = query.keep_worktree === true ? undefined : await removeOwned(context, job, warnings);
    await context.tombstones.bury(entry.id);
    return resultOf(removal, warnings);
  } catch (error) {
    await giveUp(context, entry);
    throw refusalOf(error, entry);
  }
}

/** Ends the program, takes in its last words, and takes the pane out of tmux. */
async function endProgram(context: SessionContext, entry: SessionEntry): Promise<void> {
  const { live } = entry;
  if (live === undefined) return endProcesses(context, entry.id);
  await abandonPane(context, live.pane);
  await live.seal();
  await storeScrollback(context, entry, live);
  live.settled();
}

async function removeOwned(context: SessionContext, { entry, worktree, query }: Job, warnings: string[]): Promise<Removal> {
  const warning = await tearDown(context, entry.record, worktree);
  if (warning !== undefined) warnings.push(warning);
  await clearSetupMark(worktree);
  return context.worktrees.remove(entry.id, { salvage: query.force === true });
}

function resultOf(removal: Removal | undefined, warnings: readonly string[]): KillResult {
  return {
    removed: true,
    worktree: removal === undefined ? 'kept' : 'removed',
    ...(removal?.branch_kept === undefined ? {} : { branch_kept: removal.branch_kept }),
    ...(removal?.salvage === undefined ? {} : { salvage_ref: removal.salvage.ref }),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  };
}

/** The session is dead and keeps its worktree; it can be killed again. */
async function giveUp(context: SessionContext, entry: SessionEntry): Promise<void> {
  entry.claim({ kind: 'resting' });
  await context.keeper.observe(entry, killGivenUp);
  context.registry.publish(entry);
}

function refusalOf(error: unknown, { record }: SessionEntry): unknown {
  const inventory = inventoryOf(error);
  if (inventory !== undefined && !inventory.clean) return dirtyError(record, { inventory, ended: true });
  if (!(error instanceof MaestroError)) return error;
  const text = `${labelOf(record)} was ended and its worktree is kept: ${error.message}. Kill it again once that is mended`;
  return new MaestroError(error.code, text, { details: { ...error.details, id: record.id, ended: true }, cause: error });
}
