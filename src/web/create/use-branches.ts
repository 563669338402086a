import { useQuery } from '@tanstack/react-query';
import type { Branch } from '../../protocol/index.js';
import { useConnection } from '../app/parts-context.js';

const NONE: readonly Branch[] = [];

/** The branches of the repository, those with the newest commits first. None until they are known. */
export function useBranches(repo: string | undefined): readonly Branch[] {
  const { client } = useConnection();
  const { data } = useQuery({
    queryKey: ['branches', repo],
    queryFn: ({ signal }) => client.branches(repo ?? '', { signal }),
    enabled: repo?.startsWith('/') === true,
  });
  return data?.branches ?? NONE;
}
