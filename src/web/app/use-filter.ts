import { useEffect, useRef, useState } from 'react';
import { isFiltering, NO_FILTER, type SessionFilter } from '../sidebar/match-session.js';
import { wallHref } from '../views/wall-address.js';
import { navigate, type Route } from './route.js';

/**
 * Which sessions the list and the wall show. On the wall it is part of the address, so that it can be linked to and gone back to; it comes
 * along to the wall from elsewhere. A state is a step of its own in the history, the letters of a word are not.
 */
export function useFilter(route: Route): readonly [SessionFilter, (filter: SessionFilter) => void] {
  const onWall = route.page === 'wall';
  const addressed = onWall ? route.filter : undefined;
  const [filter, setFilter] = useState(addressed ?? NO_FILTER);
  const wasOnWall = useRef(onWall);
  const latest = useRef(filter);
  latest.current = filter;
  useEffect(() => {
    const cameFromElsewhere = onWall && !wasOnWall.current;
    wasOnWall.current = onWall;
    if (!onWall) return;
    if (addressed === undefined && cameFromElsewhere && isFiltering(latest.current)) navigate(wallHref(latest.current), { replace: true });
    else setFilter(addressed ?? NO_FILTER);
  }, [onWall, addressed]);
  const change = (next: SessionFilter) => {
    setFilter(next);
    if (onWall) navigate(wallHref(next), { replace: next.state === filter.state });
  };
  return [filter, change];
}
