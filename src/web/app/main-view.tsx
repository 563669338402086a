import type { Leader } from '../keys/chords.js';
import type { PageCommands } from '../keys/page-commands.js';
import { SessionPage } from '../pane/session-page.js';
import { Skeleton } from '../parts/skeleton.js';
import type { SessionView } from '../session/session-state.js';
import type { SessionFilter } from '../sidebar/match-session.js';
import { text } from '../text/text.js';
import { LateWall } from '../views/late-wall.js';
import { SplitPage } from '../views/split-page.js';
import { WallBar } from '../views/wall-bar.js';
import { GonePage } from './gone-page.js';
import type { Route } from './route.js';
import { useFeed } from './use-sessions.js';
import { WelcomePage } from './welcome-page.js';

interface MainViewProps {
  readonly route: Route;
  readonly views: readonly SessionView[];
  readonly filter: SessionFilter;
  readonly onFilter: (filter: SessionFilter) => void;
  readonly leader: Leader | undefined;
  readonly leading: boolean;
  readonly commands: PageCommands;
  readonly onCreate: (preset?: string) => void;
}

/** What the address names: one session, several, or all of them. */
export function MainView({ route, views, filter, onFilter, leader, leading, commands, onCreate }: MainViewProps) {
  const { state } = useFeed();
  const isEmpty = state === 'live' && views.length === 0;
  const shared = { leader, commands };
  if (isEmpty && (route.page === 'list' || route.page === 'wall')) return <WelcomePage commands={commands} onCreate={onCreate} />;
  if (route.page === 'unknown') return <GonePage isSession={false} />;
  const isKnown = state !== 'connecting';
  if (route.page === 'wall' && isKnown) {
    return (
      <>
        <WallBar views={views} filter={filter} onFilter={onFilter} {...shared} />
        <LateWall views={views} filter={filter} onFilter={onFilter} />
      </>
    );
  }
  if (route.page === 'split' && isKnown) return <SplitPage route={route} views={views} leading={leading} {...shared} />;
  const view = route.page === 'session' ? views.find(({ session }) => session.id === route.id) : undefined;
  if (route.page === 'session' && view !== undefined)
    return <SessionPage key={view.session.id} view={view} front={route.view} leading={leading} {...shared} />;
  if (route.page === 'session' && state === 'live') return <GonePage isSession />;
  return (
    <>
      <header className="bar" />
      <section className="panel" aria-label={text.workspace.loading} aria-busy="true">
        <div className="panel__wait">
          <Skeleton rows={9} label={text.workspace.loading} />
        </div>
      </section>
    </>
  );
}
