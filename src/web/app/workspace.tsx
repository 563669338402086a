import { useEffect, useMemo, useState } from 'react';
import { CreateDialog } from '../create/create-dialog.js';
import { SessionPage } from '../pane/session-page.js';
import { PHONE } from '../pane/use-live-terminal.js';
import { useStore } from '../parts/store.js';
import { projectOf, shortPath } from '../session/project.js';
import { sessionName } from '../session/session-name.js';
import { compareViews, groupSessions } from '../session/session-order.js';
import type { SessionView } from '../session/session-state.js';
import { Sidebar } from '../sidebar/sidebar.js';
import { parseLeader } from './chords.js';
import { GonePage } from './gone-page.js';
import { KeysDialog } from './keys-dialog.js';
import { PageCommands, useCommands, usePageChords } from './page-commands.js';
import { usePageSigns } from './page-signs.js';
import { useConnection, usePageParts } from './parts-context.js';
import { navigate, type Route, sessionHref, useRoute } from './route.js';
import { ToastList } from './toast-list.js';
import { useHost } from './use-host.js';
import { useFeed, useSessionViews } from './use-sessions.js';
import { WelcomePage } from './welcome-page.js';

/** What an opened dialog of the workspace is for. */
type Opened = { readonly kind: 'create'; readonly preset?: string | undefined } | { readonly kind: 'keys' };

/** The page of who is signed in: the sessions, and one of them. */
export function Workspace() {
  const route = useRoute();
  const views = useSessionViews();
  const hostLeader = useHost()?.leader;
  const leader = useMemo(() => parseLeader(hostLeader), [hostLeader]);
  const [commands] = useState(() => new PageCommands());
  const [opened, setOpened] = useState<Opened>();
  const leading = usePageChords(commands, leader);
  const { sidebarHidden } = usePageParts().preferences;
  const current = route.page === 'session' ? views.find(({ session }) => session.id === route.id) : undefined;
  const waiting = views.filter(({ state }) => state === 'waiting').length;
  usePageSigns(waiting, current && sessionName(current.session));
  useOpenSomething(route, views);
  useCommands(commands, {
    new: () => setOpened({ kind: 'create' }),
    keys: () => setOpened({ kind: 'keys' }),
    sidebar: () => sidebarHidden.set(!sidebarHidden.value),
    next_waiting: () => goToNextWaiting(views, current),
  });
  const isKnown = useFeed().state !== 'connecting';
  const isEmpty = isKnown && views.length === 0;
  const shape = `${useStore(sidebarHidden) ? ' is-full' : ''}${route.page === 'list' && !isEmpty ? ' is-list' : ''}`;
  return (
    <div className={`app${shape}`}>
      <Sidebar views={views} currentId={current?.session.id} leader={leader} commands={commands} />
      <main className="main">
        {current !== undefined ? (
          <SessionPage
            key={current.session.id}
            view={current}
            showsChanges={route.page === 'session' && route.view === 'changes'}
            leader={leader}
            leading={leading}
            commands={commands}
          />
        ) : (
          <NoSession route={route} isEmpty={isEmpty} commands={commands} onCreate={(preset) => setOpened({ kind: 'create', preset })} />
        )}
      </main>
      {opened?.kind === 'create' && <Create preset={opened.preset} views={views} current={current} onClose={() => setOpened(undefined)} />}
      {opened?.kind === 'keys' && <KeysDialog leader={leader} onClose={() => setOpened(undefined)} />}
      <ToastList />
    </div>
  );
}

interface NoSessionProps {
  readonly route: Route;
  readonly isEmpty: boolean;
  readonly commands: PageCommands;
  readonly onCreate: (preset?: string) => void;
}

function NoSession({ route, isEmpty, commands, onCreate }: NoSessionProps) {
  const { state } = useFeed();
  if (isEmpty && route.page === 'list' && state === 'live') return <WelcomePage commands={commands} onCreate={onCreate} />;
  if (route.page === 'unknown' || (route.page === 'session' && state === 'live')) return <GonePage isSession={route.page === 'session'} />;
  return (
    <>
      <header className="bar" />
      <section className="panel" aria-label="Loading" aria-busy="true" />
    </>
  );
}

interface CreateProps {
  readonly preset: string | undefined;
  readonly views: readonly SessionView[];
  readonly current: SessionView | undefined;
  readonly onClose: () => void;
}

function Create({ preset, views, current, onClose }: CreateProps) {
  const { room } = useConnection();
  const { lastCwd } = usePageParts().preferences;
  const home = useHost()?.home;
  const places = [...new Set(views.map(({ session }) => shortPath(projectOf(session).path, home)))].sort((a, b) => a.localeCompare(b));
  const here = current === undefined ? undefined : shortPath(projectOf(current.session).path, home);
  return (
    <CreateDialog
      preset={preset}
      cwd={here ?? (lastCwd.value || '~')}
      places={places}
      size={room.size}
      onClose={onClose}
      onCreated={({ id }) => {
        onClose();
        navigate(sessionHref(id));
      }}
    />
  );
}

/** On a desk the list is never alone: the session looked at last, else the most urgent one. */
function useOpenSomething(route: Route, views: readonly SessionView[]): void {
  const { lastSession } = usePageParts().preferences;
  const shown = route.page === 'session' ? route.id : undefined;
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
  if (next !== undefined) navigate(sessionHref(next.session.id));
}
