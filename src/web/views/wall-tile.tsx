import { memo, type RefObject, useEffect, useRef, useState } from 'react';
import { sessionHref } from '../app/route.js';
import { Age } from '../parts/age.js';
import { Glyph } from '../parts/glyph.js';
import { Link } from '../parts/link.js';
import { shortEnding } from '../session/ending.js';
import { sessionName } from '../session/session-name.js';
import { activityMessage } from '../session/session-note.js';
import { endedWell, type SessionView, viewLabel, waitText } from '../session/session-state.js';
import { MiniScreen } from '../terminal/mini-screen.js';
import type { ScreenRounds } from './screen-rounds.js';
import { dragSession } from './session-drag.js';
import { usePicture } from './use-wall-screens.js';

interface WallTileProps {
  readonly view: SessionView;
  readonly rounds: ScreenRounds | undefined;
  /** Tab comes here; from here arrows go on. */
  readonly isStop: boolean;
}

/** One session on the wall: its screen as it is now, made small. */
export const WallTile = memo(function WallTile({ view, rounds, isStop }: WallTileProps) {
  const { session, state, seen, since, project } = view;
  const tile = useRef<HTMLLIElement>(null);
  const picture = usePicture(session.id);
  const message = messageOf(view);
  useLook(tile, view, { rounds, hasScreen: picture !== undefined });
  return (
    <li ref={tile} className={`tile tile--${state}`}>
      <Link
        href={sessionHref(session.id)}
        className="tile__link"
        data-tile={session.id}
        tabIndex={isStop ? 0 : -1}
        onDragStart={(event) => dragSession(event, session.id)}
      >
        <div className="tile__head">
          <Glyph state={state} quiet={seen || endedWell(session)} label={viewLabel(view)} />
          <span className="tile__name clip">{sessionName(session)}</span>
          <span className="tile__project clip">{project.name}</span>
          <span className="tile__time num">
            <Age since={since} />
          </span>
        </div>
        <div className="tile__screen">{picture !== undefined && <MiniScreen text={picture.text} size={picture.size} />}</div>
        {message !== '' && <div className="tile__message clip">{message}</div>}
      </Link>
    </li>
  );
});

/** What a small screen may not show: what is waited for, or how it ended. */
function messageOf({ session, state }: SessionView): string {
  if (state === 'waiting') return waitText(session);
  if (state === 'dead') return shortEnding(session.exit);
  return state === 'failed' ? activityMessage(session) : '';
}

interface LookOptions {
  readonly rounds: ScreenRounds | undefined;
  readonly hasScreen: boolean;
}

/** Keeps the tile's screen up to date while it can be seen; a new state or program is looked at soon. */
function useLook(tile: RefObject<HTMLElement | null>, { session, since }: SessionView, { rounds, hasScreen }: LookOptions): void {
  const isVisible = useVisible(tile);
  const { id, status } = session;
  const has = useRef(hasScreen);
  has.current = hasScreen;
  useEffect(() => {
    void since;
    return isVisible ? rounds?.watch(id, { isLive: status === 'running', hasScreen: has.current }) : undefined;
  }, [rounds, id, status, since, isVisible]);
}

function useVisible(element: RefObject<HTMLElement | null>): boolean {
  const [isVisible, setVisible] = useState(false);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new IntersectionObserver((entries) => setVisible(entries.at(-1)?.isIntersecting ?? false));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isVisible;
}
