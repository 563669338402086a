import { type Exit, type Explanation, NAME_KEY, type Session, type WaitingKind } from '../protocol/index.js';
import { printable } from './printable.js';
import { signalName } from './signal-name.js';

/** What is shown of an agent's activity, be it now or at some time before. */
export interface ShownActivity {
  readonly state: Explanation['state'];
  readonly kind?: WaitingKind | undefined;
  /** Idle after work whose end nobody has seen yet. */
  readonly done?: boolean | undefined;
  /** Idle after work that ended by an error. */
  readonly failed?: boolean | undefined;
}

/** The id's first characters, as shown and accepted. */
export function shortId(session: Session): string {
  return session.id.slice(0, 8);
}

/** The display name as it is stored. */
export function givenName(session: Session): string | undefined {
  const name = session.metadata[NAME_KEY];
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** What to call a session in a message: its name, else its short id. Safe for a terminal. */
export function displayName(session: Session): string {
  return printable(givenName(session) ?? shortId(session));
}

/** Its name with its short id behind it. Safe for a terminal. */
export function calledText(session: Session): string {
  return givenName(session) === undefined ? shortId(session) : `${displayName(session)} (${shortId(session)})`;
}

/** What a session does, in one or two words: what its agent says while it runs, else its status and why it ended. */
export function stateText(session: Session): string {
  if (session.status === 'running') return session.activity === undefined ? 'running' : activityText(session.activity);
  const { exit } = session;
  if (exit === undefined) return session.status;
  return `${session.status} (${exitWords(exit)})`;
}

/** What an agent does, such as `waiting (permission)`, `idle (done)` or `failed`. */
export function activityText({ state, kind, done, failed }: ShownActivity): string {
  if (state === 'waiting') return kind === undefined ? state : `${state} (${kind})`;
  if (state !== 'idle') return state;
  return failed ? 'failed' : done ? 'idle (done)' : state;
}

function exitWords(exit: Exit): string {
  if (exit.reason === 'resume_failed') return 'resume failed';
  if (exit.reason !== 'exited') return exit.reason;
  if (exit.signal !== undefined) return signalName(exit.signal);
  return exit.code === undefined ? 'exited' : `exit ${exit.code}`;
}

/** How a session's program ended, as the rest of a sentence that its name begins. */
export function exitSentence(exit: Exit | undefined): string {
  if (exit === undefined) return 'has ended';
  if (exit.reason === 'stopped') return 'was stopped';
  if (exit.reason === 'lost') return 'was lost: tmux or the host went down';
  const failed = exit.reason === 'resume_failed' ? ' right after the resume' : '';
  if (exit.signal !== undefined) return `was ended by ${signalName(exit.signal)}${failed}`;
  return exit.code === undefined ? `ended${failed}` : `exited with code ${exit.code}${failed}`;
}
