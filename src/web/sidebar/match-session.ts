import { sessionName } from '../session/session-name.js';
import type { SessionView } from '../session/session-state.js';
import { type TalliedState, talliedState } from '../session/tally.js';

/** Which sessions are shown: those in a state, with all of some words. */
export interface SessionFilter {
  readonly query: string;
  readonly state: TalliedState | undefined;
}

export const NO_FILTER: SessionFilter = { query: '', state: undefined };

export function isFiltering({ query, state }: SessionFilter): boolean {
  return query.trim() !== '' || state !== undefined;
}

export function matchesFilter(view: SessionView, { query, state }: SessionFilter): boolean {
  return (state === undefined || talliedState(view.state) === state) && matchesQuery(view, query.trim());
}

/** True when every word of `query` is in what the list shows of the session. */
export function matchesQuery({ session, project }: SessionView, query: string): boolean {
  const branch = session.git?.branch ?? session.worktree?.branch ?? '';
  const shown = [sessionName(session), project.path, branch, session.command, session.activity?.message ?? '', session.id];
  const text = shown.join('\n').toLocaleLowerCase();
  return query
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
