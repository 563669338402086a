import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import type { Diff, DiffAgainst, Session } from '../../protocol/index.js';
import { useConnection } from '../app/parts-context.js';

/** Events that come closer together than this are one, in milliseconds. */
const SETTLE_MS = 300;

/** What changed in a session's directory, asked for again whenever an event says that it may have changed. */
export function useDiff(session: Session, against: DiffAgainst) {
  const { client } = useConnection();
  const { id } = session;
  useFreshDiffs(session);
  return useQuery<Diff>({
    queryKey: [...diffKey(id), against],
    queryFn: ({ signal }) => client.diff(id, { against, signal }),
    staleTime: 0,
  });
}

export function diffKey(id: string): readonly string[] {
  return ['diff', id];
}

/** An agent that pauses may have written more to files that were changed already, which no count tells. */
function useFreshDiffs({ id, git, activity, status }: Session): void {
  const refresh = useRefresh(id);
  const signs = JSON.stringify([git, activity?.state, activity?.since, status]);
  const known = useRef(signs);
  useEffect(() => {
    if (known.current === signs) return;
    known.current = signs;
    const timer = setTimeout(refresh, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [refresh, signs]);
}

/** Asks again once a question that is under way has its answer: a large repository may take longer than events are apart. */
function useRefresh(id: string): () => void {
  const queries = useQueryClient();
  const isRunning = useRef(false);
  const isWanted = useRef(false);
  return useCallback(async () => {
    isWanted.current = true;
    if (isRunning.current) return;
    isRunning.current = true;
    const filter = { queryKey: diffKey(id) };
    while (isWanted.current) {
      isWanted.current = queries.isFetching(filter) > 0;
      await queries.invalidateQueries(filter, { cancelRefetch: false });
    }
    isRunning.current = false;
  }, [queries, id]);
}
