import type { Exit, ExitReason, KillQuery, Metadata, Size } from '../../protocol/index.js';
import { formatTime } from '../clock.js';
import type { Intent, Sidecar } from '../store/sidecar.js';

/**
 * The transitions of a session's durable record. Each is a pure function of the record as it is now: callers apply it to the current
 * record, never to one read before an await, so that a report which lands in between survives.
 */

/** What is known of a program's end. `at` is in milliseconds since 1970; `livedMs` is measured, where it can be, whatever clocks say. */
export interface End {
  readonly code?: number;
  readonly signal?: number;
  readonly at: number;
  readonly livedMs?: number;
}

export type ResumeIntent = Extract<Intent, { kind: 'resume' }>;

/** The record without the named fields: an optional field is absent, never undefined. */
export function without<K extends 'activity' | 'exit' | 'intent' | 'agent_session' | 'was_waiting'>(
  record: Sidecar,
  ...keys: readonly K[]
): Sidecar {
  const copy = { ...record };
  for (const key of keys) delete copy[key];
  return copy;
}

export function touched(record: Sidecar, now: number): Sidecar {
  return { ...record, updated_at: formatTime(now) };
}

function exitOf(end: End, reason: ExitReason): Exit {
  return {
    ...(end.code === undefined ? {} : { code: end.code }),
    ...(end.signal === undefined ? {} : { signal: end.signal }),
    reason,
    at: formatTime(end.at),
  };
}

/** The create is done and may be told: what was an intent is now a session. */
export function created(record: Sidecar, now: number): Sidecar {
  return touched(without(record, 'intent'), now);
}

/** The intent of a resume, to be on disk before anything is spawned. `conversation` is the one to come back to. */
export function resuming(record: Sidecar, now: number, conversation = record.agent_session): Sidecar {
  const former: ResumeIntent['former'] = {
    status: record.status,
    run: record.run,
    ...(record.agent_session === undefined ? {} : { agent_session: record.agent_session }),
    ...(record.activity === undefined ? {} : { activity: record.activity }),
    ...(record.exit === undefined ? {} : { exit: record.exit }),
  };
  const attempt = record.intent?.kind === 'resume' ? record.intent.attempt + 1 : 1;
  return touched(
    {
      ...without(record, 'activity', 'exit', 'was_waiting'),
      ...(conversation === undefined ? {} : { agent_session: conversation }),
      status: 'running',
      run: record.run + 1,
      epoch: record.epoch + 1,
      intent: { kind: 'resume', at: formatTime(now), attempt, former },
    },
    now,
  );
}

/** The resumed program has its pane; from now on it is judged by how it ends. */
export function spawned(record: Sidecar, now: number): Sidecar {
  if (record.intent?.kind !== 'resume') return record;
  return { ...record, intent: { ...record.intent, at: formatTime(now), spawned: true } };
}

/** The resumed program has shown that it is there. */
export function spawnedBy(record: Sidecar): Sidecar {
  return record.intent?.kind === 'resume' ? { ...record, intent: { ...record.intent, spawned: true } } : record;
}

/** No program was started: back to what the session was. What was reported meanwhile stays; runs and epochs are not used twice. */
export function resumeUndone(record: Sidecar, now: number): Sidecar {
  if (record.intent?.kind !== 'resume') return record;
  const { status, activity, exit } = record.intent.former;
  return touched(
    {
      ...without(record, 'intent', 'activity', 'exit'),
      status,
      ...(activity === undefined ? {} : { activity }),
      ...(exit === undefined ? {} : { exit }),
    },
    now,
  );
}

/** The resumed program has lived long enough. */
export function resumeConfirmed(record: Sidecar): Sidecar {
  return record.intent?.kind === 'resume' ? without(record, 'intent') : record;
}

/** The resumed program failed at once: dormant again, with the conversation it had before. */
function resumeFailed(record: Sidecar, intent: ResumeIntent, end: End): Sidecar {
  const { agent_session } = intent.former;
  return {
    ...without(record, 'intent', 'activity', 'agent_session'),
    status: 'dormant',
    ...(agent_session === undefined ? {} : { agent_session }),
    exit: exitOf(end, 'resume_failed'),
  };
}

function failedResume(record: Sidecar, end: End, confirmMs: number): ResumeIntent | undefined {
  const { intent } = record;
  if (intent?.kind !== 'resume' || end.code === 0) return undefined;
  const livedMs = end.livedMs ?? end.at - Date.parse(intent.at);
  return livedMs <= confirmMs ? intent : undefined;
}

/** The program has ended, by itself or because a stop was asked for. */
export function ended(record: Sidecar, end: End, context: { now: number; confirmMs: number }): Sidecar {
  const failed = failedResume(record, end, context.confirmMs);
  if (failed) return touched(resumeFailed(record, failed, end), context.now);
  // A kill goes on behind the end of the program, and is asked for again by recovery for as long as its intent is there.
  const rest = record.intent?.kind === 'kill' ? without(record, 'activity') : without(record, 'intent', 'activity');
  return touched({ ...rest, ...waitingOf(record), status: 'dead', exit: exitOf(end, endReason(record)) }, context.now);
}

/** What is left of an activity when its program is gone: whether somebody was waited for. */
function waitingOf({ activity }: Sidecar): Pick<Sidecar, 'was_waiting'> {
  return activity?.state === 'waiting' ? { was_waiting: true } : {};
}

function endReason({ intent }: Sidecar): ExitReason {
  return intent?.kind === 'stop' ? 'stopped' : intent?.kind === 'kill' ? 'killed' : 'exited';
}

/** A kill that must not lose the session's worktree was asked for. */
export function killing(record: Sidecar, { query, now }: { readonly query: KillQuery; readonly now: number }): Sidecar {
  const { force, keep_worktree } = query;
  const intent: Intent = {
    kind: 'kill',
    at: formatTime(now),
    ...(force === undefined ? {} : { force }),
    ...(keep_worktree === undefined ? {} : { keep_worktree }),
  };
  return { ...record, intent };
}

/** The program of a session that is being killed has ended; what did not run stays what it was. */
export function killed(record: Sidecar, now: number): Sidecar {
  if (record.status !== 'running') return record;
  return touched({ ...without(record, 'activity'), status: 'dead', exit: exitOf({ at: now }, 'killed') }, now);
}

/** The kill would lose work: the session is as it is now. */
export function killGivenUp(record: Sidecar): Sidecar {
  return record.intent?.kind === 'kill' ? without(record, 'intent') : record;
}

/** Nobody saw the program end: its pane went with tmux or with the host. */
export function lost(record: Sidecar, now: number): Sidecar {
  const rest = { ...without(record, 'intent', 'activity'), ...waitingOf(record) };
  return touched({ ...rest, status: 'dormant', exit: { reason: 'lost', at: formatTime(now) } }, now);
}

/** How long before the last sign of life of tmux or the daemon an end may lie to be taken for part of the host's going down. */
export const REBOOT_WINDOW_MS = 10_000;

/** How long behind the last sign of life that is known an end may lie: a power cut takes the signs that were not on disk yet. */
const UNSIGNED_MS = 2 * 60_000;

/**
 * True when the session ended unasked so shortly before `lastSign` that the host's shutdown, not the program, was the cause. An end that
 * lies far behind that sign came before it, and the clock was set back in between.
 */
export function endedInReboot(record: Sidecar, lastSign: number): boolean {
  const { exit, status } = record;
  if (exit === undefined || status === 'running') return false;
  if (exit.reason !== 'exited' && exit.reason !== 'resume_failed') return false;
  const at = Date.parse(exit.at);
  return at >= lastSign - REBOOT_WINDOW_MS && at <= lastSign + UNSIGNED_MS;
}

/** An end that belonged to the host's going down was no exit: the session waits to be resumed. It keeps what is known of the end. */
export function lostInReboot(record: Sidecar, now: number): Sidecar {
  if (record.exit === undefined) return lost(record, now);
  return touched({ ...record, status: 'dormant', exit: { ...record.exit, reason: 'lost' } }, now);
}

/** A stop was asked for: the end that follows is no accident. */
export function stopping(record: Sidecar, now: number): Sidecar {
  return { ...record, intent: { kind: 'stop', at: formatTime(now) } };
}

export function stopGivenUp(record: Sidecar): Sidecar {
  return record.intent?.kind === 'stop' ? without(record, 'intent') : record;
}

/**
 * A live pane is taken over under a new epoch of its stream. A run that the pane knows better than the record wins. A resume whose program
 * is found alive has spawned it, even if a crash kept that from being written down.
 */
export function adopted(record: Sidecar, run: number, now: number): Sidecar {
  const running: Sidecar = record.status === 'running' ? spawnedBy(record) : without(record, 'exit', 'activity', 'intent');
  return touched({ ...running, status: 'running', run: Math.max(running.run, run), epoch: running.epoch + 1 }, now);
}

/** The pipe of a running program is armed afresh. */
export function rearmed(record: Sidecar, now: number): Sidecar {
  return touched({ ...record, epoch: record.epoch + 1 }, now);
}

/** An RFC 7396 merge of `patch` into the metadata. */
export function patched(record: Sidecar, patch: Metadata, now: number): Sidecar {
  return touched({ ...record, metadata: mergePatch(record.metadata, patch) }, now);
}

function isObject(value: unknown): value is Metadata {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mergePatch(target: Metadata, patch: Metadata): Metadata {
  const merged = new Map(Object.entries(target));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else if (isObject(value)) {
      const old = merged.get(key);
      merged.set(key, mergePatch(isObject(old) ? old : {}, value));
    } else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

/** A user has looked at it. */
export function lookedAt(record: Sidecar, now: number): Sidecar {
  return { ...record, seen_at: formatTime(now) };
}

export function resized(record: Sidecar, size: Size, now: number): Sidecar {
  return touched({ ...record, size }, now);
}
