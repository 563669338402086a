import { z } from 'zod';
import { ObjectIdSchema, SessionIdSchema, TimeSchema } from '../protocol/index.js';

/** The major version of the format of worktree records. A file with a higher one is left alone. */
export const WORKTREE_RECORD_VERSION = 1;

/** What a repository's set-up says for one worktree, as it was trusted when the worktree was made. */
export const WorktreeSetupSchema = z.looseObject({
  setup: z.string().optional(),
  teardown: z.string().optional(),
  env: z.record(z.string(), z.string()),
});
export type WorktreeSetup = z.infer<typeof WorktreeSetupSchema>;

/**
 * The durable record of a worktree that Maestro makes, made or is to remove. It is on disk before the first thing is made and until the
 * last one is removed, so that nothing in a repository is ever unaccounted for. `id` is that of the session or the salvage it is made for.
 */
export const WorktreeRecordSchema = z.looseObject({
  version: z.int(),
  id: SessionIdSchema,
  /** Absolute. The directory did not exist before. */
  path: z.string(),
  /** The top of the repository's main worktree, or the repository itself when it is bare. */
  base_repo: z.string(),
  /** The repository's common git directory, absolute. */
  git_dir: z.string(),
  /** git's own directory for this worktree, such as `GIT_DIR/worktrees/NAME`. Known once the worktree is made. */
  admin_dir: z.string().optional(),
  branch: z.string(),
  created_branch: z.boolean(),
  base_commit: ObjectIdSchema,
  /** The branch or remote branch that `branch` was made from, short. */
  base: z.string().optional(),
  /** The first of `ports` ports that are its own. */
  port: z.int().optional(),
  ports: z.int().optional(),
  /** The session's display name when it was made. */
  name: z.string().optional(),
  created_at: TimeSchema,
  /** `making` until all of it is there; what is found so after a crash is undone. */
  state: z.enum(['making', 'made']),
  setup: WorktreeSetupSchema.optional(),
  /** Its session is gone and it is to be removed: only if nothing is lost (`clean`), or after a salvage. */
  doomed: z.enum(['clean', 'salvage']).optional(),
});
export type WorktreeRecord = z.infer<typeof WorktreeRecordSchema>;
