import { navigate, type SplitRoute, sessionHref } from '../app/route.js';
import type { Leader } from '../keys/chords.js';
import { leaderChord } from '../keys/chords.js';
import type { PageCommands } from '../keys/page-commands.js';
import { chipText } from '../pane/session-bar.js';
import { SessionMenu } from '../pane/session-menu.js';
import { SessionTitle } from '../pane/session-title.js';
import { Age } from '../parts/age.js';
import { Glyph } from '../parts/glyph.js';
import { Icon } from '../parts/icon.js';
import { MenuItem } from '../parts/menu.js';
import { sessionName } from '../session/session-name.js';
import { endedWell, type SessionView } from '../session/session-state.js';
import { text } from '../text/text.js';
import { dragSession } from './session-drag.js';
import { isFull } from './split-layout.js';
import { closePane, emptyPane, growPane } from './split-moves.js';

interface PaneHeadProps {
  readonly route: SplitRoute;
  readonly at: number;
  readonly view: SessionView;
  readonly leader: Leader | undefined;
  readonly commands: PageCommands;
}

/** Which session a pane shows, how it stands, and what can be done with it and with the pane. It is dragged to move the session. */
export function PaneHead({ route, at, view, leader, commands }: PaneHeadProps) {
  const { session, state, seen, since, project } = view;
  const name = sessionName(session);
  const { close, paneActions } = text.views;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what dragging does, the list and the menu do too.
    <header
      className={`pane__head${state === 'waiting' ? ' pane__head--waiting' : ''}`}
      draggable
      onDragStart={(event) => dragSession(event, session.id)}
    >
      <Glyph state={state} quiet={seen || endedWell(session)} decorative />
      <SessionTitle session={session} commands={commands} active={at === route.active} level={2} />
      <span className="pane__project clip">{project.name}</span>
      <span className="pane__state num clip">
        {chipText(view)} · <Age since={since} />
      </span>
      <span className="grow" />
      <SessionMenu session={session} leader={leader} commands={commands} label={paneActions(name)}>
        <PaneItems route={route} at={at} id={session.id} leader={leader} />
      </SessionMenu>
      <button
        type="button"
        className="btn btn--ghost btn--sm btn--icon"
        aria-label={close(name)}
        title={close(name)}
        onClick={() => closePane(route, at)}
      >
        <Icon name="x" small />
      </button>
    </header>
  );
}

interface PaneItemsProps {
  readonly route: SplitRoute;
  readonly at: number;
  readonly id: string;
  readonly leader: Leader | undefined;
}

function PaneItems({ route, at, id, leader }: PaneItemsProps) {
  const { alone, another, splitDown, splitRight } = text.views;
  return (
    <>
      <MenuItem icon="one" label={alone} chord={leaderChord('single', leader)} onChoose={() => navigate(sessionHref(id))} />
      <MenuItem icon="search" label={another} onChoose={() => emptyPane(route, at)} />
      {!isFull(route.layout) && (
        <>
          <MenuItem
            icon="split_right"
            label={splitRight}
            chord={leaderChord('split_right', leader)}
            onChoose={() => growPane(route, at, 'right')}
          />
          <MenuItem
            icon="split_down"
            label={splitDown}
            chord={leaderChord('split_down', leader)}
            onChoose={() => growPane(route, at, 'below')}
          />
        </>
      )}
      <hr />
    </>
  );
}
