import { z } from 'zod';
import {
  ActivitySchema,
  AgentSessionSchema,
  ExitSchema,
  SessionSchema,
  SessionStatusSchema,
  type Size,
  SizeSchema,
  TimeSchema,
  WorktreeSchema,
} from '../../protocol/index.js';

/** The major version of the sidecar format. A file with a higher one is shown and never written. */
export const SIDECAR_VERSION = 1;

/**
 * What is under way, written before the first irreversible step, so that the next daemon can finish or undo what a crash cut off.
 *
 * - `create`: nobody was told of this session yet; undone, whether or not a pane was made.
 * - `resume`: `former` is what the session goes back to when no pane was made, or when its program fails within `resume_confirm`;
 *   `spawned` says that a pane was made, so that its absence means that it was lost.
 * - `stop`: the end that follows was asked for.
 * - `kill`: of a session with a worktree; asked for again by the next recovery, and given up when work would be lost.
 */
export const IntentSchema = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('create'), at: TimeSchema }),
  z.looseObject({
    kind: z.literal('resume'),
    at: TimeSchema,
    attempt: z.int().positive(),
    spawned: z.boolean().optional(),
    former: z.looseObject({
      status: SessionStatusSchema,
      run: z.int().nonnegative(),
      agent_session: AgentSessionSchema.optional(),
      activity: ActivitySchema.loose().optional(),
      exit: ExitSchema.loose().optional(),
    }),
  }),
  z.looseObject({ kind: z.literal('stop'), at: TimeSchema }),
  z.looseObject({ kind: z.literal('kill'), at: TimeSchema, force: z.boolean().optional(), keep_worktree: z.boolean().optional() }),
]);
export type Intent = z.infer<typeof IntentSchema>;

/** Typed without the fields it lets through, as a plain size is one too. */
const StoredSizeSchema: z.ZodType<Size> = SizeSchema.loose();

/** A session's durable record: the session as clients see it, and what only the daemon needs. Unknown fields survive a rewrite, nested ones too. */
export const SidecarSchema = z.looseObject({
  ...SessionSchema.omit({ warning: true }).shape,
  worktree: WorktreeSchema.loose().optional(),
  activity: ActivitySchema.loose().optional(),
  exit: ExitSchema.loose().optional(),
  size: StoredSizeSchema,
  version: z.int(),
  /** Counts the starts of this session's program, from 1. It is the program's `MAESTRO_RUN`. */
  run: z.int().nonnegative(),
  /** Counts the armings of this session's pipe, from 1; part of every stream position. */
  epoch: z.int().nonnegative(),
  /** It waited for the user when it was lost, so that it comes first when many are resumed. */
  was_waiting: z.boolean().optional(),
  /** When a user last looked at it. */
  seen_at: TimeSchema.optional(),
  intent: IntentSchema.optional(),
});
export type Sidecar = z.infer<typeof SidecarSchema>;
