import { z } from 'zod';
import { JsonSchema } from './json.js';
import { PlainTextSchema } from './text.js';

/** The columns and rows a pane may have. tmux itself takes far worse ones, and then hangs or wrecks the output. */
export const SIZE_LIMITS = { minCols: 10, maxCols: 500, minRows: 3, maxRows: 300 } as const;

export const DEFAULT_SIZE: Size = { cols: 120, rows: 40 };

export const SizeSchema = z.strictObject({
  cols: z.int().min(SIZE_LIMITS.minCols).max(SIZE_LIMITS.maxCols),
  rows: z.int().min(SIZE_LIMITS.minRows).max(SIZE_LIMITS.maxRows),
});
export interface Size {
  cols: number;
  rows: number;
}

export const SessionIdSchema = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/, {
  error: 'must be a version 4 uuid in lower case',
});

/** An agent's own conversation id. The alphabet makes it inert in any shell quoting. */
export const AgentSessionSchema = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,199}$/, {
  error: 'must match [A-Za-z0-9][A-Za-z0-9._:-]{0,199}',
});

export const SessionStatusSchema = z.enum(['running', 'dead', 'dormant']);
export type SessionStatus = z.infer<typeof SessionStatusSchema>;

export const ActivityStateSchema = z.enum(['working', 'waiting', 'idle']);

/** What the user is waited for: to allow something, to answer, to get past a dialog at the start, to mend something. */
export const WaitingKindSchema = z.enum(['permission', 'question', 'dialog', 'error']);
export type WaitingKind = z.infer<typeof WaitingKindSchema>;

/** RFC 3339, UTC. */
export const TimeSchema = z.iso.datetime();

export const ActivitySchema = z.object({
  state: ActivityStateSchema,
  /** While waiting, where it is known. */
  kind: WaitingKindSchema.optional(),
  message: z.string().optional(),
  since: TimeSchema,
  /** Idle after work whose end nobody has seen yet. */
  done: z.boolean().optional(),
  /** Idle after work that ended by an error. */
  failed: z.boolean().optional(),
});
export type Activity = z.infer<typeof ActivitySchema>;

export const ExitReasonSchema = z.enum(['exited', 'killed', 'stopped', 'lost', 'resume_failed']);
export type ExitReason = z.infer<typeof ExitReasonSchema>;

/** How a session's last program ended. `signal` is the signal's number; an end has a `code`, a `signal`, or neither when nobody saw it. */
export const ExitSchema = z.object({
  code: z.int().optional(),
  signal: z.int().optional(),
  reason: ExitReasonSchema,
  at: TimeSchema,
});
export type Exit = z.infer<typeof ExitSchema>;

/** A git worktree that the session owns. */
export const WorktreeSchema = z.object({
  path: z.string(),
  /** The top of the repository's main worktree, or the repository itself when it is bare. */
  base_repo: z.string(),
  branch: z.string(),
  /** The branch was made for this session. */
  created_branch: z.boolean(),
  /** Where the branch stood when the session began. */
  base_commit: z.string(),
  /** The branch or remote branch that the session's branch was made from, such as `main` or `origin/main`. */
  base: z.string().optional(),
  /** The first of the ports that are the session's own, its `MAESTRO_PORT`. */
  port: z.int().optional(),
});
export type Worktree = z.infer<typeof WorktreeSchema>;

/** How the session's worktree stands, kept fresh while somebody listens to events. */
export const GitStateSchema = z.object({
  /** Absent when HEAD is detached. */
  branch: z.string().optional(),
  /** Files that differ from the last commit, untracked ones included. */
  changed: z.int().nonnegative(),
  /** Another text whenever the last commit or one of the changed files is another than before. */
  revision: z.string(),
  /** Commits that the branch has and `compared_with` has not, and the other way round. */
  ahead: z.int().nonnegative().optional(),
  behind: z.int().nonnegative().optional(),
  compared_with: z.string().optional(),
});
export type GitState = z.infer<typeof GitStateSchema>;

/** Any JSON object. The key {@link NAME_KEY} is the display name. */
export const MetadataSchema = z.record(PlainTextSchema, JsonSchema);
export type Metadata = z.infer<typeof MetadataSchema>;

export const SessionSchema = z.object({
  id: SessionIdSchema,
  status: SessionStatusSchema,
  created_at: TimeSchema,
  updated_at: TimeSchema,
  /** Absolute, as it was asked for: a symbolic link in it is kept, so that tools which file their history by path find it again. */
  cwd: z.string(),
  /** POSIX shell text, run by `/bin/sh -c`. */
  command: z.string(),
  env: z.record(z.string(), z.string()),
  metadata: MetadataSchema,
  preset: z.string().optional(),
  agent_session: AgentSessionSchema.optional(),
  worktree: WorktreeSchema.optional(),
  activity: ActivitySchema.optional(),
  exit: ExitSchema.optional(),
  size: SizeSchema,
  git: GitStateSchema.optional(),
  /** Why this session needs a look, such as a sidecar that was lost or comes from a newer Maestro. Absent when all is well. */
  warning: z.string().optional(),
});
export type Session = z.infer<typeof SessionSchema>;
