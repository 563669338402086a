import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { DiffAgainst, DiffFile, FileDiff } from '../../protocol/index.js';
import { errorText } from '../app/error-text.js';
import { useConnection } from '../app/parts-context.js';
import { type FileState, isLarge } from './diff-rows.js';

interface Subject {
  readonly id: string;
  readonly against: DiffAgainst;
  /** When the list of files was last fetched: their hunks are as old at most. */
  readonly listedAt: number;
}

export interface FileDiffs {
  readonly stateOf: (file: DiffFile) => FileState;
  /** Fetches the hunks of these files, and keeps them fresh while no others are asked for. */
  readonly ask: (paths: readonly string[]) => void;
  readonly setOpen: (path: string, isOpen: boolean) => void;
  /** Asks for more lines around each change of the file. */
  readonly expand: (path: string) => void;
  readonly retry: (path: string) => void;
}

/** What can be done with a file where its lines are shown. */
export type RowActions = Pick<FileDiffs, 'setOpen' | 'expand' | 'retry'>;

/** Lines of context, from one step to the next. */
const CONTEXTS = [3, 20, 100, 1000];

/** The hunks of the files that somebody looks at. */
export function useFileDiffs({ id, against, listedAt }: Subject): FileDiffs {
  const [asked, setAsked] = useState<readonly string[]>([]);
  const [near, setNear] = useState<readonly string[]>([]);
  const [open, setOpen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const { refetch, expand, queryOf } = useFileQueries({ id, against, listedAt });
  const answers = useQueries({ queries: asked.map((path) => ({ ...queryOf(path), enabled: near.includes(path) })), combine: answersOf });
  const byPath = useMemo(() => new Map(asked.map((path, at) => [path, answers[at]])), [asked, answers]);
  const ask = useCallback((paths: readonly string[]) => {
    setNear((before) => (before.join('\n') === paths.join('\n') ? before : paths));
    setAsked((before) => (paths.every((path) => before.includes(path)) ? before : [...new Set([...before, ...paths])]));
  }, []);
  return {
    ask,
    expand,
    retry: refetch,
    setOpen: useCallback((path, isOpen) => setOpen((before) => new Map(before).set(path, isOpen)), []),
    stateOf: useCallback((file) => stateOf(file, open.get(file.path), byPath.get(file.path)), [open, byPath]),
  };
}

interface Answer {
  readonly data: FileDiff | undefined;
  readonly error: Error | null;
  readonly isFetching: boolean;
}

function answersOf(results: readonly Answer[]): readonly Answer[] {
  return results.map(({ data, error, isFetching }) => ({ data, error, isFetching }));
}

function stateOf(file: DiffFile, isOpen: boolean | undefined, answer: Answer | undefined): FileState {
  if (isOpen === false) return { kind: 'closed' };
  if (isOpen === undefined && isLarge(file)) return { kind: 'large', lines: (file.additions ?? 0) + (file.deletions ?? 0) };
  if (answer?.data !== undefined) return { kind: 'ready', diff: answer.data };
  return answer?.error && !answer.isFetching ? { kind: 'failed', text: errorText(answer.error) } : { kind: 'pending' };
}

/** How a file's hunks are asked for, and asked for again when the list of files was. */
function useFileQueries({ id, against, listedAt }: Subject) {
  const { client } = useConnection();
  const queries = useQueryClient();
  const contexts = useRef(new Map<string, number>());
  const queryOf = (path: string) => ({
    queryKey: ['diff-file', id, against, path],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      client.fileDiff(id, { against, path, context: contexts.current.get(path) ?? 3, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const first = useRef(listedAt);
  useEffect(() => {
    if (listedAt !== first.current) void queries.invalidateQueries({ queryKey: ['diff-file', id, against] });
  }, [queries, id, against, listedAt]);
  const refetch = useCallback(
    (path: string) => void queries.invalidateQueries({ queryKey: ['diff-file', id, against, path] }),
    [queries, id, against],
  );
  const expand = useCallback(
    (path: string) => {
      const context = contexts.current.get(path) ?? 3;
      contexts.current.set(path, CONTEXTS.find((more) => more > context) ?? context);
      refetch(path);
    },
    [refetch],
  );
  return { queryOf, refetch, expand };
}
