import type { Session } from '../../protocol/index.js';

/** What a session's glyph says. */
export type SessionState = 'waiting' | 'dead' | 'done' | 'working' | 'starting' | 'idle' | 'dormant';

export interface SessionView {
  readonly session: Session;
  readonly state: SessionState;
  /** True for a dead or done one that was shown to the user since. */
  readonly seen: boolean;
  /** When the state began, in milliseconds of `Date.now()`. */
  readonly since: number;
}

export interface Seen {
  /** When the user last looked at the session, in milliseconds of `Date.now()`. */
  readonly at?: number | undefined;
  /** A resume or restart that this page asked for is under way. */
  readonly starting?: boolean;
}

export function viewSession(session: Session, { at = 0, starting = false }: Seen = {}): SessionView {
  const since = stateSince(session);
  const seen = at >= since;
  if (starting) return { session, state: 'starting', seen, since };
  return { session, state: stateOf(session, seen), seen, since };
}

function stateOf({ status, activity }: Session, seen: boolean): SessionState {
  if (status !== 'running') return status;
  if (activity === undefined) return 'idle';
  if (activity.state === 'idle') return seen ? 'idle' : 'done';
  return activity.state;
}

function stateSince({ status, activity, exit, created_at, updated_at }: Session): number {
  if (status !== 'running') return Date.parse(exit?.at ?? updated_at);
  return Date.parse(activity?.since ?? created_at);
}

/** The order of urgency: a dead one that was seen has nothing more to tell than an idle one. */
const RANKS: readonly (SessionState | 'dead, seen')[] = ['waiting', 'dead', 'done', 'working', 'starting', 'idle', 'dead, seen', 'dormant'];

/** Smaller is more urgent. */
export function stateRank({ state, seen }: Pick<SessionView, 'state' | 'seen'>): number {
  return RANKS.indexOf(state === 'dead' && seen ? 'dead, seen' : state);
}

const LABELS: Readonly<Record<SessionState, string>> = {
  waiting: 'Waiting',
  dead: 'Dead',
  done: 'Done, not seen',
  working: 'Working',
  starting: 'Starting',
  idle: 'Idle',
  dormant: 'Dormant',
};

export function stateLabel(state: SessionState): string {
  return LABELS[state];
}

/** True where the program ended well: its cross is grey. */
export function endedWell({ exit }: Session): boolean {
  return exit?.reason === 'stopped' || (exit?.signal === undefined && exit?.code === 0);
}
