import { randomUUID } from 'node:crypto';
import { type CreateSessionRequest, DEFAULT_SIZE, MaestroError, type Session, type SpawnPreset } from '../../protocol/index.js';
import { startingConversation } from '../agents/adapters/launch-plan.js';
import { withPrompt } from '../agents/adapters/with-prompt.js';
import { requireInstalled } from '../agents/presets.js';
import { formatTime } from '../clock.js';
import { deferred } from '../deferred.js';
import { SIDECAR_VERSION, type Sidecar } from '../store/sidecar.js';
import { undoWorktree } from './doomed-worktree.js';
import type { LiveSession } from './live-session.js';
import { requireOnlyWriter } from './one-writer.js';
import { messageOf } from './record-keeper.js';
import type { SessionContext } from './session-context.js';
import { SessionEntry } from './session-entry.js';
import { created } from './session-record.js';
import { abandon, discard } from './session-remains.js';
import { makeSessionWorktree, type PlannedWorktree, planSessionWorktree, requireCwdOf, worktreeOf } from './session-worktree.js';
import { expandCwd, requireCwd } from './working-directory.js';

/**
 * Makes a session and starts its program.
 *
 * Durable steps: the sidecar with a `create` intent; the worktree, if it is to have one; the pane; the sidecar without the intent. A
 * failure undoes what was made; a crash leaves the intent, and the next recovery does.
 */
export async function createSession(context: SessionContext, request: CreateSessionRequest): Promise<Session> {
  const id = randomUUID();
  const { record, worktree } = await draft(context, { id, request });
  const entry = new SessionEntry(record, { kind: 'creating' });
  const birth = deferred();
  entry.born = birth.promise;
  context.registry.add(entry);
  try {
    await bringToLife(context, entry, worktree);
  } finally {
    entry.born = undefined;
    birth.resolve();
  }
  context.registry.publish(entry);
  context.background.start(() => context.keeper.mirror(entry));
  return entry.view();
}

async function bringToLife(context: SessionContext, entry: SessionEntry, worktree: PlannedWorktree | undefined): Promise<void> {
  const { record } = entry;
  let live: LiveSession | undefined;
  try {
    await context.sidecars.save(record);
    if (worktree !== undefined) await makeSessionWorktree(context, worktree);
    const launch = await context.launches.start(record);
    const { keeper, launcher, clock } = context;
    const start = async () => {
      live = await launcher.start(record, launch);
      return live;
    };
    const running = await keeper.commitAfter(entry, (current) => created(current, clock.now()), start);
    entry.claim({ kind: 'running', live: running });
  } catch (error) {
    await undoCreate(context, entry, live);
    throw error;
  }
}

interface Draft {
  readonly record: Sidecar;
  readonly worktree: PlannedWorktree | undefined;
}

/** Checks the whole request, with nothing made. */
async function draft(context: SessionContext, { id, request }: { id: string; request: CreateSessionRequest }): Promise<Draft> {
  const preset = request.preset === undefined ? undefined : await requirePreset(context, request);
  const command = commandOf(context, request, preset);
  const asked = request.cwd === undefined ? undefined : expandCwd(request.cwd, context.home);
  if (asked !== undefined) await requireCwd(asked);
  const { metadata } = request;
  const worktree = request.worktree && (await planSessionWorktree(context, { id, request: request.worktree, metadata }));
  const cwd = worktree?.record.path ?? requireCwdOf(asked);
  const now = formatTime(context.clock.now());
  const record: Sidecar = {
    version: SIDECAR_VERSION,
    id,
    status: 'running',
    created_at: now,
    updated_at: now,
    cwd,
    command,
    env: { ...request.env },
    metadata: { ...request.metadata },
    ...(preset === undefined ? {} : { preset: preset.id }),
    ...(worktree === undefined ? {} : { worktree: worktreeOf(worktree.record) }),
    ...conversationOf(context, { command, preset: preset?.id }),
    size: request.size ?? DEFAULT_SIZE,
    run: 1,
    epoch: 1,
    intent: { kind: 'create', at: now },
  };
  requireOnlyWriter(context, record);
  return { record, worktree };
}

/** What the session runs, with the first prompt in it. */
function commandOf({ launches }: SessionContext, request: CreateSessionRequest, preset: SpawnPreset | undefined): string {
  const { prompt } = request;
  const command = request.command ?? preset?.command;
  if (command === undefined) throw refused('command', 'give a command or a preset');
  if (prompt === undefined) return command;
  const agent = launches.agentOf({ command, ...(preset === undefined ? {} : { preset: preset.id }) });
  if (agent === undefined) throw refused('prompt', 'the command runs no agent that Maestro knows; send it when the session is there');
  const prompted = withPrompt(agent, command, prompt);
  if ('refusal' in prompted) throw refused('prompt', prompted.refusal);
  return prompted.command;
}

function refused(field: 'command' | 'prompt', why: string): MaestroError {
  return new MaestroError('invalid_request', `${field}: ${why}`, { details: { field } });
}

/** The conversation that the session will be in, where that is known before its agent starts: written down first, it is never lost. */
function conversationOf({ launches }: SessionContext, session: Pick<Sidecar, 'command' | 'preset'>): Pick<Sidecar, 'agent_session'> {
  const agent = launches.agentOf(session);
  const begins = agent && startingConversation(agent, session.command);
  if (begins?.how === 'given') return { agent_session: begins.id };
  return begins?.how === 'chosen' ? { agent_session: randomUUID() } : {};
}

async function requirePreset(context: SessionContext, { preset: id, env }: CreateSessionRequest): Promise<SpawnPreset> {
  const preset = context.presets.find((candidate) => candidate.id === id);
  if (preset === undefined) {
    const known = context.presets.map((candidate) => candidate.id).join(', ');
    throw new MaestroError('invalid_request', `preset: ${JSON.stringify(id)} is not one of ${known}`, {
      details: { field: 'preset', value: id },
    });
  }
  await requireInstalled(preset, env?.PATH ?? context.path);
  return preset;
}

/** The doom and the tombstone come first: should this be cut off too, recovery knows that worktree and pane are nobody's. */
async function undoCreate(context: SessionContext, entry: SessionEntry, live: LiveSession | undefined): Promise<void> {
  await context.worktrees.doom(entry.id, 'salvage').catch((error: unknown) => {
    context.log.warn({ session: entry.id, error: messageOf(error) }, 'the worktree of a create that failed could not be marked');
  });
  await context.tombstones.bury(entry.id).catch((error: unknown) => {
    context.log.warn({ session: entry.id, error: messageOf(error) }, 'no tombstone could be written for a create that failed');
  });
  if (live) await abandon(context, live);
  await undoWorktree(context, entry.id);
  await discard(context, entry.id);
  context.registry.remove(entry.id);
}
