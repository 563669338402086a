import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { MaestroError, type PathCompletions, type Project, type ProjectSetup } from '../../protocol/index.js';
import { useConnection } from '../app/parts-context.js';
import { useHost } from '../app/use-host.js';
import { setupProblem } from './draft-problem.js';
import { fullPath, isPathText } from './place-options.js';

/** Long enough for the next key, too short to be waited for. */
const TYPING_MS = 120;

const NONE: readonly Project[] = [];

/** The git repositories of this host, those used last first. None until they are known, and where the daemon knows of none. */
export function useProjects(): readonly Project[] {
  const { client } = useConnection();
  return useQuery({ queryKey: ['projects'], queryFn: ({ signal }) => client.projects({ signal }) }).data ?? NONE;
}

/** The directories that complete `text`, while it is the beginning of a path. The ones before stay until there are others. */
export function useCompletions(text: string, enabled: boolean): PathCompletions | undefined {
  const { client } = useConnection();
  const typed = useSettled(text);
  const prefix = typed === '~' ? '~/' : typed;
  return useQuery({
    queryKey: ['paths', prefix],
    queryFn: ({ signal }) => client.paths(prefix, { signal }),
    enabled: enabled && isPathText(prefix),
    staleTime: 5_000,
    placeholderData: (before) => before,
  }).data;
}

/** What the typed directory is. */
export interface Place {
  /** The repository that it is in; undefined when it is in none, or that is not known yet. */
  readonly repo: string | undefined;
  readonly project: Project | undefined;
  /** The directory itself. */
  readonly path: string;
  /** Whether it is in a repository is being asked. */
  readonly isPending: boolean;
}

export function usePlace(cwd: string): Place {
  const home = useHost()?.home;
  const projects = useProjects();
  const path = fullPath(cwd, home);
  const known = projects.find((project) => project.path === path);
  const settled = useSettled(path);
  const { setup, problem, isPending = false } = useProjectSetup(settled);
  const asked = setup?.repo ?? (problem === undefined ? undefined : settled);
  const found = known?.path ?? (settled === path ? asked : undefined);
  const project = projects.find((one) => one.path === found);
  return { repo: found, project, path, isPending: found === undefined && (settled !== path || isPending) };
}

export interface SetupAnswer {
  readonly setup?: ProjectSetup | undefined;
  /** There is a repository, but what it says of its set-up cannot be read. */
  readonly problem?: string | undefined;
  readonly isPending?: boolean;
}

/** What the repository at `repo` wants to be done for a worktree that is made at `base`. Nothing where there is none. */
export function useProjectSetup(repo: string | undefined, base = ''): SetupAnswer {
  const { client } = useConnection();
  const { data, isLoading } = useQuery({
    queryKey: setupKey(repo, base),
    queryFn: async ({ signal }): Promise<SetupAnswer> => {
      try {
        return { setup: await client.projectSetup({ repo: repo ?? '', ...(base === '' ? {} : { base }), signal }) };
      } catch (error) {
        if (error instanceof MaestroError) return { problem: setupProblem(error) }; // as good an answer as any: it is kept as long
        throw error;
      }
    },
    enabled: repo?.startsWith('/') === true,
  });
  return data ?? { isPending: isLoading };
}

export function setupKey(repo: string | undefined, base: string) {
  return ['setup', repo, base];
}

/** `value` as it was when it last stood still for a moment. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
