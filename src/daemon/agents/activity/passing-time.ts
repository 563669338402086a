import { type ActivityProfile, decides } from './activity-profile.js';
import { type Advanced, type EngineState, show } from './activity-state.js';

/** A screen rests when nothing was put out for so long. */
export const REST_MS = 3_000;

interface Passing {
  readonly now: number;
  readonly lastOutputAt?: number | undefined;
}

/** What only time tells: that work which was told to end did not go on, that an agent has started, that it never said so, and silence. */
export function tick(profile: ActivityProfile, before: EngineState, { now, lastOutputAt }: Passing): Advanced {
  const isNews = lastOutputAt !== undefined && lastOutputAt > (before.lastOutputAt ?? 0);
  const state = isNews ? { ...before, lastOutputAt: Math.min(lastOutputAt, now) } : before;
  if (!isDue(profile, state, now)) return { state };
  const { held } = state;
  if (held?.dueAt !== undefined) return showHeld(before, state);
  if (state.state === 'working') {
    return show(before, state, {
      state: 'idle',
      at: now,
      source: 'output',
      reason: `${seconds(profile.outputIdleAfterMs)} without output`,
    });
  }
  if (state.aliveAt !== undefined)
    return show(before, state, { state: 'idle', at: now, source: 'time', reason: 'it has started, and its screen rests' });
  const reason = `nothing said for ${seconds(profile.dialogAfterMs)} after the start, and the screen rests`;
  const message = 'It has not said that it is ready: a dialog may be open.';
  return show(before, state, { state: 'waiting', at: now, source: 'time', reason, waiting: 'dialog', message });
}

function showHeld(before: EngineState, state: EngineState): Advanced {
  const { held } = state;
  if (held === undefined) return { state };
  const { at, source, reason, message, failed } = held;
  const rested = { ...state, held: undefined, waits: [], background: 0, backgroundAgents: 0 };
  return show(before, rested, { state: 'idle', at, source, reason, message, failed });
}

function isDue(profile: ActivityProfile, state: EngineState, now: number): boolean {
  const due = dueAt(profile, state);
  return due !== undefined && due <= now;
}

export function dueAt(profile: ActivityProfile, state: EngineState): number | undefined {
  if (state.held?.dueAt !== undefined) return state.held.dueAt;
  const { outputIdleAfterMs } = profile;
  if (state.state === 'working' && outputIdleAfterMs !== undefined && decides(profile, 'output', state.heard)) {
    return (state.lastOutputAt ?? state.since) + outputIdleAfterMs;
  }
  return isStarting(state) ? startIsOverAt(profile, state) : undefined;
}

/** A dialog that time alone has told may have been none: a start that was slower still has another end with its first word. */
function isStarting({ state, waiting, claim, aliveAt }: EngineState): boolean {
  return state === 'unknown' || (waiting === 'dialog' && claim === undefined && aliveAt !== undefined);
}

/** When a start without a word has lasted long enough, if the screen rests until then. */
function startIsOverAt({ dialogAfterMs }: ActivityProfile, { startedAt, aliveAt, lastOutputAt }: EngineState): number | undefined {
  if (startedAt === undefined || dialogAfterMs === undefined) return undefined;
  const restsAt = (lastOutputAt ?? startedAt) + REST_MS;
  return aliveAt === undefined ? Math.max(startedAt + dialogAfterMs, restsAt) : Math.max(aliveAt + REST_MS, restsAt);
}

function seconds(ms: number | undefined): string {
  return `${Math.round((ms ?? 0) / 1000)} s`;
}
