import { groupSessions } from '../session/session-order.js';
import type { SessionView } from '../session/session-state.js';
import { openSession } from './open-session.js';

/** Goes to a session by its number, counted from 1 as the list shows them; where no list is shown, as it would. */
export function goToListed(number: number, views: readonly SessionView[]): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')].filter((row) => row.offsetParent !== null);
  const listed = rows.flatMap((row) => row.dataset.row ?? []);
  const ids = listed.length > 0 ? listed : groupSessions(views).flatMap((group) => group.views.map(({ session }) => session.id));
  const id = ids[number - 1];
  if (id !== undefined) openSession(id);
}
