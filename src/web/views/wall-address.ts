import { TALLIED } from '../session/tally.js';
import { NO_FILTER, type SessionFilter } from '../sidebar/match-session.js';

export const WALL_HREF = '/wall';

/** The address of the wall with these sessions on it. */
export function wallHref({ query, state }: SessionFilter): string {
  const parameters = new URLSearchParams();
  if (state !== undefined) parameters.set('state', state);
  if (query.trim() !== '') parameters.set('find', query);
  return parameters.size === 0 ? WALL_HREF : `${WALL_HREF}?${parameters}`;
}

/** What the address says of the filter; undefined when it says nothing. A state of another version of the page is none. */
export function parseWallFilter(search: string): SessionFilter | undefined {
  const parameters = new URLSearchParams(search);
  const state = TALLIED.find((known) => known === parameters.get('state'));
  const query = parameters.get('find') ?? '';
  return state === undefined && query === '' ? undefined : { ...NO_FILTER, query, state };
}
