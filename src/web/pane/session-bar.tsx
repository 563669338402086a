import type { SessionFront } from '../app/route.js';
import { ChangesTabs } from '../changes/changes-tabs.js';
import type { Leader } from '../keys/chords.js';
import { findChord, IS_APPLE } from '../keys/chords.js';
import type { PageCommands } from '../keys/page-commands.js';
import { Age } from '../parts/age.js';
import { Glyph } from '../parts/glyph.js';
import { IconButton } from '../parts/icon-button.js';
import { shortEnding } from '../session/ending.js';
import { activityMessage } from '../session/session-note.js';
import { endedWell, type SessionState, type SessionView, viewLabel } from '../session/session-state.js';
import { text } from '../text/text.js';
import { BackToSessions } from '../views/back-to-sessions.js';
import { ShowSidebar } from '../views/show-sidebar.js';
import { ViewSwitch } from '../views/view-switch.js';
import { SessionMenu } from './session-menu.js';
import { SessionTitle } from './session-title.js';

interface SessionBarProps {
  readonly view: SessionView;
  readonly front: SessionFront | undefined;
  readonly leader: Leader | undefined;
  readonly commands: PageCommands;
}

/** The pane's head: which session this is, how it stands, and what can be done with it. */
export function SessionBar({ view, front, leader, commands }: SessionBarProps) {
  const { session, state, seen, since, project } = view;
  const message = state === 'waiting' || state === 'working' || session.activity?.failed ? activityMessage(session) : '';
  return (
    <header className="bar">
      <ShowSidebar leader={leader} commands={commands} />
      <BackToSessions />
      <div className="bar__title">
        <Glyph state={state} quiet={seen || endedWell(session)} decorative />
        <SessionTitle session={session} commands={commands} />
        <span className="bar__project clip desk-only">{project.name}</span>
        <span className={`chip ${endedWell(session) ? '' : (CHIPS[state] ?? '')}`}>
          {chipText(view)} · <Age since={since} />
        </span>
        {message !== '' && (
          <span className="bar__message clip desk-only" title={message}>
            {message}
          </span>
        )}
      </div>
      <div className="bar__actions">
        <ChangesTabs session={session} showsChanges={front === 'changes'} leader={leader} />
        <IconButton
          className="desk-only"
          icon="search"
          label={text.pane.find}
          chord={findChord(IS_APPLE)}
          onClick={() => commands.run('find')}
        />
        {session.status === 'running' && (
          <IconButton className="desk-only" icon="restart" label={text.pane.restart.verb} onClick={() => commands.run('restart')} />
        )}
        <SessionMenu session={session} leader={leader} commands={commands} />
        <span className="bar__sep desk-only" />
        <ViewSwitch currentId={session.id} leader={leader} />
      </div>
    </header>
  );
}

export function chipText(view: SessionView): string {
  const { session, state } = view;
  if (state === 'waiting' && session.activity?.kind === undefined) return text.session.waitsForYou;
  return state === 'dead' && endedWell(session) ? shortEnding(session.exit) : viewLabel(view);
}

const CHIPS: Partial<Readonly<Record<SessionState, string>>> = {
  waiting: 'chip--waiting',
  dead: 'chip--dead',
  failed: 'chip--dead',
  done: 'chip--done',
  working: 'chip--working',
  dormant: 'chip--dormant',
};
