import { projectOf } from '../session/project.js';
import { sessionName } from '../session/session-name.js';
import type { SessionView } from '../session/session-state.js';

/** True when every word of `query` is in what the list shows of the session. */
export function matchesQuery({ session }: SessionView, query: string): boolean {
  const shown = [sessionName(session), projectOf(session).path, session.command, session.activity?.message ?? '', session.id];
  const text = shown.join('\n').toLocaleLowerCase();
  return query
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
