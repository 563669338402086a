import type { Session } from '../protocol/index.js';
import { findOne, type Naming } from './find-one.js';
import { printable } from './printable.js';
import { displayName, givenName, shortId } from './session-text.js';
import { shellQuote } from './shell-quote.js';

const NAMING: Naming<Session> = {
  kind: 'session',
  listedBy: 'maestro ls',
  nameOf: givenName,
  describe: (session) => `${displayName(session)}  ${printable(session.cwd)}`,
};

/** The one session that `target` names: by its id, else its whole name, else the beginning of its id. */
export function findSession(sessions: readonly Session[], target: string): Session {
  return findOne(sessions, target, NAMING);
}

/** All sessions that `targets` name, each once, in the order named. */
export function findSessions(sessions: readonly Session[], targets: readonly string[]): Session[] {
  return [...new Set(targets.map((target) => findSession(sessions, target)))];
}

/** A word for a shell that names the session: its name, where that can be typed. */
export function targetWord(session: Session): string {
  const name = givenName(session);
  return name === undefined || name.startsWith('-') || printable(name) !== name ? shortId(session) : shellQuote(name);
}
