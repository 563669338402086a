import { type Advanced, type EngineState, show, transition } from './activity-state.js';
import type { AgentSignal, WaitingKind } from './agent-signal.js';

/** A hint and what it is about come so close together, in milliseconds. */
const HINT_MS = 2_000;

/** What a source that only confirms adds to the same state. */
export interface Hint {
  readonly waiting?: WaitingKind | undefined;
  readonly message?: string | undefined;
}

/** Takes in what a source says that does not decide: it is kept for the decision to come, and completes the one that was made. */
export function confirm(state: EngineState, before: EngineState, signal: AgentSignal): Advanced {
  const hinted = { ...state, hint: signal };
  const { at, source, event = 'report' } = signal;
  if (signal.state !== state.state || at < state.since - HINT_MS) {
    return before.agent_session === state.agent_session ? { state: hinted } : transition(before, hinted, { at, source, reason: event });
  }
  const waiting = state.claim?.waiting ?? signal.waiting ?? state.waiting;
  const message = state.message ?? signal.message;
  return show(before, hinted, { state: state.state, at, source, reason: event, waiting, message, failed: state.failed });
}

/** What was said of `signal`'s state by others shortly before. */
export function hintFor({ hint }: EngineState, signal: AgentSignal): Hint {
  return hint !== undefined && hint.state === signal.state && Math.abs(signal.at - hint.at) <= HINT_MS ? hint : {};
}
