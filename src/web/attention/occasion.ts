import type { Session } from '../../protocol/index.js';
import { visibleText } from '../parts/visible-text.js';
import { sessionName } from '../session/session-name.js';
import { text } from '../text/text.js';

/** What a person who looks elsewhere is told of. */
export type OccasionKind = 'waiting' | 'done' | 'failed';

export interface Occasion {
  readonly session: Session;
  readonly kind: OccasionKind;
  /** Another text for each change of the session that is worth telling, and the same one in every page that sees it. */
  readonly key: string;
}

/** What there is to tell of the session as it is now. */
export function occasionOf(session: Session): Occasion | undefined {
  const { status, activity } = session;
  if (status !== 'running' || activity === undefined) return undefined;
  const { state, kind = '', since, done, failed } = activity;
  if (state === 'waiting') return { session, kind: 'waiting', key: `waiting ${kind} ${since}` };
  if (state !== 'idle' || !done) return undefined;
  return { session, kind: failed ? 'failed' : 'done', key: `done ${since}` };
}

export interface Notice {
  readonly title: string;
  readonly body: string;
}

/** Longer names and messages are cut, in characters. */
const NAME_LIMIT = 60;
const MESSAGE_LIMIT = 200;

/** The occasion in words: which session, why, and what its agent says. Agents write what they like: here it is one bounded line of text. */
export function noticeOf({ session, kind }: Occasion): Notice {
  const message = bounded(session.activity?.message ?? '', MESSAGE_LIMIT);
  return {
    title: text.attention.notice(bounded(sessionName(session), NAME_LIMIT), reasonOf(session, kind)),
    body: message === '' ? bounded(session.cwd, MESSAGE_LIMIT) : message,
  };
}

function reasonOf({ activity }: Session, kind: OccasionKind): string {
  if (kind !== 'waiting') return text.attention.reasons[kind];
  return activity?.kind === undefined ? text.session.waitsForYou : text.session.waits[activity.kind].label;
}

function bounded(words: string, limit: number): string {
  const characters = [...visibleText(words.replace(/\s+/g, ' ').trim())];
  return characters.length <= limit ? characters.join('') : `${characters.slice(0, limit - 1).join('')}…`;
}
