import { fieldInUse } from '../parts/field-in-use.js';
import { paneOf, panesOf, sideBySide, withDropped, withSession } from '../views/split-layout.js';
import { currentRoute, navigate, sessionHref, splitHref } from './route.js';

/** Shows the session where the user works: of several panes in the one that has it, else in the one that has the keyboard. */
export function openSession(id: string): void {
  fieldInUse()?.blur(); // the session is to have the keyboard
  const route = currentRoute();
  const shown = route.page === 'split' ? paneOf(route.layout, id) : -1;
  if (route.page !== 'split') navigate(sessionHref(id));
  else if (shown !== -1) navigate(splitHref({ ...route, active: shown }), { replace: true });
  else navigate(splitHref({ ...route, layout: withSession(route.layout, route.active, id) }));
}

/** Shows a session that was just made: of several panes in the empty one that has the keyboard, else in one more where there is room. */
export function showNewSession(id: string): void {
  fieldInUse()?.blur();
  const route = currentRoute();
  if (route.page !== 'split' || panesOf(route.layout)[route.active]?.id === undefined) openSession(id);
  else {
    const layout = withDropped(route.layout, route.active, { side: 'right', id });
    navigate(splitHref({ layout, active: paneOf(layout, id) }));
  }
}

/** Shows a session beside what is shown: in one more pane where there is room, else in the one that has the keyboard. */
export function openBeside(id: string): void {
  const route = currentRoute();
  const split = route.page === 'split' ? route : route.page === 'session' ? { layout: sideBySide([route.id]), active: 0 } : undefined;
  if (split === undefined || paneOf(split.layout, id) !== -1) openSession(id);
  else {
    const layout = withDropped(split.layout, split.active, { side: 'right', id });
    navigate(splitHref({ layout, active: paneOf(layout, id) }));
  }
}
