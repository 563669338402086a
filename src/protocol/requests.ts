import { z } from 'zod';
import { NAME_KEY, NameSchema } from './name.js';
import { ActivityStateSchema, AgentSessionSchema, MetadataSchema, SizeSchema } from './session.js';
import { isPlainText, PlainTextSchema, utf8Length } from './text.js';
import { WorktreeRequestSchema } from './worktree.js';

/** The longest command, in bytes: a single argument of a program can be little longer on Linux. */
export const COMMAND_LIMIT = 100 * 1024;

/** The longest body of a request, in bytes. */
export const BODY_LIMIT = 4 * 1024 * 1024;

/** The longest file that a session takes, in bytes. */
export const UPLOAD_LIMIT = 25 * 1024 * 1024;

/** The largest `tail` of a request for stored output, in bytes. */
const TAIL_LIMIT = 1024 * 1024 * 1024;

/** The media type of such a file's content, whatever is in it. */
export const UPLOAD_TYPE = 'application/octet-stream';

/** Linux refuses to start a program with a longer `NAME=value`, in bytes, the closing NUL included. */
const ENV_ENTRY_LIMIT = 128 * 1024 - 1;
/** Together with the command this stays well below what Linux gives to arguments and environment. */
const ENV_TOTAL_LIMIT = 1024 * 1024;
const ENV_COUNT_LIMIT = 1000;

/** Set by Maestro in every session, never stored and not to be given. */
export const INJECTED_ENV = ['MAESTRO_SESSION_ID', 'MAESTRO_RUN', 'MAESTRO_SOCKET', 'MAESTRO_REPORT_TOKEN', 'TERM', 'COLORTERM'] as const;

const EnvNameSchema = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'names must match [A-Za-z_][A-Za-z0-9_]*, as /bin/sh passes on no others')
  .refine(
    (name) => !(INJECTED_ENV as readonly string[]).includes(name),
    `must not be one of ${INJECTED_ENV.join(', ')}: Maestro sets them`,
  );

export const EnvSchema = z.record(EnvNameSchema, PlainTextSchema).superRefine((env, context) => {
  const entries = Object.entries(env);
  if (entries.length > ENV_COUNT_LIMIT) {
    context.addIssue({ code: 'custom', message: `must have at most ${ENV_COUNT_LIMIT} variables` });
  }
  let total = 0;
  for (const [name, value] of entries) {
    const bytes = utf8Length(name) + 1 + utf8Length(value);
    total += bytes;
    if (bytes > ENV_ENTRY_LIMIT) {
      context.addIssue({ code: 'custom', path: [name], message: `must have at most ${ENV_ENTRY_LIMIT} bytes, its name included` });
    }
  }
  if (total > ENV_TOTAL_LIMIT) context.addIssue({ code: 'custom', message: `must have at most ${ENV_TOTAL_LIMIT} bytes together` });
});

export const CommandSchema = PlainTextSchema.refine((command) => command.trim() !== '', 'must not be empty').refine(
  (command) => utf8Length(command) <= COMMAND_LIMIT,
  `must have at most ${COMMAND_LIMIT} bytes`,
);

/** The longest first prompt, in bytes. */
export const PROMPT_LIMIT = 64 * 1024;

const PromptSchema = PlainTextSchema.refine((prompt) => prompt.trim() !== '', 'must not be empty').refine(
  (prompt) => utf8Length(prompt) <= PROMPT_LIMIT,
  `must have at most ${PROMPT_LIMIT} bytes`,
);

function isPlainJson(value: unknown): boolean {
  if (typeof value === 'string') return isPlainText(value);
  if (Array.isArray(value)) return value.every(isPlainJson);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, item]) => isPlainText(key) && isPlainJson(item));
}

/** Metadata as a client may send it: the display name is checked and brought into its normal form. */
const GivenMetadataSchema = MetadataSchema.refine(isPlainJson, 'texts must be valid Unicode without NUL').transform((metadata, context) => {
  const name = metadata[NAME_KEY];
  if (name === undefined || name === null) return metadata;
  const checked = NameSchema.safeParse(name);
  if (checked.success) return { ...metadata, [NAME_KEY]: checked.data };
  for (const issue of checked.error.issues) context.addIssue({ code: 'custom', path: [NAME_KEY], message: issue.message });
  return z.NEVER;
});

/**
 * Create a session. `command` is what runs; with `preset` alone, the preset's command does. With a `worktree` the session runs in it, and
 * `cwd` may be left out.
 */
export const CreateSessionRequestSchema = z
  .strictObject({
    cwd: PlainTextSchema.min(1).optional(),
    command: CommandSchema.optional(),
    env: EnvSchema.optional(),
    metadata: GivenMetadataSchema.optional(),
    preset: z.string().min(1).max(64).optional(),
    /** What the agent shall begin with. It becomes part of the session's command, and is not sent again by a resume. */
    prompt: PromptSchema.optional(),
    size: SizeSchema.optional(),
    worktree: WorktreeRequestSchema.optional(),
  })
  .refine((request) => request.cwd !== undefined || request.worktree !== undefined, {
    path: ['cwd'],
    message: 'give a directory, or a worktree',
  })
  .refine((request) => request.command !== undefined || request.preset !== undefined, {
    path: ['command'],
    message: 'give a command or a preset',
  });
export type CreateSessionRequest = z.input<typeof CreateSessionRequestSchema>;

/** A JSON merge patch (RFC 7396) of the metadata: null removes a key, objects merge, anything else replaces. */
export const PatchSessionRequestSchema = z.strictObject({ metadata: GivenMetadataSchema });
export type PatchSessionRequest = z.input<typeof PatchSessionRequestSchema>;

export const ACTIVITY_MESSAGE_LIMIT = 4096;

export const ActivityRequestSchema = z.strictObject({
  state: ActivityStateSchema,
  message: PlainTextSchema.max(ACTIVITY_MESSAGE_LIMIT).optional(),
  agent_session: AgentSessionSchema.optional(),
  /** `MAESTRO_RUN` of the reporting process: what an older run says does not replace what a newer one said. */
  run: z.union([z.int().positive(), z.string().regex(/^[1-9][0-9]{0,14}$/, 'must be the value of MAESTRO_RUN')]).optional(),
});
export type ActivityRequest = z.input<typeof ActivityRequestSchema>;

/**
 * A key as tmux names it: one printable ASCII character after any of `C-` and `M-`, or a letter or named key after any of `C-`, `M-`, `S-`.
 * Which character Shift makes of another one depends on the keyboard.
 */
const KEY =
  /^(?:(?:[CM]-){0,2}[!-~]|(?:[CMS]-){0,3}(?:[A-Za-z]|Enter|Escape|Space|Tab|BTab|BSpace|Up|Down|Left|Right|Home|End|PageUp|PageDown|IC|DC|F(?:[1-9]|1[0-2])))$/;

const PASTE_END = '\u001b[201~';

export const InputRequestSchema = z.union([
  z.strictObject({
    text: PlainTextSchema.refine((text) => !text.includes(PASTE_END), 'must not contain the end mark of a bracketed paste'),
    /** Press Enter behind the text, late enough that no agent takes it for part of the paste. */
    submit: z.boolean().optional(),
  }),
  z.strictObject({ keys: z.array(z.string().regex(KEY, 'must be a key such as a, C-c, Enter, Up or F5')).min(1).max(256) }),
]);
export type InputRequest = z.input<typeof InputRequestSchema>;

export const InputResultSchema = z.object({
  delivered: z.literal(true),
  /** For a prompt that was submitted to an agent at rest: whether it has begun with it within 2 s. Commands of the agent begin nothing. */
  begun: z.boolean().optional(),
});
export type InputResult = z.infer<typeof InputResultSchema>;

export const KillQuerySchema = z.strictObject({
  force: z.stringbool({ truthy: ['true', '1', ''], falsy: ['false', '0'] }).optional(),
  keep_worktree: z.stringbool({ truthy: ['true', '1', ''], falsy: ['false', '0'] }).optional(),
});
export interface KillQuery {
  force?: boolean | undefined;
  keep_worktree?: boolean | undefined;
}

export const KillResultSchema = z.object({
  removed: z.boolean(),
  worktree: z.enum(['none', 'removed', 'kept', 'pending']),
  branch_kept: z.string().optional(),
  salvage_ref: z.string().optional(),
  /** What did not go as it should, such as a teardown that failed; for people. */
  warnings: z.array(z.string()).optional(),
});
export type KillResult = z.infer<typeof KillResultSchema>;

export const ScreenQuerySchema = z.strictObject({
  format: z.enum(['text', 'ansi']).optional(),
  history: z.coerce.number().int().min(0).max(50_000).optional(),
});

export const ScrollbackQuerySchema = z.strictObject({
  /** Only the newest bytes, at most so many: from the start of a character or sequence on, ahead of it what brings a terminal into its modes. */
  tail: z.coerce.number().int().positive().max(TAIL_LIMIT).optional(),
});

export const UploadQuerySchema = z.strictObject({
  /** What the sender calls the file. It is stored under a name that is made of it. */
  name: PlainTextSchema.max(4096).optional(),
});

/** A file that was sent to a session. */
export const UploadSchema = z.object({
  /** Where it is on the daemon's host. Absolute. */
  path: z.string(),
  /** In bytes. */
  size: z.int().nonnegative(),
});
export type Upload = z.infer<typeof UploadSchema>;
