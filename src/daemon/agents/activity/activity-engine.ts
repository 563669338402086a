import { type ActivityProfile, decides } from './activity-profile.js';
import { type Advanced, type EngineState, type ShownActivity, show, type Told, transition } from './activity-state.js';
import type { AgentSignal } from './agent-signal.js';
import { believe, believeSubAgent } from './belief.js';
import { place } from './conversation.js';
import { confirm } from './hint.js';
import { dueAt, tick } from './passing-time.js';
import { withTurn } from './signal-order.js';

export interface EngineStart {
  /** When the program was started, in milliseconds since 1970. Left out for one that ran before the daemon did. */
  readonly startedAt?: number | undefined;
  /** Signals of older runs are ignored. */
  readonly run?: number | undefined;
  /** The conversation, as far as it is known before. */
  readonly agent_session?: string | undefined;
  /** The number of the session's last transition. */
  readonly seq?: number | undefined;
  /** What was shown when the daemon stopped, if the program has run on since. */
  readonly former?: ShownActivity | undefined;
}

/** What one agent does, by what it says. Pure: it keeps nothing, and time comes in as milliseconds since 1970. */
export interface ActivityEngine {
  begin(start: EngineStart): EngineState;
  /** Takes one signal, late ones too. */
  advance(state: EngineState, signal: AgentSignal, now: number): Advanced;
  /** Takes in that it is `now`, and when output came last; to be called at {@link dueAt}. Earlier calls do no harm. */
  tick(state: EngineState, now: number, lastOutputAt?: number): Advanced;
  /** When time alone may change the state, or undefined: one timer for it is all that is needed. */
  dueAt(state: EngineState): number | undefined;
  /** Shows what a client says of the session. What its agent says next counts as ever. */
  assert(state: EngineState, told: Told, now: number): Advanced;
  /** The user has seen that the work is done. */
  seen(state: EngineState): EngineState;
  /** True while the next output is to be told as a signal. At all other times it is enough to tell {@link tick}. */
  wantsOutput(state: EngineState): boolean;
}

export function createEngine(profile: ActivityProfile): ActivityEngine {
  return {
    begin: (start) => begin(profile, start),
    advance: (state, signal, now) => advance(profile, state, { ...signal, at: Math.min(signal.at, now), now }),
    tick: (state, now, lastOutputAt) => tick(profile, state, { now, lastOutputAt }),
    dueAt: (state) => dueAt(profile, state),
    assert,
    seen: (state) => (state.done ? { ...state, done: false } : state),
    wantsOutput: (state) => state.state !== 'working' && decides(profile, 'output', state.heard),
  };
}

/** A signal with the time at which it is taken in. Its own time is never later. */
export type TimedSignal = AgentSignal & { readonly now: number };

function begin(profile: ActivityProfile, { startedAt, run, agent_session, seq = 0, former }: EngineStart): EngineState {
  return {
    state: 'unknown',
    since: startedAt ?? 0,
    done: false,
    failed: false,
    ...former,
    seq,
    run,
    startedAt,
    agent_session,
    children: [],
    formerTurns: [],
    waits: [],
    answered: [],
    background: 0,
    backgroundAgents: 0,
    heard: [],
    isReady: profile.readyBy === undefined || startedAt === undefined,
    hasWorked: former?.state === 'working' || former?.state === 'waiting',
  };
}

function advance(profile: ActivityProfile, before: EngineState, signal: TimedSignal): Advanced {
  if (signal.run !== undefined && before.run !== undefined && signal.run < before.run) return { state: before };
  const state = withClock(before, signal.now);
  if (signal.source === 'output') return output(profile, state, signal);
  const placed = place(state, signal);
  if (placed.whose === 'foreign') return { state };
  const alive = withLife(placed.state, signal);
  if (placed.whose === 'sub_agent') return believeSubAgent(alive, { before, signal, profile });
  const turned = withTurn(alive, signal);
  if (turned === undefined) return unchanged(before, alive, signal);
  return root(profile, turned, { before, signal });
}

function assert(before: EngineState, { state, message, agent_session = before.agent_session }: Told, now: number): Advanced {
  const told = { ...before, agent_session, held: undefined, waits: [], isReady: true, aliveAt: before.aliveAt ?? now };
  return show(before, told, { state, at: now, source: 'report', reason: 'reported by a client', message });
}

interface Heard {
  readonly before: EngineState;
  readonly signal: TimedSignal;
}

function root(profile: ActivityProfile, state: EngineState, { before, signal }: Heard): Advanced {
  const { source, state: said } = signal;
  if (said === undefined) return unchanged(before, state, signal);
  const heard = state.heard.includes(source) ? state.heard : [...state.heard, source];
  const hearing = { ...state, heard };
  const isStart = !state.isReady && source === profile.readyBy;
  if (!state.isReady && !isStart && said === 'idle') return unchanged(before, hearing, signal);
  if (!isStart && !decides(profile, source, heard)) return confirm(hearing, before, signal);
  return believe({ ...hearing, isReady: true }, { before, signal: { ...signal, state: said }, profile });
}

/** Nothing else is shown, but the conversation may be another one. */
function unchanged(before: EngineState, state: EngineState, { at, source, event = 'report' }: TimedSignal): Advanced {
  return before.agent_session === state.agent_session ? { state } : transition(before, state, { at, source, reason: event });
}

function output(profile: ActivityProfile, state: EngineState, { at }: TimedSignal): Advanced {
  const heard = { ...state, lastOutputAt: Math.max(at, state.lastOutputAt ?? at) };
  if (!decides(profile, 'output', state.heard) || state.state === 'working') return { state: heard };
  return show(state, heard, { state: 'working', at, source: 'output', reason: 'output' });
}

/** Titles and output may come from the shell that starts the agent. */
function withLife(state: EngineState, { source, now }: TimedSignal): EngineState {
  return state.aliveAt !== undefined || source === 'title' ? state : { ...state, aliveAt: now };
}

/** A clock that was set back must not make all that follows look old. */
function withClock(state: EngineState, now: number): EngineState {
  const { claim, rotatedAt } = state;
  if ((claim?.at ?? now) <= now && (rotatedAt ?? now) <= now) return state;
  const answered = state.answered.map((one) => ({ ...one, at: Math.min(one.at, now) }));
  return {
    ...state,
    answered,
    claim: claim && { ...claim, at: Math.min(claim.at, now) },
    rotatedAt: rotatedAt && Math.min(rotatedAt, now),
  };
}
