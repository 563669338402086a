import { z } from 'zod';
import { InventorySchema, ObjectIdSchema } from './git.js';
import { SessionIdSchema, SessionStatusSchema, TimeSchema } from './session.js';
import { PlainTextSchema } from './text.js';

/** The longest branch name, in characters: git keeps each part of it as a file name. */
export const BRANCH_LIMIT = 240;

/** git itself says which names are good; this keeps out what could be taken for an option or for more than one line. */
export const BranchNameSchema = PlainTextSchema.min(1)
  .max(BRANCH_LIMIT)
  .refine((name) => !name.startsWith('-'), 'must not begin with -');

/**
 * A worktree for a new session. `base_repo` is any directory of a repository, also of one of its worktrees. With `create_branch` the branch
 * is made at `base`, which is anything that names a commit: a branch, a tag, a commit, a remote branch, a ref that was fetched; HEAD of
 * `base_repo` when absent. Without it the branch has to exist, and `base` is not given.
 */
export const WorktreeRequestSchema = z
  .strictObject({
    base_repo: PlainTextSchema.min(1),
    branch: BranchNameSchema,
    create_branch: z.boolean().default(true),
    base: PlainTextSchema.min(1).max(1000).optional(),
    /** `skip` leaves out what the repository's own `.maestro/config.toml` wants to run. */
    setup: z.enum(['run', 'skip']).default('run'),
  })
  .refine((request) => request.create_branch || request.base === undefined, {
    path: ['base'],
    message: 'an existing branch has its own commits; leave base out, or create a branch',
  });
export type WorktreeRequest = z.input<typeof WorktreeRequestSchema>;

/**
 * What is to become of a worktree that Maestro made.
 *
 * - `owned`: its session is there; a kill of the session decides.
 * - `left`: its session is gone and it was kept.
 * - `broken`: it is there, and its link to the repository is not.
 * - `missing`: its directory is gone; only what the repository noted of it is left.
 */
export const WorktreeStateSchema = z.enum(['owned', 'left', 'broken', 'missing']);

/** A worktree that Maestro made. `id` is the id of the session, or of the salvage, that it was made for. */
export const WorktreeEntrySchema = z.object({
  id: SessionIdSchema,
  path: z.string(),
  base_repo: z.string(),
  branch: z.string(),
  created_branch: z.boolean(),
  base_commit: ObjectIdSchema,
  created_at: TimeSchema,
  state: WorktreeStateSchema,
  session: z.object({ id: SessionIdSchema, name: z.string().optional(), status: SessionStatusSchema }).optional(),
  /** Absent where there is nothing to look at. */
  inventory: InventorySchema.optional(),
  /** It can be removed without force and nothing is lost. */
  removable: z.boolean(),
  /** Why, or why not; for people. */
  reason: z.string(),
});
export type WorktreeEntry = z.infer<typeof WorktreeEntrySchema>;

export const RemoveWorktreeQuerySchema = z.strictObject({
  force: z.stringbool({ truthy: ['true', '1', ''], falsy: ['false', '0'] }).optional(),
});

export const RemovedWorktreeSchema = z.object({
  path: z.string(),
  branch_kept: z.string().optional(),
  salvage_ref: z.string().optional(),
});
export type RemovedWorktree = z.infer<typeof RemovedWorktreeSchema>;
