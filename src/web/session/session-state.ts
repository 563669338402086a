import type { Session } from '../../protocol/index.js';
import { text } from '../text/text.js';
import { type ProjectPlace, projectOf } from './project.js';
import { activityMessage } from './session-note.js';

/** What a session's glyph says. */
export type SessionState = 'waiting' | 'dead' | 'failed' | 'done' | 'working' | 'starting' | 'idle' | 'dormant';

export interface SessionView {
  readonly session: Session;
  readonly state: SessionState;
  /** True for a dead, failed or done one that was shown to the user since. */
  readonly seen: boolean;
  /** When the state began, in milliseconds of `Date.now()`. */
  readonly since: number;
  readonly project: ProjectPlace;
}

export interface Seen {
  /** When the user last looked at the session, in milliseconds of `Date.now()`. */
  readonly at?: number | undefined;
  /** A resume or restart that this page asked for is under way. */
  readonly starting?: boolean;
  /** The repository that its directory is in, where that is known. */
  readonly repository?: string | undefined;
}

export function viewSession(session: Session, { at = 0, starting = false, repository }: Seen = {}): SessionView {
  const since = stateSince(session);
  const seen = at >= since;
  return { session, state: starting ? 'starting' : stateOf(session, seen), seen, since, project: projectOf(session, repository) };
}

function stateOf({ status, activity }: Session, seen: boolean): SessionState {
  if (status !== 'running') return status;
  if (activity === undefined) return 'idle';
  if (activity.state !== 'idle') return activity.state;
  // The daemon hears of it a little later, and may be out of reach.
  if (!activity.done || seen) return 'idle';
  return activity.failed ? 'failed' : 'done';
}

function stateSince({ status, activity, exit, created_at, updated_at }: Session): number {
  if (status !== 'running') return Date.parse(exit?.at ?? updated_at);
  return Date.parse(activity?.since ?? created_at);
}

/** The order of urgency: a dead one that was seen has nothing more to tell than an idle one. */
const RANKS: readonly (SessionState | 'dead, seen')[] = [
  'waiting',
  'dead',
  'failed',
  'done',
  'working',
  'starting',
  'idle',
  'dead, seen',
  'dormant',
];

/** Smaller is more urgent. */
export function stateRank({ state, seen }: Pick<SessionView, 'state' | 'seen'>): number {
  return RANKS.indexOf(state === 'dead' && seen ? 'dead, seen' : state);
}

export function stateLabel(state: SessionState): string {
  return text.session.states[state];
}

/** The state in words, with what is waited for where that is known. */
export function viewLabel({ state, session: { activity } }: SessionView): string {
  if (state === 'waiting' && activity?.kind !== undefined) return text.session.waits[activity.kind].label;
  return state === 'idle' && activity?.failed ? text.session.states.failedSeen : stateLabel(state);
}

/** What is waited for: `Permission: run make`. */
export function waitText(session: Session): string {
  const { kind } = session.activity ?? {};
  const message = activityMessage(session);
  const { waits, waitsFor } = text.session;
  if (message === '') return waits[kind ?? 'question'].label;
  return kind === undefined ? message : waitsFor(waits[kind].heading, message);
}

/** True where the program ended well: its cross is grey. */
export function endedWell({ exit }: Session): boolean {
  return exit?.reason === 'stopped' || (exit?.signal === undefined && exit?.code === 0);
}
