import { useRef, useState } from 'react';
import { IS_APPLE, type Leader, leaderChord } from '../app/chords.js';
import { type PageCommands, useCommands } from '../app/page-commands.js';
import { usePageParts } from '../app/parts-context.js';
import { navigate, sessionHref } from '../app/route.js';
import { useHost } from '../app/use-host.js';
import { useFeed } from '../app/use-sessions.js';
import { Icon } from '../parts/icon.js';
import { Mark } from '../parts/mark.js';
import type { SessionView } from '../session/session-state.js';
import { type TalliedState, talliedState } from '../session/tally.js';
import { SettingsMenu } from '../settings/settings-menu.js';
import { JumpField } from './jump-field.js';
import { matchesQuery } from './match-session.js';
import { ListSkeleton, NoSessions, NothingFound } from './no-sessions.js';
import { SessionList } from './session-list.js';
import { SidebarFoot } from './sidebar-foot.js';
import { StateTally } from './state-tally.js';
import { useSettledGroups } from './use-settled-groups.js';
import { WakeBar } from './wake-bar.js';

interface SidebarProps {
  readonly views: readonly SessionView[];
  readonly currentId: string | undefined;
  readonly leader: Leader | undefined;
  readonly commands: PageCommands;
}

/** All sessions, those that wait first. */
export function Sidebar({ views, currentId, leader, commands }: SidebarProps) {
  const [query, setQuery] = useState('');
  const [state, setState] = useState<TalliedState>();
  const [frozen, setFrozen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const isKnown = useFeed().state !== 'connecting';
  const isFiltered = query.trim() !== '' || state !== undefined;
  const left = views.filter((view) => (state === undefined || talliedState(view.state) === state) && matchesQuery(view, query.trim()));
  const groups = useSettledGroups(left, frozen && !isFiltered);
  useCommands(commands, { jump: () => field.current?.focus() });
  const go = () => {
    const first = groups[0]?.views[0];
    if (first === undefined) return;
    setQuery('');
    navigate(sessionHref(first.session.id));
  };
  return (
    <aside className="side" aria-label="Sessions">
      <SidebarTop waiting={views.some((view) => view.state === 'waiting')} leader={leader} commands={commands} />
      <div className="side__tools">
        <JumpField field={field} value={query} chord={IS_APPLE ? '⌘K' : leaderChord('jump', leader)} onChange={setQuery} onGo={go} />
        <button
          type="button"
          className="btn btn--icon"
          aria-label="New session"
          title={titled('New session', leaderChord('new', leader))}
          onClick={() => commands.run('new')}
        >
          <Icon name="plus" />
        </button>
      </div>
      {views.length > 0 && <StateTally views={views} chosen={state} onChoose={setState} />}
      {views.length === 0 && (isKnown ? <NoSessions /> : <ListSkeleton />)}
      {views.length > 0 && left.length === 0 && <NothingFound query={query} />}
      {left.length > 0 && (
        <SessionList
          groups={groups}
          currentId={currentId}
          unfolded={isFiltered}
          nextChord={leaderChord('next_waiting', leader)}
          onTouch={setFrozen}
        />
      )}
      {left.length === 0 && <span className="grow" />}
      <WakeBar views={views} />
      <SidebarFoot commands={commands} />
    </aside>
  );
}

function SidebarTop({ waiting, leader, commands }: { waiting: boolean; leader: Leader | undefined; commands: PageCommands }) {
  const { preferences } = usePageParts();
  const host = useHost();
  return (
    <div className="side__top">
      <Mark size={20} waiting={waiting} />
      <h1 className="side__host clip">{host?.host_name ?? 'Maestro'}</h1>
      <span className="grow" />
      <button
        type="button"
        className="btn btn--ghost btn--icon desk-only"
        aria-label="Hide sidebar"
        title={titled('Hide sidebar', leaderChord('sidebar', leader))}
        onClick={() => preferences.sidebarHidden.set(true)}
      >
        <Icon name="side" />
      </button>
      <SettingsMenu className="phone-only" commands={commands} />
    </div>
  );
}

function titled(text: string, chord: string | undefined): string {
  return chord === undefined ? text : `${text}  ${chord}`;
}
