import type { SplitRoute } from '../app/route.js';
import type { Leader } from '../keys/chords.js';
import type { PageCommands } from '../keys/page-commands.js';
import { LateTerminal } from '../pane/late-terminal.js';
import { useMarkSeen } from '../pane/use-mark-seen.js';
import { useSessionCommands } from '../pane/use-session-commands.js';
import type { Variables } from '../parts/use-variables.js';
import { sessionName } from '../session/session-name.js';
import type { SessionView } from '../session/session-state.js';
import { DropZone } from './drop-zone.js';
import { PaneChooser } from './pane-chooser.js';
import { PaneHead } from './pane-head.js';
import { isFull, panesOf } from './split-layout.js';
import { activatePane, closePane, dropOnPane, fillPane } from './split-moves.js';

export interface SplitPaneProps {
  readonly route: SplitRoute;
  readonly at: number;
  /** Where it is. */
  readonly variables: Variables;
  /** Undefined where there is no session yet, or none any more. */
  readonly view: SessionView | undefined;
  readonly views: readonly SessionView[];
  readonly leader: Leader | undefined;
  readonly commands: PageCommands;
}

/** One of several panes. */
export function SplitPaneView(props: SplitPaneProps) {
  const { route, at, variables, view, views } = props;
  const isActive = at === route.active;
  const gone = view === undefined && panesOf(route.layout)[at]?.id !== undefined;
  const waits = view?.state === 'waiting';
  return (
    <DropZone
      className={`pane${isActive ? ' is-active' : ''}${waits ? ' pane--waiting' : ''}`}
      variables={variables}
      canGrow={!isFull(route.layout)}
      onDrop={(dropped) => dropOnPane(route, at, dropped)}
      onActive={() => activatePane(route, at)}
    >
      {view === undefined ? (
        <PaneChooser
          views={views}
          gone={gone}
          active={isActive}
          taken={panesOf(route.layout).flatMap(({ id }) => id ?? [])}
          onChoose={(id) => fillPane(route, at, id)}
          onClose={() => closePane(route, at)}
        />
      ) : (
        <SessionInPane {...props} view={view} />
      )}
    </DropZone>
  );
}

function SessionInPane({ route, at, view, leader, commands }: SplitPaneProps & { readonly view: SessionView }) {
  const active = at === route.active;
  const close = () => closePane(route, at);
  useMarkSeen(view);
  const { dialog, askToKill } = useSessionCommands(view, { commands, active, onKilled: close });
  return (
    <section className="pane__content" aria-label={sessionName(view.session)}>
      <PaneHead route={route} at={at} view={view} leader={leader} commands={commands} />
      <LateTerminal
        view={view}
        commands={commands}
        leading={undefined}
        active={active}
        onActive={() => activatePane(route, at)}
        onRemove={askToKill}
      />
      {dialog}
    </section>
  );
}
