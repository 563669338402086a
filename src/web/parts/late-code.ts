import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';

interface LateCode<T> {
  /** Undefined until it is here. */
  readonly code: T | undefined;
  /** It cannot be fetched: an update replaced the files that this page came with, or nobody answers. */
  readonly failed: boolean;
  /** Asks for it once more. */
  readonly retry: () => void;
}

interface LateOptions {
  /** False while nobody needs it yet. */
  readonly wanted?: boolean;
}

/** A part of the page whose code is fetched when it is first wanted. `load` answers an object of its own: a module cannot be kept. */
export function useLateCode<T extends object>(name: string, load: () => Promise<T>, { wanted = true }: LateOptions = {}): LateCode<T> {
  const { data, error, refetch } = useQuery({
    queryKey: ['code', name],
    queryFn: load,
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  const retry = useCallback(() => void refetch(), [refetch]);
  return { code: data, failed: error !== null, retry };
}
