import { useEffect, useMemo, useRef, useState } from 'react';
import { usePageParts } from '../app/parts-context.js';
import type { SessionView } from '../session/session-state.js';
import { matchesFilter, NO_FILTER, type SessionFilter } from '../sidebar/match-session.js';
import { NothingFound } from '../sidebar/no-sessions.js';
import { text } from '../text/text.js';
import { useSettledOrder } from './use-settled-order.js';
import { useTileKeys } from './use-tile-keys.js';
import { useScreenRounds } from './use-wall-screens.js';
import { WallTile } from './wall-tile.js';

export interface WallPageProps {
  readonly views: readonly SessionView[];
  readonly filter: SessionFilter;
  readonly onFilter: (filter: SessionFilter) => void;
}

/** The screens of all sessions, those that wait first. */
export function WallPage({ views, filter, onFilter }: WallPageProps) {
  const wall = useRef<HTMLUListElement>(null);
  const rounds = useScreenRounds();
  const left = useMemo(() => views.filter((view) => matchesFilter(view, filter)), [views, filter]);
  const { order, touch } = useSettledOrder(left);
  const { lastSession } = usePageParts().preferences;
  const [stop, setStop] = useState(lastSession.value);
  const press = useTileKeys(wall);
  const stopId = order.some(({ session }) => session.id === stop) ? stop : order[0]?.session.id;
  const first = useRef(stopId);
  useEffect(() => wall.current?.querySelector<HTMLElement>(`[data-tile="${first.current}"]`)?.focus(), []);
  if (left.length === 0) return <NothingFound query={filter.query} onClear={() => onFilter(NO_FILTER)} />;
  return (
    <ul
      ref={wall}
      className="wall"
      aria-label={text.views.wall.screens}
      onKeyDown={press}
      onPointerMove={touch}
      onFocus={(event) => {
        touch();
        setStop((event.target as HTMLElement).dataset.tile ?? stop);
      }}
    >
      {order.map((view) => (
        <WallTile key={view.session.id} view={view} rounds={rounds} isStop={view.session.id === stopId} />
      ))}
    </ul>
  );
}
