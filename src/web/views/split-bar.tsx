import type { SplitRoute } from '../app/route.js';
import { type Leader, leaderChord, leaderLabel } from '../keys/chords.js';
import type { PageCommands } from '../keys/page-commands.js';
import { Glyph } from '../parts/glyph.js';
import { Icon } from '../parts/icon.js';
import { IconButton } from '../parts/icon-button.js';
import { sessionName } from '../session/session-name.js';
import type { SessionView } from '../session/session-state.js';
import { text } from '../text/text.js';
import { BackToSessions } from './back-to-sessions.js';
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
      <ShowSidebar leader={leader} commands={commands} />
      <BackToSessions />
      <div className="bar__title desk-only">
        <Icon name="split" quiet />
        <h1 className="strong">{text.views.split}</h1>
        <span className="fg3 num">{text.views.panes(panes.length)}</span>
        {leading && leader !== undefined && <kbd className="kbd">{leaderLabel(leader)} …</kbd>}
      </div>
      <PaneTabs route={route} views={views} />
      {!isFull(route.layout) && (
        <div className="bar__actions desk-only">
          <IconButton
            icon="split_right"
            label={splitRight}
            chord={leaderChord('split_right', leader)}
            onClick={() => commands.run('split_right')}
          />
          <IconButton
            icon="split_down"
            label={splitDown}
            chord={leaderChord('split_down', leader)}
            onClick={() => commands.run('split_down')}
          />
        </div>
      )}
      <span className="bar__sep desk-only" />
      <ViewSwitch currentId={panes[route.active]?.id} leader={leader} />
    </header>
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
