import { useMutationState } from '@tanstack/react-query';
import { useMemo, useRef, useSyncExternalStore } from 'react';
import type { FeedSnapshot } from '../../client/index.js';
import type { Session } from '../../protocol/index.js';
import { useStore } from '../parts/store.js';
import { type Seen, type SessionView, viewSession } from '../session/session-state.js';
import { useConnection } from './parts-context.js';
import { useRepositories } from './use-repositories.js';
import { STARTING_KEY, startingId } from './use-session-action.js';

export function useFeed(): FeedSnapshot {
  const { feed } = useConnection();
  return useSyncExternalStore(
    (listener) => feed.subscribe(listener),
    () => feed.snapshot,
  );
}

/** All sessions as the page shows them, in no particular order. What has not changed is the same object as before. */
export function useSessionViews(): readonly SessionView[] {
  const { sessions, resumes } = useFeed();
  const seen = useStore(useConnection().seen);
  const repositories = useRepositories(sessions);
  const asked = useStartingIds().join(' ');
  const resuming = resumes?.resuming.join(' ') ?? '';
  const made = useRef<ReadonlyMap<string, MadeView>>(new Map());
  return useMemo(() => {
    const isStarting = ({ id, activity }: Session) => asked.includes(id) || (activity === undefined && resuming.includes(id));
    const views = sessions.map((session) => {
      const { id } = session;
      return viewAgain(made.current.get(id), session, {
        at: seen.get(id),
        starting: isStarting(session),
        repository: repositories.get(id),
      });
    });
    made.current = new Map(views.map((one) => [one.view.session.id, one]));
    return views.map(({ view }) => view);
  }, [sessions, seen, asked, resuming, repositories]);
}

interface MadeView {
  readonly view: SessionView;
  readonly of: Seen;
}

function viewAgain(before: MadeView | undefined, session: Session, of: Seen): MadeView {
  const isSame =
    before?.view.session === session &&
    before.of.at === of.at &&
    before.of.starting === of.starting &&
    before.of.repository === of.repository;
  return isSame ? before : { view: viewSession(session, of), of };
}

/** Sessions that this page has asked to start and that have not answered yet. */
function useStartingIds(): readonly string[] {
  return useMutationState({
    filters: { mutationKey: STARTING_KEY, status: 'pending' },
    select: ({ state }) => startingId(state.variables),
  });
}
