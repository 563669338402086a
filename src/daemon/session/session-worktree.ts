import { MaestroError, type Metadata, NAME_KEY, type Worktree, type WorktreeRequest } from '../../protocol/index.js';
import type { Sidecar } from '../store/sidecar.js';
import { copyFiles } from '../worktree/setup/copy-files.js';
import { checkLink, readLink } from '../worktree/worktree-link.js';
import type { WorktreeRecord } from '../worktree-record.js';
import type { SessionContext } from './session-context.js';
import { expandPath } from './working-directory.js';

/** A worktree that is to be made for a session. Nothing of it exists yet but its ports, which are reserved. */
export interface PlannedWorktree {
  readonly record: WorktreeRecord;
  /** Which ignored files of the main worktree are copied, in gitignore syntax. */
  readonly copy: readonly string[];
}

interface WorktreeWish {
  readonly id: string;
  readonly request: WorktreeRequest;
  readonly metadata: Metadata | undefined;
}

/** Checks all that can be checked before anything is made. */
export async function planSessionWorktree(context: SessionContext, { id, request, metadata }: WorktreeWish): Promise<PlannedWorktree> {
  const base_repo = expandPath(request.base_repo, { home: context.home, field: 'worktree.base_repo' });
  const name = metadata?.[NAME_KEY];
  const planned = await context.worktrees.plan({
    id,
    request: { ...request, base_repo },
    ...(typeof name === 'string' ? { name } : {}),
  });
  const { setup, copy, ports } = await context.projectSetups.extrasFor(planned, { skip: request.setup === 'skip' });
  const port = await context.ports.reserve(id, ports);
  const record = { ...planned, ...(setup === undefined ? {} : { setup }), ...(port === undefined ? {} : { port, ports }) };
  return { record, copy };
}

/** Makes what was planned, and copies what belongs into it. */
export async function makeSessionWorktree(context: SessionContext, { record, copy }: PlannedWorktree): Promise<void> {
  try {
    const made = await context.worktrees.make(record);
    if (copy.length > 0) await copyFiles({ git: context.git, umask: context.umask }, made, copy);
  } finally {
    context.ports.release(record.id);
  }
}

/**
 * Rejects with `cwd_missing` unless what stands at the path of the session's worktree still is that worktree. In any other directory git
 * may climb to a repository around it, and the program would work on what is not its own.
 */
export async function requireOwnWorktree({ worktrees }: SessionContext, { id, worktree }: Sidecar): Promise<void> {
  if (worktree === undefined) return;
  const record = worktrees.find(id);
  const problem = record ? await checkLink(record) : await unknownLinkProblem(worktree.path);
  if (problem === undefined) return;
  throw new MaestroError(
    'cwd_missing',
    `cwd: ${worktree.path} is not the session's worktree any more: ${problem}; put it back, or kill it`,
    {
      details: { field: 'cwd', value: worktree.path },
    },
  );
}

/** All that can be said where Maestro's own note of the worktree is lost. */
async function unknownLinkProblem(path: string): Promise<string | undefined> {
  return (await readLink(path)) === undefined ? `${path}/.git names no git directory` : undefined;
}

/** The worktree as clients see it. */
export function worktreeOf({ path, base_repo, branch, created_branch, base_commit, base, port }: WorktreeRecord): Worktree {
  return {
    path,
    base_repo,
    branch,
    created_branch,
    base_commit,
    ...(base === undefined ? {} : { base }),
    ...(port === undefined ? {} : { port }),
  };
}

/** Rejects a request that says nothing of where to run: the schema lets none through, but for callers without one. */
export function requireCwdOf(cwd: string | undefined): string {
  if (cwd !== undefined) return cwd;
  throw new MaestroError('invalid_request', 'cwd: give a directory, or a worktree', { details: { field: 'cwd' } });
}
