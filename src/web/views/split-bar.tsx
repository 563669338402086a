import type { SplitRoute } from '../app/route.js';
import { type Leader, leaderChord, leaderLabel } from '../keys/chords.js';
import type { PageCommands } from '../keys/page-commands.js';
import { Glyph } from '../parts/glyph.js';
import { Icon } from '../parts/icon.js';
import { Link } from '../parts/link.js';
import { sessionName } from '../session/session-name.js';
import type { SessionView } from '../session/session-state.js';
import { text } from '../text/text.js';
import { ShowSidebar } from './show-sidebar.js';
import { isFull, panesOf } from './split-layout.js';
import { activatePane } from './split-moves.js';
import { ViewSwitch } from './view-switch.js';

interface SplitBarProps {
  readonly route: SplitRoute;
  readonly views: readonly SessionView[];
  readonly leader: Leader | undefined;
  /** It waits for its key. */
  readonly leading: boolean;
  readonly commands: PageCommands;
}

/** Above the panes: what can be done with all of them. */
export function SplitBar({ route, views, leader, leading, commands }: SplitBarProps) {
  const panes = panesOf(route.layout);
  const { splitDown, splitRight } = text.views;
  return (
    <header className="bar">
      <ShowSidebar leader={leader} />
      <Link href="/" className="btn btn--ghost btn--icon phone-only" aria-label={text.workspace.backToSessions}>
        <Icon name="left" />
      </Link>
      <div className="bar__title desk-only">
        <Icon name="split" quiet />
        <h1 className="strong">{text.views.split}</h1>
        <span className="fg3 num">{text.views.panes(panes.length)}</span>
        {leading && leader !== undefined && <kbd className="kbd">{leaderLabel(leader)} …</kbd>}
      </div>
      <PaneTabs route={route} views={views} />
      {!isFull(route.layout) && (
        <div className="bar__actions desk-only">
          <ActionButton
            icon="split_right"
            label={splitRight}
            chord={leaderChord('split_right', leader)}
            onPress={() => commands.run('split_right')}
          />
          <ActionButton
            icon="split_down"
            label={splitDown}
            chord={leaderChord('split_down', leader)}
            onPress={() => commands.run('split_down')}
          />
        </div>
      )}
      <span className="bar__sep desk-only" />
      <ViewSwitch currentId={panes[route.active]?.id} leader={leader} />
    </header>
  );
}

interface ActionButtonProps {
  readonly icon: 'split_right' | 'split_down';
  readonly label: string;
  readonly chord: string | undefined;
  readonly onPress: () => void;
}

function ActionButton({ icon, label, chord, onPress }: ActionButtonProps) {
  const title = chord === undefined ? label : `${label}  ${chord}`;
  return (
    <button type="button" className="btn btn--ghost btn--icon" aria-label={label} title={title} onClick={onPress}>
      <Icon name={icon} />
    </button>
  );
}

/** On a phone: from one pane to the next. */
function PaneTabs({ route, views }: Pick<SplitBarProps, 'route' | 'views'>) {
  return (
    <div className="tabs phone-only" role="tablist" aria-label={text.views.split}>
      {panesOf(route.layout).map(({ id }, at) => {
        const view = views.find(({ session }) => session.id === id);
        return (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: a tab stands for a place.
            key={at}
            type="button"
            role="tab"
            aria-selected={at === route.active}
            onClick={() => activatePane(route, at)}
          >
            {view !== undefined && <Glyph state={view.state} />}
            <span className="clip">{view === undefined ? text.views.empty : sessionName(view.session)}</span>
          </button>
        );
      })}
    </div>
  );
}
