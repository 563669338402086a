import type { EngineState, Wait } from './activity-state.js';
import type { AgentSignal } from './agent-signal.js';
import { CONCURRENT_MS } from './signal-order.js';

const MOST_WAITS = 16;
const MOST_ANSWERED = 16;

/** The state with one more thing asked for. One without a subject is the same as the one that comes with it. */
export function withWait(state: EngineState, { subject, waiting: kind, message }: AgentSignal): EngineState {
  const others = state.waits.filter((wait) => wait.subject !== undefined && wait.subject !== subject);
  return { ...state, waits: [...others, { subject, kind, message }].slice(-MOST_WAITS) };
}

/** Takes note that what is behind `subject` is no longer asked for. */
export function withAnswer(state: EngineState, subject: string, at: number): EngineState {
  const answered = [...state.answered.filter((one) => one.subject !== subject), { subject, at }].slice(-MOST_ANSWERED);
  return { ...state, answered, waits: state.waits.filter((wait) => wait.subject !== subject) };
}

/** True if the answer came ahead of the request. */
export function isAnswered(state: EngineState, { subject, at }: AgentSignal, hooksAreOrdered: boolean): boolean {
  const window = hooksAreOrdered ? 0 : CONCURRENT_MS;
  return state.answered.some((one) => one.subject === subject && at - one.at <= window);
}

/** True if `signal` is of work beside what is asked for, which goes on while the request stands. */
export function isBeside({ waits }: EngineState, { source, subject, opens }: AgentSignal): boolean {
  if (source !== 'hook' || opens === true) return false;
  return waits.some((wait) => wait.subject !== undefined && wait.subject !== subject);
}

export function lastWait(state: EngineState): Wait | undefined {
  return state.waits.at(-1);
}
