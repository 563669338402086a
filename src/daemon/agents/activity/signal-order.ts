import type { Claim, EngineState } from './activity-state.js';
import type { AgentSignal } from './agent-signal.js';

/** Reports of processes that run at once come in any order; so close together, what they say counts and not when. */
export const CONCURRENT_MS = 50;
/** So long after a turn's end its late reports may come. */
export const LATE_MS = 1_000;
const MOST_FORMER_TURNS = 4;

/** What ends more wins over what ends less, among signals at the same time. */
const RANK = { working: 1, waiting: 2, idle: 3, ended: 4 } as const;

function rank({ begins, state }: Pick<Claim, 'begins' | 'state'>): number {
  return begins ? 0 : RANK[state];
}

/** Files a signal under its turn. Undefined if that turn was over before the one under way began. */
export function withTurn(state: EngineState, { turn }: AgentSignal): EngineState | undefined {
  if (turn === undefined || turn === state.turn) return state;
  if (state.formerTurns.includes(turn)) return undefined;
  const formerTurns = state.turn === undefined ? state.formerTurns : [...state.formerTurns, state.turn].slice(-MOST_FORMER_TURNS);
  return { ...state, turn, formerTurns };
}

export interface OrderContext {
  readonly hooksAreOrdered: boolean;
  /** The signal is the first that is known of its turn. */
  readonly isNewTurn: boolean;
}

/** True if what a signal says has been overtaken by what was believed before. */
export function isOvertaken(claim: Claim | undefined, signal: AgentSignal & Pick<Claim, 'state'>, context: OrderContext): boolean {
  if (claim === undefined) return false;
  const { at, source, state, turn } = signal;
  const newer = at - claim.at;
  const begins = signal.begins !== undefined;
  if (claim.state === 'ended' && source === 'hook') return !begins && signal.opens !== true;
  if (turn !== undefined && context.isNewTurn) return newer < -LATE_MS;
  if (turn !== undefined && claim.state === 'idle' && !claim.begins && state !== 'idle' && newer < LATE_MS) return true;
  if (state === 'waiting' && signal.subject !== undefined && claim.state === 'working') return newer < -LATE_MS;
  if (source === 'status_file' && claim.opens && newer < 0) return true;
  const window = concurrency(claim, signal, context);
  return newer < -window || (newer <= window && window > 0 && rank({ begins, state }) < rank(claim));
}

/** Two dates of the status file, and what comes in the terminal's output, are in order. */
function concurrency(claim: Claim, { source }: AgentSignal, { hooksAreOrdered }: OrderContext): number {
  if (source === 'status_file') return claim.source === 'status_file' ? 0 : CONCURRENT_MS;
  return source === 'hook' && !hooksAreOrdered ? CONCURRENT_MS : 0;
}
