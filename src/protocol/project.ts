import { z } from 'zod';
import { CommitSchema } from './git.js';
import { SessionIdSchema, TimeSchema } from './session.js';
import { PlainTextSchema } from './text.js';

/** A git repository: under one of the configured roots, or one that a session is in. */
export const ProjectSchema = z.object({
  /** Absolute: the top of its main worktree, or the repository itself when it is bare. */
  path: z.string(),
  name: z.string(),
  bare: z.boolean(),
  /** Absent when HEAD is detached. */
  branch: z.string().optional(),
  /** Absent before the first commit. */
  commit: CommitSchema.optional(),
  /** The sessions in it and in its worktrees. */
  sessions: z.array(SessionIdSchema),
  /** When a session was last begun in it; absent for one that had none. The list is by this time, then by that of the commit. */
  used_at: TimeSchema.optional(),
});
export type Project = z.infer<typeof ProjectSchema>;

/** Ask for the directories that complete `prefix`, which is absolute or begins with `~/`. */
export const PathQuerySchema = z.strictObject({ prefix: PlainTextSchema.max(4096) });

/** The most entries of {@link PathCompletions}. */
export const PATH_LIMIT = 100;

export const PathCompletionsSchema = z.object({
  /** In the order of their names; links to directories count as such. */
  entries: z.array(z.object({ path: z.string(), name: z.string(), repository: z.boolean() })),
  truncated: z.boolean(),
});
export type PathCompletions = z.infer<typeof PathCompletionsSchema>;

/** Ask for the branches of the repository that the directory `repo` is in. */
export const BranchQuerySchema = z.strictObject({ repo: PlainTextSchema.min(1) });

/** The most entries of {@link BranchList}. */
export const BRANCHES_LIMIT = 500;

export const BranchSchema = z.object({
  /** As a base names it, such as `main` or `origin/next`. */
  name: z.string(),
  /** What the repository knows of a remote's branch. */
  remote: z.boolean(),
  commit: CommitSchema,
  /** Where it is checked out: no other worktree can be on it. */
  worktree: z.string().optional(),
});
export type Branch = z.infer<typeof BranchSchema>;

export const BranchListSchema = z.object({
  /** By the time of their last commit, the newest first. */
  branches: z.array(BranchSchema),
  truncated: z.boolean(),
});
export type BranchList = z.infer<typeof BranchListSchema>;

/** Which `.maestro/config.toml` is meant: that of `base` in the repository at `repo`, as a worktree request names them. */
export const ProjectSetupQuerySchema = z.strictObject({ repo: PlainTextSchema.min(1), base: PlainTextSchema.min(1).max(1000).optional() });

/** What a repository wants to be done for each worktree. */
export const ProjectSetupSchema = z.object({
  /** As {@link ProjectSchema} has it. */
  repo: z.string(),
  /** `sha256:` and the digest of all that would run; absent when nothing would. */
  hash: z.string().optional(),
  /** Nothing would run, or it was trusted with this very content. */
  trusted: z.boolean(),
  /** Shell text that runs in the session before its program. */
  setup: z.string().optional(),
  /** Shell text that runs before the worktree is removed. */
  teardown: z.string().optional(),
  env: z.record(z.string(), z.string()),
  /** Which ignored files of the main worktree are copied, in gitignore syntax. */
  copy: z.array(z.string()),
  /** How many ports each worktree gets. */
  ports: z.int().nonnegative(),
});
export type ProjectSetup = z.infer<typeof ProjectSetupSchema>;

/** Trust what a repository wants to run, by the hash that was shown. */
export const TrustRequestSchema = z.strictObject({
  repo: PlainTextSchema.min(1),
  hash: z.string().regex(/^sha256:[0-9a-f]{64}$/, 'must be the hash that was shown'),
});
export type TrustRequest = z.input<typeof TrustRequestSchema>;

export const TrustedProjectSchema = z.object({ repo: z.string(), hashes: z.array(z.string()), at: TimeSchema });
export type TrustedProject = z.infer<typeof TrustedProjectSchema>;

export const RevokeTrustQuerySchema = z.strictObject({ repo: PlainTextSchema.min(1) });
