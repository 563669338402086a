import type { EngineState } from './activity-state.js';
import type { AgentSignal } from './agent-signal.js';

const MOST_CHILDREN = 64;

export interface Placed {
  readonly state: EngineState;
  /** Whose signal it is: `foreign` is of a conversation that is over, or of none of this session. */
  readonly whose: 'root' | 'sub_agent' | 'foreign';
}

/**
 * Tells whose a signal is, and follows the conversation: the newest one that the root agent began is the session's. Nothing else ever
 * replaces it, so that neither sub-agents nor hidden threads can; one that is not known yet is taken from any report of the root agent.
 */
export function place(state: EngineState, signal: AgentSignal): Placed {
  const { agent_session: id, begins, scope } = signal;
  if (id !== undefined && state.children.includes(id)) return { state, whose: 'sub_agent' };
  if (scope === 'sub_agent') return { state: withChild(state, id), whose: 'sub_agent' };
  if (id === undefined || id === state.agent_session)
    return { state: begins === undefined ? state : rotated(state, signal), whose: 'root' };
  if (begins === 'switch') return mayTurnTo(state) ? { state: rotated(state, signal), whose: 'root' } : { state, whose: 'foreign' };
  if (begins !== undefined) return begin(state, signal);
  if (signal.source === 'status_file') return { state, whose: 'root' }; // of the very process, so only its id may be late
  if (signal.state === 'ended') return { state, whose: 'foreign' };
  if (state.agent_session === undefined) return { state: { ...state, agent_session: id }, whose: 'root' };
  return { state, whose: signal.opens === true ? 'root' : 'foreign' };
}

function begin(state: EngineState, signal: AgentSignal): Placed {
  const isOlder = state.rotatedAt !== undefined && signal.at < state.rotatedAt;
  return isOlder ? { state, whose: 'foreign' } : { state: rotated(state, signal), whose: 'root' };
}

/** A sub-agent's prompt comes only while the root works, so at any other time a prompt is the root's. */
function mayTurnTo(state: EngineState): boolean {
  return state.agent_session === undefined || (state.state !== 'working' && state.state !== 'waiting');
}

function rotated(state: EngineState, { agent_session, at }: AgentSignal): EngineState {
  return { ...state, agent_session: agent_session ?? state.agent_session, rotatedAt: Math.max(at, state.rotatedAt ?? at) };
}

function withChild(state: EngineState, id: string | undefined): EngineState {
  if (id === undefined || id === state.agent_session || state.agent_session === undefined) return state;
  return { ...state, children: [...state.children, id].slice(-MOST_CHILDREN) };
}
