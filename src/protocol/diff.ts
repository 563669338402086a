import { z } from 'zod';
import { CommitSchema, FileStatusSchema, GitOperationSchema, ObjectIdSchema } from './git.js';
import { PlainTextSchema } from './text.js';

/** The most files of a {@link Diff}; the totals count all. */
export const DIFF_FILE_LIMIT = 3000;
/** The most commits of a {@link Diff}. */
export const DIFF_COMMIT_LIMIT = 200;
/** A side of a file with more bytes is not compared. */
export const DIFF_BYTES_LIMIT = 4 * 1024 * 1024;
/** The most lines of a {@link FileDiff}, context included. */
export const DIFF_LINE_LIMIT = 50_000;

/** What the files on disk are compared with: where the session began, or the last commit. */
export const DiffAgainstSchema = z.enum(['base', 'head']);
export type DiffAgainst = z.infer<typeof DiffAgainstSchema>;

/** `against` is `base` for a session with a worktree of its own unless given, else `head`. With `path` the answer is a {@link FileDiff}. */
export const DiffQuerySchema = z.strictObject({
  against: DiffAgainstSchema.optional(),
  path: PlainTextSchema.min(1).optional(),
  /** Unchanged lines around each change; 3 unless given. */
  context: z.coerce.number().int().min(0).max(1000).optional(),
});
export interface DiffQuery {
  against?: DiffAgainst | undefined;
  path?: string | undefined;
  context?: number | undefined;
}

/** As git writes it: `100644` and `100755` are files, `120000` a symbolic link, `160000` a submodule. */
const FileModeSchema = z.string().regex(/^[0-7]{6}$/);

export const DiffFileSchema = z.object({
  path: z.string(),
  old_path: z.string().optional(),
  status: FileStatusSchema,
  /** Absent where there is no such side, or where it cannot be read. */
  old_mode: FileModeSchema.optional(),
  new_mode: FileModeSchema.optional(),
  /** Lines; absent for a binary file, and for one that is too large to count. */
  additions: z.int().nonnegative().optional(),
  deletions: z.int().nonnegative().optional(),
  binary: z.boolean(),
});
export type DiffFile = z.infer<typeof DiffFileSchema>;

/** What changed in a session's directory, files first; their hunks are asked for one by one. */
export const DiffSchema = z.object({
  against: DiffAgainstSchema,
  /** The top of the worktree. */
  root: z.string(),
  branch: z.string().optional(),
  /** What it is compared with; absent in a repository without commits. */
  base: ObjectIdSchema.optional(),
  head: ObjectIdSchema.optional(),
  files: z.array(DiffFileSchema),
  files_total: z.int().nonnegative(),
  additions: z.int().nonnegative(),
  deletions: z.int().nonnegative(),
  /** From `base` to `head`, newest first; empty when compared with `head`. */
  commits: z.array(CommitSchema),
  commits_total: z.int().nonnegative(),
  /** The ref that `ahead` and `behind` count from, short, such as `main` or `origin/main`. */
  compared_with: z.string().optional(),
  ahead: z.int().nonnegative().optional(),
  behind: z.int().nonnegative().optional(),
  operation: GitOperationSchema.optional(),
});
export type Diff = z.infer<typeof DiffSchema>;

export const HunkSchema = z.object({
  old_start: z.int().nonnegative(),
  old_lines: z.int().nonnegative(),
  new_start: z.int().nonnegative(),
  new_lines: z.int().nonnegative(),
  /** What git found above the hunk, such as the head of a function. */
  section: z.string().optional(),
  /** Each begins with a space, `+`, `-`, or `\` for "no newline at end of file". Bytes that are not UTF-8 show as U+FFFD. */
  lines: z.array(z.string()),
});
export type Hunk = z.infer<typeof HunkSchema>;

export const FileDiffSchema = DiffFileSchema.extend({
  hunks: z.array(HunkSchema),
  old_bytes: z.int().nonnegative().optional(),
  new_bytes: z.int().nonnegative().optional(),
  /** Why there are fewer hunks than changes: the file is over {@link DIFF_BYTES_LIMIT}, or the lines were over {@link DIFF_LINE_LIMIT}. */
  cut: z.enum(['too_large', 'too_many_lines']).optional(),
});
export type FileDiff = z.infer<typeof FileDiffSchema>;
