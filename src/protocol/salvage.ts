import { z } from 'zod';
import { CommitSchema, InventoryFileSchema, ObjectIdSchema } from './git.js';
import { SessionIdSchema, TimeSchema } from './session.js';
import { PlainTextSchema } from './text.js';

/** Where the salvage of a session's worktree is kept, in the repository that the worktree belonged to. */
export function salvageRef(id: string): string {
  return `refs/maestro/salvage/${id}`;
}

/** What was saved of a worktree before it was removed by force. `id` is that of its session. */
export const SalvageSchema = z.object({
  id: SessionIdSchema,
  ref: z.string(),
  /** The commit that holds every saved file; its first parent is where the branch stood, its second what was staged. */
  commit: ObjectIdSchema,
  base_repo: z.string(),
  /** The branch of the worktree; absent when its HEAD was detached. */
  branch: z.string().optional(),
  /** The display name of the session. */
  name: z.string().optional(),
  created_at: TimeSchema,
  /** When it is dropped by itself; absent when never. */
  expires_at: TimeSchema.optional(),
  files_total: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  /** Its ref or its repository is not there any more: nothing can be restored. */
  missing: z.boolean().optional(),
});
export type Salvage = z.infer<typeof SalvageSchema>;

export const SalvageDetailSchema = SalvageSchema.extend({
  /** All of them, by path. */
  files: z.array(InventoryFileSchema),
  /** Commits that only the salvage holds. */
  commits: z.array(CommitSchema),
});
export type SalvageDetail = z.infer<typeof SalvageDetailSchema>;

/** Where to restore to: an absolute path where nothing is yet. Absent: a new directory beside the other worktrees. */
export const RestoreSalvageRequestSchema = z.strictObject({ path: PlainTextSchema.min(1).optional() });
export type RestoreSalvageRequest = z.input<typeof RestoreSalvageRequestSchema>;

/** A worktree as it was: its branch, what was staged, what was changed, untracked and ignored files. The salvage stays until it is dropped. */
export const RestoredSalvageSchema = z.object({
  path: z.string(),
  /** The branch it was on, or a new one where that has moved on or is checked out elsewhere. */
  branch: z.string(),
  created_branch: z.boolean(),
});
export type RestoredSalvage = z.infer<typeof RestoredSalvageSchema>;

/** With `path` the answer is a `FileDiff`, else a `Diff`: from where the branch stood to what was saved. */
export const SalvageDiffQuerySchema = z.strictObject({
  path: PlainTextSchema.min(1).optional(),
  context: z.coerce.number().int().min(0).max(1000).optional(),
});
export interface SalvageDiffQuery {
  path?: string | undefined;
  context?: number | undefined;
}
