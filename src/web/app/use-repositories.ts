import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Session } from '../../protocol/index.js';
import { useConnection } from './parts-context.js';

const NONE: ReadonlyMap<string, string> = new Map();

/** The repository of each session that is in one, by the session's id. Asked again when a session comes or goes. */
export function useRepositories(sessions: readonly Session[]): ReadonlyMap<string, string> {
  const { client } = useConnection();
  // A worktree of a session's own tells its repository itself.
  const asked = sessions.filter(({ worktree }) => worktree === undefined).map(({ id }) => id);
  const { data = NONE } = useQuery({
    queryKey: ['repositories', asked.sort().join(' ')],
    queryFn: async ({ signal }) => {
      const projects = await client.projects({ signal });
      return new Map(projects.flatMap(({ path, sessions: ids }) => ids.map((id): [string, string] => [id, path])));
    },
    enabled: asked.length > 0,
    placeholderData: keepPreviousData,
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return data;
}
