import { useMutationState } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import type { FeedSnapshot } from '../../client/index.js';
import { useStore } from '../parts/store.js';
import { type SessionView, viewSession } from '../session/session-state.js';
import { useConnection } from './parts-context.js';
import { STARTING_KEY } from './use-session-action.js';

export function useFeed(): FeedSnapshot {
  const { feed } = useConnection();
  return useSyncExternalStore(
    (listener) => feed.subscribe(listener),
    () => feed.snapshot,
  );
}

/** All sessions as the page shows them, in no particular order. */
export function useSessionViews(): readonly SessionView[] {
  const { sessions } = useFeed();
  const seen = useStore(useConnection().seen);
  const starting = useStartingIds().join(' ');
  return useMemo(
    () => sessions.map((session) => viewSession(session, { at: seen.get(session.id), starting: starting.includes(session.id) })),
    [sessions, seen, starting],
  );
}

/** Sessions that this page has asked to start and that have not answered yet. */
function useStartingIds(): readonly string[] {
  return useMutationState({
    filters: { mutationKey: STARTING_KEY, status: 'pending' },
    select: ({ state }) => (typeof state.variables === 'string' ? state.variables : ''),
  });
}
