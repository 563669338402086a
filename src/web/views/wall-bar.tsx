import { openSession } from '../app/open-session.js';
import { usePageParts } from '../app/parts-context.js';
import { useHost } from '../app/use-host.js';
import { type Leader, leaderChord } from '../keys/chords.js';
import type { PageCommands } from '../keys/page-commands.js';
import { Icon } from '../parts/icon.js';
import { Mark } from '../parts/mark.js';
import { useStore } from '../parts/store.js';
import { compareViews } from '../session/session-order.js';
import type { SessionView } from '../session/session-state.js';
import { JumpField } from '../sidebar/jump-field.js';
import { matchesFilter, type SessionFilter } from '../sidebar/match-session.js';
import { StateTally } from '../sidebar/state-tally.js';
import { text } from '../text/text.js';
import { BackToSessions } from './back-to-sessions.js';
import { SidebarButton } from './show-sidebar.js';
import { ViewSwitch } from './view-switch.js';

interface WallBarProps {
  readonly views: readonly SessionView[];
  readonly filter: SessionFilter;
  readonly onFilter: (filter: SessionFilter) => void;
  readonly leader: Leader | undefined;
  readonly commands: PageCommands;
}

/** Above the wall: how many there are in which state, and which of them are shown. */
export function WallBar({ views, filter, onFilter, leader, commands }: WallBarProps) {
  const { wallSidebar } = usePageParts().preferences;
  const host = useHost()?.host_name;
  const shown = useStore(wallSidebar);
  const { title, sessions } = text.views.wall;
  const tally = (className: string) => <StateTally className={className} views={views} filter={filter} onFilter={onFilter} />;
  return (
    <>
      <header className="bar">
        {!shown && <SidebarButton shown={false} leader={leader} commands={commands} />}
        <BackToSessions />
        <div className="bar__title bar__title--wall">
          {!shown && <Mark size={20} waiting={views.some(({ state }) => state === 'waiting')} />}
          <h1 className="strong">{title}</h1>
          <span className="fg3 clip desk-only">{sessions(host, views.length)}</span>
          {!shown && tally('tally--bar')}
        </div>
        {!shown && <WallActions views={views} filter={filter} onFilter={onFilter} leader={leader} commands={commands} />}
        <span className="bar__sep desk-only" />
        <ViewSwitch currentId={undefined} leader={leader} />
      </header>
      {!shown && tally('tally--wall')}
    </>
  );
}

function WallActions({ views, filter, onFilter, leader, commands }: WallBarProps) {
  const go = () => {
    const first = views.filter((view) => matchesFilter(view, filter)).sort(compareViews)[0];
    if (first !== undefined) openSession(first.session.id);
  };
  return (
    <div className="bar__actions desk-only">
      <JumpField filter={filter} onFilter={onFilter} leader={leader} commands={commands} onGo={go} />
      <button type="button" className="btn" title={leaderChord('new', leader)} onClick={() => commands.run('new')}>
        <Icon name="plus" />
        {text.create.title}
      </button>
    </div>
  );
}
