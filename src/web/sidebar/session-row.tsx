import type { MouseEvent } from 'react';
import { changesHref, navigate, sessionHref } from '../app/route.js';
import { usePresets } from '../app/use-host.js';
import { DIRTY_MARK, DirtyMark } from '../changes/dirty-mark.js';
import { tellingBranch } from '../changes/git-words.js';
import { PlainText } from '../changes/plain-text.js';
import { PHONE } from '../pane/use-live-terminal.js';
import { Age } from '../parts/age.js';
import { focusTerminal } from '../parts/focus-terminal.js';
import { Glyph } from '../parts/glyph.js';
import { Link } from '../parts/link.js';
import { projectOf } from '../session/project.js';
import { sessionName } from '../session/session-name.js';
import { sessionNote } from '../session/session-note.js';
import { endedWell, type SessionView } from '../session/session-state.js';

interface SessionRowProps {
  readonly view: SessionView;
  readonly current: boolean;
}

/** One session in the list. One that waits has a second line, with what it waits for. */
export function SessionRow({ view, current }: SessionRowProps) {
  const { session, state, seen, since } = view;
  const note = sessionNote(session, usePresets());
  const branch = tellingBranch(session);
  const isTall = state === 'waiting';
  const isQuiet = state === 'dormant' || state === 'idle' || (state === 'dead' && seen);
  const beside = isTall ? projectOf(session).name : note;
  return (
    <Link
      href={sessionHref(session.id)}
      className={`row${isTall ? ' row--2 row--waiting' : ''}${isQuiet ? ' row--quiet' : ''}`}
      data-row={session.id}
      aria-current={current ? 'page' : undefined}
      title={session.warning}
      onClick={(event) => {
        if (isOnMark(event)) {
          event.preventDefault();
          navigate(changesHref(session.id));
        } else if (current) focusTerminal();
      }}
    >
      <Glyph state={state} quiet={seen || endedWell(session)} />
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
      {isTall && <span className="row__msg clip">{session.activity?.message ?? 'Waiting for an answer'}</span>}
    </Link>
  );
}

/** A finger that means the row may well hit the mark: there it is part of the row. With a modifier the browser opens the row's link. */
function isOnMark({ target, button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey || matchMedia(PHONE).matches) return false;
  return target instanceof Element && target.closest(`.${DIRTY_MARK}`) !== null;
}
