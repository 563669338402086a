import { useEffect, useRef, useState } from 'react';
import { usePageSigns } from '../attention/page-signs.js';
import { useAttention } from '../attention/use-attention.js';
import { useQuietToggle } from '../attention/use-quiet-toggle.js';
import { PageCommands, useCommands } from '../keys/page-commands.js';
import { useLeader } from '../keys/use-leader.js';
import { usePageChords } from '../keys/use-page-chords.js';
import { usePalettePrefetch } from '../palette/late-palette-list.js';
import { Palette } from '../palette/palette.js';
import { useRecentSession } from '../palette/recent.js';
import { useTerminalPrefetch } from '../pane/late-terminal.js';
import { PHONE } from '../parts/phone.js';
import { useVariables } from '../parts/use-variables.js';
import { sessionName } from '../session/session-name.js';
import { compareViews, groupSessions } from '../session/session-order.js';
import type { SessionView } from '../session/session-state.js';
import { otherTheme } from '../settings/other-theme.js';
import { Sidebar } from '../sidebar/sidebar.js';
import { text } from '../text/text.js';
import { panesOf } from '../views/split-layout.js';
import { useSidebarPlace } from '../views/use-sidebar-place.js';
import { useSplitHref } from '../views/view-switch.js';
import { WALL_HREF } from '../views/wall-address.js';
import { goToListed } from './go-to-listed.js';
import { LateDialog } from './late-dialog.js';
import { MainView } from './main-view.js';
import { openSession } from './open-session.js';
import type { CreateWish, Opened } from './opened-dialog.js';
import { usePageParts } from './parts-context.js';
import { navigate, type Route, sessionHref, useRoute } from './route.js';
import { ToastList } from './toast-list.js';
import { useFilter } from './use-filter.js';
import { useFeed, useSessionViews } from './use-sessions.js';

/** The page of who is signed in: the sessions, and one of them. */
export function Workspace() {
  const route = useRoute();
  const views = useSessionViews();
  const leader = useLeader();
  const { login, preferences } = usePageParts();
  const { theme } = preferences;
  const [commands] = useState(() => new PageCommands());
  const [opened, setOpened] = useState<Opened | { readonly kind: 'palette' }>();
  const leading = usePageChords(commands, { leader, onNumber: (number) => goToListed(number, views) });
  const [filter, setFilter] = useFilter(route);
  const shownId = shownSession(route);
  const current = views.find(({ session }) => session.id === shownId);
  const waiting = views.filter(({ state }) => state === 'waiting').length;
  usePageSigns(waiting, route.page === 'wall' ? text.views.wall.title : current && sessionName(current.session));
  useRecentSession(shownId);
  useTerminalPrefetch();
  usePalettePrefetch();
  useAttention(sessionsInView(route));
  const sidebar = useSidebarPlace(route);
  const app = useRef<HTMLDivElement>(null);
  useVariables(app, { '--sidebar-w': sidebar.width });
  const splitHref = useSplitHref(shownId);
  useOpenSomething(route, views);
  const create = (wish: CreateWish) => setOpened({ kind: 'create', wish });
  useCommands(commands, {
    new: () => create({}),
    palette: () => setOpened({ kind: 'palette' }),
    keys: () => setOpened({ kind: 'keys' }),
    settings: () => setOpened({ kind: 'settings' }),
    worktrees: () => setOpened({ kind: 'worktrees' }),
    theme: () => theme.set(otherTheme(theme.value)),
    sign_out: () => void login.signOut(),
    sidebar: sidebar.toggle,
    next_waiting: () => goToNextWaiting(views, current),
    wall: () => navigate(WALL_HREF),
    split: () => navigate(splitHref),
    quiet: useQuietToggle(),
  });
  const isKnown = useFeed().state !== 'connecting';
  const isEmpty = isKnown && views.length === 0;
  const shape = `${sidebar.isShown ? '' : ' is-full'}${route.page === 'list' && !isEmpty ? ' is-list' : ''}`;
  return (
    <div ref={app} className={`app${shape}${leading ? ' is-leading' : ''}`}>
      <Sidebar views={views} currentId={shownId} filter={filter} onFilter={setFilter} leader={leader} commands={commands} />
      <main className="main">
        <MainView
          route={route}
          views={views}
          filter={filter}
          onFilter={setFilter}
          leader={leader}
          leading={leading}
          commands={commands}
          onCreate={(preset) => create({ preset })}
        />
      </main>
      {opened?.kind === 'palette' && (
        <Palette onCreate={create} onClose={() => setOpened(undefined)} {...{ views, current, leader, commands }} />
      )}
      <LateDialog
        opened={opened?.kind === 'palette' ? undefined : opened}
        onClose={() => setOpened(undefined)}
        {...{ views, current, leader }}
      />
      <ToastList />
    </div>
  );
}

/** The session in view, or, of several, the one that has the keyboard. */
function shownSession(route: Route): string | undefined {
  if (route.page === 'session') return route.id;
  return route.page === 'split' ? panesOf(route.layout)[route.active]?.id : undefined;
}

/** All of which the user sees the terminals. */
function sessionsInView(route: Route): readonly string[] {
  if (route.page !== 'split' || matchMedia(PHONE).matches) return [shownSession(route) ?? []].flat();
  return panesOf(route.layout).flatMap(({ id }) => id ?? []);
}

/** On a desk the list is never alone: the session looked at last, else the most urgent one. */
function useOpenSomething(route: Route, views: readonly SessionView[]): void {
  const { lastSession } = usePageParts().preferences;
  const shown = shownSession(route);
  useEffect(() => {
    if (shown !== undefined) lastSession.set(shown);
  }, [shown, lastSession]);
  useEffect(() => {
    if (route.page !== 'list' || matchMedia(PHONE).matches) return;
    const last = views.find(({ session }) => session.id === lastSession.value) ?? mostUrgent(views);
    if (last !== undefined) navigate(sessionHref(last.session.id), { replace: true });
  }, [route.page, views, lastSession]);
}

function mostUrgent(views: readonly SessionView[]): SessionView | undefined {
  return groupSessions(views)[0]?.views[0];
}

/** The one that waits longest; from there, the one after it. */
function goToNextWaiting(views: readonly SessionView[], current: SessionView | undefined): void {
  const waiting = views.filter(({ state }) => state === 'waiting').sort(compareViews);
  const at = waiting.findIndex(({ session }) => session.id === current?.session.id);
  const next = waiting[(at + 1) % Math.max(1, waiting.length)];
  if (next !== undefined) openSession(next.session.id);
}
