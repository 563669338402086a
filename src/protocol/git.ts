import { z } from 'zod';
import { TimeSchema } from './session.js';

/** A git object id: 40 hexadecimal digits, or 64 in a SHA-256 repository. */
export const ObjectIdSchema = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, { error: 'must be a whole git object id in lower case' });

export const CommitSchema = z.object({
  id: ObjectIdSchema,
  /** The first line of the message. */
  subject: z.string(),
  author: z.string(),
  at: TimeSchema,
});
export type Commit = z.infer<typeof CommitSchema>;

/** What became of a file between two states of a tree. `untracked` is new and not known to git. */
export const FileStatusSchema = z.enum(['added', 'modified', 'deleted', 'renamed', 'copied', 'type_changed', 'conflicted', 'untracked']);
export type FileStatus = z.infer<typeof FileStatusSchema>;

/**
 * Paths are relative to the top of the worktree, with `/`. One that is not UTF-8 shows U+FFFD for each wrong byte and cannot be asked for.
 */
const FilePathSchema = z.string();

/** A git operation that was begun in a worktree and is neither finished nor given up. */
export const GitOperationSchema = z.enum(['merge', 'rebase', 'cherry_pick', 'revert', 'bisect', 'apply']);
export type GitOperation = z.infer<typeof GitOperationSchema>;

/** One thing in a worktree that would be lost with it. `ignored` ones are only named where they are not {@link Inventory regenerable}. */
export const InventoryFileSchema = z.object({
  path: FilePathSchema,
  kind: z.enum(['staged', 'modified', 'untracked', 'ignored', 'conflicted']),
  status: FileStatusSchema,
  /** Bytes on disk, where the file is there. */
  bytes: z.int().nonnegative().optional(),
});
export type InventoryFile = z.infer<typeof InventoryFileSchema>;

/** The most entries of each list in an {@link Inventory}; the totals count all. */
export const INVENTORY_LIST_LIMIT = 200;

/**
 * What a worktree holds that exists nowhere else. `clean` says that removing it loses nothing: commits on its branch do not count, as the
 * branch is kept, nor do ignored files that can be made again, such as `node_modules`.
 */
export const InventorySchema = z.object({
  clean: z.boolean(),
  /** Absent when HEAD is detached. */
  branch: z.string().optional(),
  head: ObjectIdSchema.optional(),
  files: z.array(InventoryFileSchema),
  files_total: z.int().nonnegative(),
  /** On a detached HEAD: commits that no branch, tag or remote branch holds. */
  detached_commits: z.array(CommitSchema),
  detached_commits_total: z.int().nonnegative(),
  /** Commits on the branch beyond where the session began. They never block: the branch is kept. */
  branch_commits: z.array(CommitSchema),
  branch_commits_total: z.int().nonnegative(),
  /** Repositories of their own inside the worktree. No salvage ref can hold them. */
  nested_repositories: z.array(FilePathSchema),
  /** Submodules with changes, or with commits that none of their remotes has. No salvage ref can hold them. */
  dirty_submodules: z.array(FilePathSchema),
  operation: GitOperationSchema.optional(),
  /** The worktree's own link to its repository is missing or wrong: nothing is known of it, and nothing is done to it. */
  broken: z.string().optional(),
});
export type Inventory = z.infer<typeof InventorySchema>;
