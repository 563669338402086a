import type { ActivityProfile } from './activity-profile.js';
import { type Advanced, type EngineState, show, transition } from './activity-state.js';
import type { AgentSignal } from './agent-signal.js';
import { hintFor } from './hint.js';
import { isAnswered, isBeside, lastWait, withAnswer, withWait } from './open-waits.js';
import { isOvertaken, LATE_MS } from './signal-order.js';

/** The status file is ahead of the hook that tells whether tasks go on, so its `idle` is shown only when that hook does not come. */
export const ESC_GRACE_MS = LATE_MS;
/** The end of the last agent in the background wakes the root agent; it is idle when that does not happen in this time. */
export const BACKGROUND_GRACE_MS = 10_000;

type SaidState = Exclude<AgentSignal['state'], undefined>;
type Decided = AgentSignal & { readonly state: SaidState; readonly now: number };

interface Belief<S = Decided> {
  /** What was shown before the signal came. */
  readonly before: EngineState;
  readonly signal: S;
  readonly profile: ActivityProfile;
}

/** Takes in what a source says that decides, unless it has been overtaken. */
export function believe(state: EngineState, { before, signal: told, profile }: Belief): Advanced {
  const isNewTurn = told.turn !== undefined && told.turn !== before.turn;
  const opens = told.opens === true && (told.turn === undefined || isNewTurn);
  const signal = { ...told, opens };
  const isAnswer = signal.state === 'working' && signal.subject !== undefined;
  if (isAnswer && isAsked(state, signal)) return answer(state, before, signal);
  const noted = isAnswer ? withAnswer(state, signal.subject ?? '', signal.at) : state;
  const isMoot = signal.state === 'waiting' && isAnswered(noted, signal, profile.hooksAreOrdered);
  const isAside = signal.state === 'working' && isBeside(noted, signal);
  if (isMoot || isAside || isOvertaken(noted.claim, signal, { hooksAreOrdered: profile.hooksAreOrdered, isNewTurn })) {
    return kept(noted, before, signal);
  }
  return decide(withClaim(noted, signal, isNewTurn), before, signal);
}

/** A sub-agent's requests wait for the user like the root's. Its work and its end are none of the root's. */
export function believeSubAgent(state: EngineState, { before, signal, profile }: Belief<AgentSignal & { readonly now: number }>): Advanced {
  if (signal.state === 'waiting' && !isAnswered(state, signal, profile.hooksAreOrdered)) {
    return wait(withClaim(state, { ...signal, state: 'waiting' }, false), before, signal);
  }
  if (signal.state === 'working' && signal.subject !== undefined) {
    if (isAsked(state, signal)) return answer(state, before, { ...signal, state: 'working' });
    return kept(withAnswer(state, signal.subject, signal.at), before, signal);
  }
  return kept(signal.state === 'idle' ? withFewerAgents(state, signal) : state, before, signal);
}

function withClaim(state: EngineState, signal: AgentSignal & { readonly state: SaidState }, isNewTurn: boolean): EngineState {
  const { at, source, waiting, begins, opens } = signal;
  const claim = {
    at,
    source,
    state: signal.state,
    waiting,
    begins: begins !== undefined && opens !== true,
    opens: opens === true || isNewTurn,
  };
  return { ...state, claim };
}

function isAsked({ waits }: EngineState, { subject }: AgentSignal): boolean {
  return waits.some((one) => one.subject === subject);
}

function kept(state: EngineState, before: EngineState, { at, source, event = 'report' }: AgentSignal): Advanced {
  return before.agent_session === state.agent_session ? { state } : transition(before, state, { at, source, reason: event });
}

function decide(state: EngineState, before: EngineState, signal: Decided): Advanced {
  const { at, source, message, event: reason = signal.state } = signal;
  switch (signal.state) {
    case 'working':
      return show(before, { ...state, waits: [], held: undefined }, { state: 'working', at, source, reason, message });
    case 'waiting':
      return wait(state, before, signal);
    case 'idle':
      return idle(state, before, signal);
    case 'ended':
      return show(before, atRest(state), { state: 'ended', at, source, reason });
  }
}

/** Nothing is under way any more. */
function atRest(state: EngineState): EngineState {
  const formerTurns = state.turn === undefined ? state.formerTurns : [...state.formerTurns, state.turn].slice(-4);
  return { ...state, waits: [], held: undefined, background: 0, backgroundAgents: 0, turn: undefined, formerTurns };
}

function wait(state: EngineState, before: EngineState, signal: AgentSignal): Advanced {
  const { at, source, event: reason = 'waiting' } = signal;
  const isSame = state.state === 'waiting' && (signal.subject === undefined || isAsked(state, signal));
  const shown = isSame ? state : undefined;
  if (isSame && signal.subject === undefined && state.waits.some(({ subject }) => subject !== undefined)) {
    const message = state.message ?? signal.message;
    return show(before, state, { state: 'waiting', at, source, reason, waiting: state.waiting, message });
  }
  const hint = hintFor(state, signal);
  const waiting = signal.waiting ?? hint.waiting ?? shown?.waiting ?? 'permission';
  const message = signal.message ?? hint.message ?? shown?.message;
  return show(before, withWait(state, { ...signal, waiting, message }), { state: 'waiting', at, source, reason, waiting, message });
}

/** One request less; the user is asked for what is left. */
function answer(state: EngineState, before: EngineState, signal: Decided): Advanced {
  const { subject = '', at, source, event: reason = 'answered' } = signal;
  const next = withClaim(withAnswer(state, subject, at), signal, false);
  const open = lastWait(next);
  if (open === undefined) return show(before, next, { state: 'working', at, source, reason });
  const claim = { at, source, state: 'waiting', waiting: open.kind, begins: false, opens: false } as const;
  const { kind: waiting = 'permission', message } = open;
  return show(before, { ...next, claim }, { state: 'waiting', at, source, reason, waiting, message });
}

function idle(state: EngineState, before: EngineState, signal: Decided): Advanced {
  const begins = signal.begins !== undefined;
  const next = begins ? atRest(state) : withBackground(state, signal);
  const wasIdle = before.state === 'idle';
  const hint = hintFor(state, signal);
  const message = signal.message ?? before.held?.message ?? hint.message ?? (wasIdle && !begins ? before.message : undefined);
  const failed = signal.failed ?? before.held?.failed ?? (wasIdle && !begins && before.failed);
  const { at, source, event: reason = 'idle' } = signal;
  const held = { at, message, failed, source, reason };
  if (goesOn(next, signal)) {
    const work = `${reason}, ${next.background} in the background`;
    return show(before, { ...next, waits: [], held }, { state: 'working', at, source, reason: work });
  }
  if (isEarly(before, signal))
    return kept({ ...next, held: { ...held, dueAt: before.held?.dueAt ?? signal.now + ESC_GRACE_MS } }, before, signal);
  return show(before, { ...next, waits: [], held: undefined }, { state: 'idle', at, source, reason, message, failed });
}

/** All tasks count when the hook lists them; later, when the agent says that it is idle, only those that report back. */
function goesOn({ background, backgroundAgents }: EngineState, signal: AgentSignal): boolean {
  return (signal.background === undefined ? backgroundAgents : background) > 0;
}

function withBackground(state: EngineState, { background, background_agents }: AgentSignal): EngineState {
  return background === undefined ? state : { ...state, background, backgroundAgents: background_agents ?? background };
}

/** An end that may be of an Esc, or be followed by a hook that tells more. */
function isEarly({ state, claim, heard, held }: EngineState, { source }: AgentSignal): boolean {
  if (source !== 'status_file' || !heard.includes('hook')) return false;
  return (state === 'working' || state === 'waiting') && (claim?.state !== 'idle' || held?.dueAt !== undefined);
}

function withFewerAgents(state: EngineState, { background, background_agents, now }: AgentSignal & { readonly now: number }): EngineState {
  if (background === undefined) return state;
  const next = withBackground(state, { source: 'hook', at: now, background, background_agents });
  if (next.held === undefined || background > 0) return next;
  return { ...next, held: { ...next.held, dueAt: next.held.dueAt ?? now + BACKGROUND_GRACE_MS } };
}
