import { type MouseEvent, memo } from 'react';
import type { HostPreset } from '../../protocol/index.js';
import { openSession } from '../app/open-session.js';
import { changesHref, navigate, sessionHref } from '../app/route.js';
import { DIRTY_MARK, DirtyMark } from '../changes/dirty-mark.js';
import { tellingBranch } from '../changes/git-words.js';
import { PlainText } from '../changes/plain-text.js';
import { Age } from '../parts/age.js';
import { focusTerminal } from '../parts/focus-terminal.js';
import { Glyph } from '../parts/glyph.js';
import { isPlainClick, Link } from '../parts/link.js';
import { PHONE } from '../parts/phone.js';
import { sessionName } from '../session/session-name.js';
import { sessionNote } from '../session/session-note.js';
import { endedWell, type SessionView, viewLabel, waitText } from '../session/session-state.js';
import { dragSession } from '../views/session-drag.js';

interface SessionRowProps {
  readonly view: SessionView;
  readonly current: boolean;
  readonly presets: readonly HostPreset[] | undefined;
}

/** One session in the list. One that waits has a second line, with what it waits for. */
export const SessionRow = memo(function SessionRow({ view, current, presets }: SessionRowProps) {
  const { session, state, seen, since, project } = view;
  const note = sessionNote(session, presets);
  const branch = tellingBranch(session);
  const isTall = state === 'waiting';
  const isQuiet = state === 'dormant' || state === 'idle' || (state === 'dead' && seen);
  const beside = isTall ? project.name : note;
  return (
    <Link
      href={sessionHref(session.id)}
      className={`row${isTall ? ' row--2 row--waiting' : ''}${isQuiet ? ' row--quiet' : ''}`}
      data-row={session.id}
      aria-current={current ? 'page' : undefined}
      title={session.warning}
      onClick={(event) => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        if (isOnMark(event)) navigate(changesHref(session.id));
        else {
          if (current) focusTerminal();
          openSession(session.id);
        }
      }}
      onDragStart={(event) => dragSession(event, session.id)}
    >
      <Glyph state={state} quiet={seen || endedWell(session)} label={viewLabel(view)} />
      <span className="row__main">
        <span className="row__name clip">{sessionName(session)}</span>
        {branch !== undefined && (
          <span className="row__branch clip">
            <PlainText text={branch} />
          </span>
        )}
        {beside !== '' && <span className="row__note clip">{beside}</span>}
      </span>
      <span className="row__end">
        <DirtyMark session={session} />
        <span className="row__time">
          <Age since={since} />
        </span>
      </span>
      {isTall && <span className="row__msg clip">{waitText(session)}</span>}
    </Link>
  );
});

/** A finger that means the row may well hit the mark: there it is part of the row. */
function isOnMark({ target }: MouseEvent): boolean {
  return !matchMedia(PHONE).matches && target instanceof Element && target.closest(`.${DIRTY_MARK}`) !== null;
}
