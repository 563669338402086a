import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Sidecar } from '../store/sidecar.js';
import { checkLink, readLink } from '../worktree/worktree-link.js';
import { WORKTREE_RECORD_VERSION, type WorktreeRecord } from '../worktree-record.js';
import { messageOf } from './record-keeper.js';
import type { SessionContext } from './session-context.js';

/**
 * Makes up for worktree records that are lost, from what the sidecars say and git's own links. What the repository's set-up said is not
 * known any more. Answers what could not be made up for, for people.
 */
export async function rebuildWorktrees(context: SessionContext): Promise<string[]> {
  const { registry, worktrees } = context;
  const problems: string[] = [];
  for (const { id, record } of registry.entries()) {
    if (record.worktree === undefined || worktrees.find(id) !== undefined) continue;
    const rebuilt = await rebuild(record, record.worktree);
    if (rebuilt === undefined) problems.push(`the record of the worktree ${record.worktree.path} is lost; it will not be removed`);
    else await worktrees.save(rebuilt).catch((error: unknown) => problems.push(messageOf(error)));
  }
  return problems;
}

async function rebuild({ id, created_at }: Sidecar, worktree: NonNullable<Sidecar['worktree']>): Promise<WorktreeRecord | undefined> {
  const { path, base_repo, branch, created_branch, base_commit, base, port } = worktree;
  const link = await readLink(path);
  const admin_dir = link && (await realpath(link).catch(() => undefined));
  if (admin_dir === undefined) return undefined;
  const record: WorktreeRecord = {
    version: WORKTREE_RECORD_VERSION,
    id,
    path,
    base_repo,
    git_dir: dirname(dirname(admin_dir)),
    admin_dir,
    branch,
    created_branch,
    base_commit,
    ...(base === undefined ? {} : { base }),
    ...(port === undefined ? {} : { port, ports: 1 }),
    created_at,
    state: 'made',
  };
  return (await checkLink(record)) === undefined ? record : undefined;
}
