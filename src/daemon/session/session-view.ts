import { type GitState, NAME_KEY, type Session, WorktreeSchema } from '../../protocol/index.js';
import type { Sidecar } from '../store/sidecar.js';

/** What is seen of a session, and not written down. */
interface Observed {
  readonly git?: GitState | undefined;
  readonly warning?: string | undefined;
}

/** The session as clients see it: what only the daemon needs, and fields of other versions, stay behind. */
export function viewOf(record: Sidecar, { git, warning }: Observed = {}): Session {
  const { id, status, created_at, updated_at, cwd, command, env, metadata, preset, agent_session, worktree, activity, exit, size } = record;
  return {
    id,
    status,
    created_at,
    updated_at,
    cwd,
    command,
    env,
    metadata,
    ...(preset === undefined ? {} : { preset }),
    ...(agent_session === undefined ? {} : { agent_session }),
    ...(worktree === undefined ? {} : { worktree: WorktreeSchema.parse(worktree) }),
    ...(activity === undefined ? {} : { activity }),
    ...(exit === undefined ? {} : { exit }),
    size: { cols: size.cols, rows: size.rows },
    ...(git === undefined ? {} : { git }),
    ...(warning === undefined ? {} : { warning }),
  };
}

/** How messages name a session: its display name and the start of its id. */
export function labelOf(record: Sidecar): string {
  const name = record.metadata[NAME_KEY];
  const short = record.id.slice(0, 8);
  return typeof name === 'string' ? `session "${name}" (${short})` : `session ${short}`;
}
