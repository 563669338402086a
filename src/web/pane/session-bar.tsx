import type { Leader } from '../app/chords.js';
import { findChord, IS_APPLE } from '../app/chords.js';
import type { PageCommands } from '../app/page-commands.js';
import { usePageParts } from '../app/parts-context.js';
import { ChangesTabs } from '../changes/changes-tabs.js';
import { Age } from '../parts/age.js';
import { Glyph } from '../parts/glyph.js';
import { Icon } from '../parts/icon.js';
import { Link } from '../parts/link.js';
import { useStore } from '../parts/store.js';
import { shortEnding } from '../session/ending.js';
import { projectOf } from '../session/project.js';
import { endedWell, type SessionState, type SessionView, stateLabel } from '../session/session-state.js';
import { SessionMenu } from './session-menu.js';
import { SessionTitle } from './session-title.js';

interface SessionBarProps {
  readonly view: SessionView;
  readonly showsChanges: boolean;
  readonly leader: Leader | undefined;
  readonly commands: PageCommands;
}

/** The pane's head: which session this is, how it stands, and what can be done with it. */
export function SessionBar({ view, showsChanges, leader, commands }: SessionBarProps) {
  const { session, state, seen, since } = view;
  const { sidebarHidden } = usePageParts().preferences;
  const isHidden = useStore(sidebarHidden);
  const message = state === 'waiting' || state === 'working' ? (session.activity?.message ?? '') : '';
  return (
    <header className="bar">
      {isHidden && (
        <button
          type="button"
          className="btn btn--ghost btn--icon desk-only"
          aria-label="Show sidebar"
          onClick={() => sidebarHidden.set(false)}
        >
          <Icon name="side" />
        </button>
      )}
      <Link href="/" className="btn btn--ghost btn--icon phone-only" aria-label="Back to sessions">
        <Icon name="left" />
      </Link>
      <div className="bar__title">
        <Glyph state={state} quiet={seen || endedWell(session)} decorative />
        <SessionTitle session={session} commands={commands} />
        <span className="bar__project clip desk-only">{projectOf(session).name}</span>
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
        <ChangesTabs session={session} showsChanges={showsChanges} leader={leader} />
        <button
          type="button"
          className="btn btn--ghost btn--icon desk-only"
          aria-label="Find"
          title={`Find  ${findChord(IS_APPLE)}`}
          onClick={() => commands.run('find')}
        >
          <Icon name="search" />
        </button>
        {session.status === 'running' && (
          <button
            type="button"
            className="btn btn--ghost btn--icon desk-only"
            aria-label="Restart"
            title="Restart"
            onClick={() => commands.run('restart')}
          >
            <Icon name="restart" />
          </button>
        )}
        <SessionMenu session={session} leader={leader} commands={commands} />
      </div>
    </header>
  );
}

function chipText({ session, state }: SessionView): string {
  if (state === 'waiting') return 'Waiting for you';
  return state === 'dead' && endedWell(session) ? shortEnding(session.exit) : stateLabel(state);
}

const CHIPS: Partial<Readonly<Record<SessionState, string>>> = {
  waiting: 'chip--waiting',
  dead: 'chip--dead',
  done: 'chip--done',
  working: 'chip--working',
  dormant: 'chip--dormant',
};
