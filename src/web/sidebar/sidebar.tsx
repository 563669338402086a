import { useMemo, useState } from 'react';
import { openSession } from '../app/open-session.js';
import { useHost } from '../app/use-host.js';
import { useFeed } from '../app/use-sessions.js';
import { QuietSign } from '../attention/quiet-sign.js';
import { type Leader, leaderChord } from '../keys/chords.js';
import type { PageCommands } from '../keys/page-commands.js';
import { Icon } from '../parts/icon.js';
import { Link } from '../parts/link.js';
import { Mark } from '../parts/mark.js';
import { titled } from '../parts/titled.js';
import type { SessionView } from '../session/session-state.js';
import { SettingsMenu } from '../settings/settings-menu.js';
import { text } from '../text/text.js';
import { SidebarButton } from '../views/show-sidebar.js';
import { WALL_HREF } from '../views/wall-address.js';
import { JumpField } from './jump-field.js';
import { isFiltering, matchesFilter, NO_FILTER, type SessionFilter } from './match-session.js';
import { ListSkeleton, NoSessions, NothingFound } from './no-sessions.js';
import { SessionList } from './session-list.js';
import { SidebarFoot } from './sidebar-foot.js';
import { SidebarResizer } from './sidebar-resizer.js';
import { StateTally } from './state-tally.js';
import { useSettledGroups } from './use-settled-groups.js';
import { WakeBar } from './wake-bar.js';

interface SidebarProps {
  readonly views: readonly SessionView[];
  readonly currentId: string | undefined;
  readonly filter: SessionFilter;
  readonly onFilter: (filter: SessionFilter) => void;
  readonly leader: Leader | undefined;
  readonly commands: PageCommands;
}

/** All sessions, those that wait first. */
export function Sidebar({ views, currentId, filter, onFilter, leader, commands }: SidebarProps) {
  const [frozen, setFrozen] = useState(false);
  const isKnown = useFeed().state !== 'connecting';
  const isFiltered = isFiltering(filter);
  const left = useMemo(() => views.filter((view) => matchesFilter(view, filter)), [views, filter]);
  const groups = useSettledGroups(left, frozen && !isFiltered);
  const go = () => {
    const first = groups[0]?.views[0];
    if (first === undefined) return;
    onFilter({ ...filter, query: '' });
    openSession(first.session.id);
  };
  return (
    <aside className="side" aria-label={text.workspace.sessions}>
      <SidebarTop waiting={views.some((view) => view.state === 'waiting')} leader={leader} commands={commands} />
      <div className="side__tools">
        <JumpField filter={filter} onFilter={onFilter} leader={leader} commands={commands} onGo={go} />
        <button
          type="button"
          className="btn btn--icon"
          aria-label={text.create.title}
          title={titled(text.create.title, leaderChord('new', leader))}
          onClick={() => commands.run('new')}
        >
          <Icon name="plus" />
        </button>
      </div>
      {views.length > 0 && <StateTally views={views} filter={filter} onFilter={onFilter} />}
      {views.length === 0 && (isKnown ? <NoSessions /> : <ListSkeleton />)}
      {views.length > 0 && left.length === 0 && <NothingFound query={filter.query} onClear={() => onFilter(NO_FILTER)} />}
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
      <WakeBar views={views} commands={commands} />
      <SidebarFoot commands={commands} />
      <SidebarResizer />
    </aside>
  );
}

function SidebarTop({ waiting, leader, commands }: { waiting: boolean; leader: Leader | undefined; commands: PageCommands }) {
  const host = useHost();
  return (
    <div className="side__top">
      <Mark size={20} waiting={waiting} />
      <h1 className="side__host clip">{host?.host_name ?? 'Maestro'}</h1>
      <span className="grow" />
      <SidebarButton shown leader={leader} commands={commands} />
      <QuietSign className="phone-only" />
      <Link href={WALL_HREF} className="btn btn--ghost btn--icon phone-only" aria-label={text.views.wall.title}>
        <Icon name="wall" />
      </Link>
      <SettingsMenu className="phone-only" commands={commands} />
    </div>
  );
}
