import { z } from 'zod';
import { JsonSchema } from './json.js';
import { SpawnPresetSchema } from './preset.js';
import { ACTIVITY_MESSAGE_LIMIT } from './requests.js';
import { ActivityStateSchema, AgentSessionSchema, SessionIdSchema, TimeSchema, WaitingKindSchema } from './session.js';
import { PlainTextSchema } from './text.js';

/**
 * How well a preset is known: `live` was measured with the real program in the versions named, `help` read from its own help text, `docs`
 * from its documentation; `config` comes from the user's config.
 */
export const VerificationSchema = z.object({
  how: z.enum(['live', 'help', 'docs', 'config']),
  versions: z.array(z.string()),
});

/** An agent as this host has it, and what Maestro does for it. */
export const AgentInfoSchema = z.object({
  id: SpawnPresetSchema.shape.id,
  label: z.string(),
  installed: z.boolean(),
  /** Where its executable was found. */
  path: z.string().optional(),
  /** What it says of itself; absent when it could not be asked. */
  version: z.string().optional(),
  install: z.string().optional(),
  verified: VerificationSchema,
  /** `chosen`: Maestro gives the conversation its id before the start. `learnt`: the agent tells it. `none`: a resume runs the command again. */
  conversation: z.enum(['chosen', 'learnt', 'none']),
  /** Where its activity comes from, the most trusted first; for people, such as `hooks` or `terminal title`. */
  activity: z.array(z.string()),
  /** What Maestro adds to its command line and environment, one sentence each. The user's own settings are never written. */
  injects: z.array(z.string()),
  /** What does not work with the installed version, or is not sure to. */
  warnings: z.array(z.string()),
});
export type AgentInfo = z.infer<typeof AgentInfoSchema>;

/** The most that a report may hold, in bytes of JSON. The reporter cuts long texts. */
export const REPORT_LIMIT = 64 * 1024;

/**
 * What a reporter (`maestro hook AGENT`, or an agent's plugin) sends from inside a session, with the session's report token.
 *
 * `ancestors` are the reporter's parents, the nearest first, as far as they could be read. They tell an agent from one that it started.
 */
export const ReportRequestSchema = z.strictObject({
  agent: SpawnPresetSchema.shape.id,
  /** `MAESTRO_RUN`. */
  run: z.int().positive(),
  /** When the reporter started, in milliseconds since 1970. */
  at: z.int().nonnegative(),
  /** The agent's own words: what it gave to its hook or plugin. */
  payload: JsonSchema,
  pid: z.int().positive(),
  ancestors: z.array(z.strictObject({ pid: z.int().positive(), name: z.string().max(64) })).max(64),
});
export type ReportRequest = z.input<typeof ReportRequestSchema>;

export const ActivitySourceSchema = z.enum(['hook', 'program_status', 'status_file', 'title', 'output', 'time', 'report', 'daemon']);
export type ActivitySource = z.infer<typeof ActivitySourceSchema>;

const EngineStateSchema = z.enum(['unknown', ...ActivityStateSchema.options, 'ended']);

/** One change of what an agent does, and why Maestro believes it. */
export const TransitionSchema = z.object({
  /** Counts the session's transitions, from 1, over all its lives. */
  seq: z.int().positive(),
  at: TimeSchema,
  run: z.int().nonnegative(),
  from: EngineStateSchema,
  to: EngineStateSchema,
  source: ActivitySourceSchema,
  /** In the words of the source, such as `PermissionRequest Bash`. */
  reason: z.string(),
  kind: WaitingKindSchema.optional(),
  message: z.string().optional(),
  failed: z.boolean().optional(),
  /** The conversation is this one from here on. */
  agent_session: AgentSessionSchema.optional(),
});
export type Transition = z.infer<typeof TransitionSchema>;

/** How many transitions of a session are kept. */
export const TRANSITIONS_KEPT = 200;

/** Why a session is shown as it is. */
export const ExplanationSchema = z.object({
  id: SessionIdSchema,
  /** The agent that Maestro takes it for; absent for a program that it does not know. */
  agent: z.string().optional(),
  state: EngineStateSchema,
  since: TimeSchema.optional(),
  kind: WaitingKindSchema.optional(),
  message: z.string().max(ACTIVITY_MESSAGE_LIMIT).optional(),
  agent_session: AgentSessionSchema.optional(),
  /** The sources that have spoken in this run. */
  heard: z.array(ActivitySourceSchema),
  /** What was not believed of late, and why, the newest last. */
  refused: z.array(z.object({ at: TimeSchema, what: z.string(), why: z.string() })),
  /** The oldest first. */
  transitions: z.array(TransitionSchema),
});
export type Explanation = z.infer<typeof ExplanationSchema>;

/** A conversation in an agent's own store. */
export const ConversationSchema = z.object({
  agent_session: AgentSessionSchema,
  /** When it was last written. */
  updated_at: TimeSchema,
  first_prompt: PlainTextSchema.optional(),
  /** The session whose conversation it is. */
  owner: SessionIdSchema.optional(),
});
export type Conversation = z.infer<typeof ConversationSchema>;

/** `agent_session` is the conversation to go on with, one of those that the session is offered; the session's own when left out. */
export const ResumeRequestSchema = z.strictObject({ agent_session: AgentSessionSchema.optional() });
export type ResumeRequest = z.input<typeof ResumeRequestSchema>;

/** Resume several sessions, a few at a time. Without `ids`: every dormant one. */
export const ResumeManyRequestSchema = z.strictObject({ ids: z.array(SessionIdSchema).max(1000).optional() });
export type ResumeManyRequest = z.input<typeof ResumeManyRequestSchema>;

const FailureSchema = z.object({ id: SessionIdSchema, code: z.string(), message: z.string() });

/** How far the resume of many has come. `waiting` is in the order in which they will be resumed. */
export const ResumeProgressSchema = z.object({
  total: z.int().nonnegative(),
  waiting: z.array(SessionIdSchema),
  resuming: z.array(SessionIdSchema),
  resumed: z.array(SessionIdSchema),
  failed: z.array(FailureSchema),
});
export type ResumeProgress = z.infer<typeof ResumeProgressSchema>;
