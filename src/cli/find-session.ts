import type { Session } from '../protocol/index.js';
import { CliError } from './cli-error.js';
import { printable } from './printable.js';
import { displayName, givenName, shortId } from './session-text.js';
import { shellQuote } from './shell-quote.js';

/** A shorter prefix of an id is more likely a slip than a choice. */
const LEAST_PREFIX = 4;

/** The one session that `target` names: by its id, else its whole name, else the beginning of its id. */
export function findSession(sessions: readonly Session[], target: string): Session {
  const name = target.normalize('NFC').trim();
  const byId = sessions.filter(({ id }) => id === target.toLowerCase());
  const byName = sessions.filter((session) => givenName(session) === name);
  const prefix = target.toLowerCase();
  const byPrefix = prefix.length < LEAST_PREFIX ? [] : sessions.filter(({ id }) => id.startsWith(prefix));
  const found = [byId, byName, byPrefix].find((candidates) => candidates.length > 0) ?? [];
  const [session, ...others] = found;
  if (session === undefined) throw new CliError('not_found', `no session is called ${printable(target)}; maestro ls shows all`);
  if (others.length > 0) throw ambiguous(target, found);
  return session;
}

function ambiguous(target: string, candidates: readonly Session[]): CliError {
  const lines = candidates.map((session) => `  ${session.id}  ${displayName(session)}  ${printable(session.cwd)}`);
  const message = `${candidates.length} sessions fit ${printable(target)}; name one by its id:\n${lines.join('\n')}`;
  return new CliError('ambiguous', message, { details: { candidates: candidates.map(({ id }) => id) } });
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
