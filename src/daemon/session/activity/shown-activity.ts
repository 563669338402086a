import type { Activity, Transition } from '../../../protocol/index.js';
import type { EngineState, Transition as EngineTransition } from '../../agents/activity/activity-state.js';
import { formatTime } from '../../clock.js';

/** What clients see of what an agent does. Nothing while that is not known, and once it has said that it exits. */
export function shownActivity({ state, since, waiting, message, done, failed }: EngineState): Activity | undefined {
  if (state === 'unknown' || state === 'ended') return undefined;
  return {
    state,
    ...(waiting === undefined ? {} : { kind: waiting }),
    ...(message === undefined ? {} : { message }),
    since: formatTime(since),
    ...(done ? { done } : {}),
    ...(failed ? { failed } : {}),
  };
}

/** A transition as clients see it. */
export function shownTransition({ at, waiting, ...transition }: EngineTransition, run: number): Transition {
  return { ...transition, at: formatTime(at), run, ...(waiting === undefined ? {} : { kind: waiting }) };
}
