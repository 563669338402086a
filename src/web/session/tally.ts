import type { SessionState, SessionView } from './session-state.js';

/** The states that the list counts, in the order of their urgency. A session that starts counts as idle. */
export const TALLIED = ['waiting', 'dead', 'failed', 'done', 'working', 'idle', 'dormant'] as const satisfies readonly SessionState[];

export type TalliedState = (typeof TALLIED)[number];

export function talliedState(state: SessionState): TalliedState {
  return state === 'starting' ? 'idle' : state;
}

/** How many sessions are in each state; those with none are left out, but for the `chosen` one. */
export function tally(views: readonly SessionView[], chosen?: TalliedState): readonly { state: TalliedState; count: number }[] {
  return TALLIED.map((state) => ({ state, count: views.filter((view) => talliedState(view.state) === state).length })).filter(
    ({ state, count }) => count > 0 || state === chosen,
  );
}
