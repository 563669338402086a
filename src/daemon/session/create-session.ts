import { randomUUID } from 'node:crypto';
import { type CreateSessionRequest, DEFAULT_SIZE, MaestroError, type Session, type SpawnPreset } from '../../protocol/index.js';
import { requireInstalled } from '../agents/presets.js';
import { formatTime } from '../clock.js';
import { SIDECAR_VERSION, type Sidecar } from '../store/sidecar.js';
import type { LiveSession } from './live-session.js';
import { messageOf } from './record-keeper.js';
import { abandon, discard } from './remove-session.js';
import type { SessionContext } from './session-context.js';
import { SessionEntry } from './session-entry.js';
import { created } from './session-record.js';
import { expandCwd, requireCwd } from './working-directory.js';

/**
 * Makes a session and starts its program.
 *
 * Durable steps: the sidecar with a `create` intent; the pane; the sidecar without it. A failure undoes what was made; a crash leaves
 * the intent, and the next recovery does.
 */
export async function createSession(context: SessionContext, request: CreateSessionRequest): Promise<Session> {
  const record = await draft(context, request);
  const entry = new SessionEntry(record, { kind: 'creating' });
  context.registry.add(entry);
  let live: LiveSession | undefined;
  try {
    await context.sidecars.save(record);
    live = await context.launcher.start(record, record.command);
    const now = context.clock.now();
    await context.sidecars.save(created(record, now));
    entry.change((current) => created(current, now));
  } catch (error) {
    await undoCreate(context, entry, live);
    throw error;
  }
  entry.claim({ kind: 'running', live });
  context.registry.publish(entry);
  await context.keeper.mirror(entry);
  return entry.view();
}

async function draft(context: SessionContext, request: CreateSessionRequest): Promise<Sidecar> {
  const preset = request.preset === undefined ? undefined : await requirePreset(context, request);
  const command = request.command ?? preset?.command;
  if (command === undefined)
    throw new MaestroError('invalid_request', 'command: give a command or a preset', { details: { field: 'command' } });
  const cwd = expandCwd(request.cwd, context.home);
  await requireCwd(cwd);
  const now = formatTime(context.clock.now());
  return {
    version: SIDECAR_VERSION,
    id: randomUUID(),
    status: 'running',
    created_at: now,
    updated_at: now,
    cwd,
    command,
    env: { ...request.env },
    metadata: { ...request.metadata },
    ...(preset === undefined ? {} : { preset: preset.id }),
    size: request.size ?? DEFAULT_SIZE,
    run: 1,
    epoch: 1,
    intent: { kind: 'create', at: now },
  };
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

/** The tombstone comes first: should this be cut off too, recovery knows that the pane is nobody's. */
async function undoCreate(context: SessionContext, entry: SessionEntry, live: LiveSession | undefined): Promise<void> {
  await context.tombstones.bury(entry.id).catch((error: unknown) => {
    context.log.warn({ session: entry.id, error: messageOf(error) }, 'no tombstone could be written for a create that failed');
  });
  if (live) await abandon(context, live);
  await discard(context, entry.id);
  context.registry.remove(entry.id);
}
