import { z } from 'zod';

/**
 * Every way in which Maestro refuses or fails, with its HTTP status. This table is the only place that knows either; a code never
 * changes its meaning.
 */
export const ERROR_STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  already_running: 409,
  cwd_missing: 409,
  worktree_dirty: 409,
  branch_conflict: 409,
  not_running: 409,
  waiting: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  agent_not_found: 422,
  tmux_unavailable: 503,
  storage_failed: 507,
  internal: 500,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

const ERROR_CODES = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

/** The body of every answer that is not 2xx. `message` names what was refused, why, and what to do next. */
export const ApiErrorSchema = z.object({
  error: z.object({
    code: z.enum(ERROR_CODES),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
});
export type ApiError = z.infer<typeof ApiErrorSchema>;

export interface MaestroErrorOptions {
  /** Facts for programs, such as the field and the rule that was broken. Never holds secrets or terminal bytes. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

/** An expected failure: it has a code from the table and a message meant for the user. Anything else that is thrown is a bug. */
export class MaestroError extends Error {
  override readonly name = 'MaestroError';
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, message: string, options: MaestroErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }

  toJSON(): ApiError {
    const { code, message, details } = this;
    return { error: details === undefined ? { code, message } : { code, message, details: { ...details } } };
  }
}
