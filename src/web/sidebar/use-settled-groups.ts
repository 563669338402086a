import { useMemo, useRef } from 'react';
import { frozenOrder, groupSessions, type SessionGroup } from '../session/session-order.js';
import type { SessionView } from '../session/session-state.js';

/** The groups of the list. While `frozen` no row changes its place. */
export function useSettledGroups(views: readonly SessionView[], frozen: boolean): readonly SessionGroup[] {
  const shown = useRef<readonly SessionGroup[]>([]);
  return useMemo(() => {
    const now = groupSessions(views);
    shown.current = frozen ? frozenOrder(shown.current, now) : now;
    return shown.current;
  }, [views, frozen]);
}
