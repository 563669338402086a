import { MaestroError, type ResumeRequest, type Session } from '../../protocol/index.js';
import { presetOf, requireInstalled } from '../agents/presets.js';
import type { Sidecar } from '../store/sidecar.js';
import { requireOffered } from './agents/stored-conversations.js';
import { removeDoomed } from './doomed-worktree.js';
import type { LiveSession } from './live-session.js';
import { requireOnlyWriter } from './one-writer.js';
import { messageOf, requireWritable } from './record-keeper.js';
import type { SessionContext } from './session-context.js';
import type { Phase, SessionEntry } from './session-entry.js';
import { endedInReboot, lostInReboot, resumeUndone, resuming, spawned } from './session-record.js';
import { notFound } from './session-registry.js';
import { abandon, endProcesses } from './session-remains.js';
import { labelOf } from './session-view.js';
import { requireOwnWorktree } from './session-worktree.js';
import { requireCwd } from './working-directory.js';

/**
 * Brings a dormant or dead session back under its own id, and to its conversation or to the one that is asked for.
 *
 * Durable steps: the intent with what the session was; the pane; the intent marked as spawned. The claim is taken before the first
 * await, so a second resume is refused at once; a kill meanwhile wins, and what this one made is ended again.
 */
export async function resumeSession(context: SessionContext, id: string, { agent_session }: ResumeRequest = {}): Promise<Session> {
  if (agent_session !== undefined) await requireOffered(context, id, agent_session);
  const entry = context.registry.need(id);
  if (entry.phase.kind !== 'resting') {
    const hint = entry.phase.kind === 'killing' ? 'is being killed' : 'is running already; attach to it';
    throw new MaestroError('already_running', `${labelOf(entry.record)} ${hint}`, { details: { id } });
  }
  if (entry.record.status === 'running') {
    const text = `${labelOf(entry.record)} runs on in tmux and could not be taken over yet; that is tried again, attach to it then`;
    throw new MaestroError('already_running', text, { details: { id } });
  }
  requireWritable(entry);
  // Before the claim and in the same step, so that of two that come for one conversation at once the second sees the first.
  requireOnlyWriter(context, { ...entry.record, ...(agent_session === undefined ? {} : { agent_session }) });
  const from = entry.phase;
  const generation = entry.claim({ kind: 'resuming' });
  try {
    await bringBack(context, entry, { generation, agent_session });
  } catch (error) {
    await giveBack(context, entry, { generation, from });
    await removeDoomed(context, entry);
    throw error;
  }
  context.registry.publish(entry);
  context.log.info({ session: id, run: entry.record.run }, 'session resumed');
  context.background.start(() => context.keeper.mirror(entry));
  return entry.view();
}

interface Bringing {
  readonly generation: number;
  readonly agent_session: string | undefined;
}

async function bringBack(context: SessionContext, entry: SessionEntry, { generation, agent_session }: Bringing): Promise<void> {
  const { id, cwd } = entry.record;
  await requireCwd(cwd);
  await requireOwnWorktree(context, entry.record);
  const preset = presetOf(entry.record, context.presets);
  if (preset) await requireInstalled(preset, entry.record.env.PATH ?? context.path);
  await endProcesses(context, id);
  stillOurs(entry, generation);
  await context.keeper.commit(entry, (record) => resuming(record, context.clock.now(), agent_session));
  stillOurs(entry, generation);
  context.registry.publish(entry);
  const stored = await context.scrollbacks.read(id);
  stillOurs(entry, generation);
  const launch = await context.launches.resume(entry.record);
  const { agent_session: chosen } = launch;
  stillOurs(entry, generation);
  if (chosen !== undefined) await context.keeper.commit(entry, (record) => ({ ...record, agent_session: chosen }));
  stillOurs(entry, generation);
  let live: LiveSession | undefined;
  const start = async () => {
    live = await context.launcher.start(entry.record, launch, stored);
    stillOurs(entry, generation);
    return live;
  };
  try {
    const running = await context.keeper.commitAfter(entry, (record) => spawned(record, context.clock.now()), start);
    stillOurs(entry, generation);
    entry.claim({ kind: 'running', live: running });
    // It may have been given another size while the pane was made.
    running.viewers.set(entry.record.size);
  } catch (error) {
    if (live !== undefined) await abandon(context, live);
    throw error;
  }
}

/** Throws when a kill has come in between. */
function stillOurs(entry: SessionEntry, generation: number): void {
  if (!entry.holds(generation)) throw notFound(entry.id);
}

/** The resume was refused or failed: the session is what it was, and can be resumed again. */
async function giveBack(context: SessionContext, entry: SessionEntry, claim: { generation: number; from: Phase }): Promise<void> {
  if (!entry.holds(claim.generation)) return;
  entry.claim(claim.from);
  if (entry.record.intent?.kind !== 'resume') return;
  const undone = (record: Sidecar): Sidecar => {
    const former = resumeUndone(record, context.clock.now());
    const lostAt = context.tmuxLoss.at;
    // Had tmux died while the session was what it is again now, its end would have counted as part of that.
    const isLostMeanwhile = lostAt !== undefined && lostAt >= Date.parse(record.intent?.at ?? '');
    return isLostMeanwhile && endedInReboot(former, lostAt) ? lostInReboot(former, lostAt) : former;
  };
  await context.keeper.observe(entry, undone).catch((error: unknown) => {
    context.log.error({ session: entry.id, error: messageOf(error) }, 'a failed resume could not be undone on disk');
  });
  context.registry.publish(entry);
}
