import { z } from 'zod';
import { ACTIVITY_MESSAGE_LIMIT, AgentSessionSchema, PlainTextSchema, WaitingKindSchema } from '../../../protocol/index.js';
import { plainMessage } from './plain-message.js';

export const SIGNAL_SOURCES = ['hook', 'program_status', 'status_file', 'title', 'output'] as const;
export const WAITING_KINDS = WaitingKindSchema.options;
export const BEGINNINGS = ['startup', 'resume', 'clear', 'compact', 'switch'] as const;

/** Where a signal comes from: a report of the agent, OSC 7501, Claude's status file, the terminal's title, or that bytes came at all. */
export type SignalSource = (typeof SIGNAL_SOURCES)[number];
/** What the user is waited for: to allow something, to answer, to get past a dialog that is no part of the conversation, to mend something. */
export type WaitingKind = (typeof WAITING_KINDS)[number];

const SUBJECT_LIMIT = 200;
const EVENT_LIMIT = 100;
const NameSchema = PlainTextSchema.min(1).max(SUBJECT_LIMIT);

/**
 * One thing that an agent, or its terminal, said about what it is doing. Everything but `source` and `at` is optional: a signal that only
 * says which conversation it belongs to is one as well.
 */
export const AgentSignalSchema = z.strictObject({
  source: z.enum(SIGNAL_SOURCES),
  /** When it was the case, in milliseconds since 1970: as the agent dates it where it does, else when the reporter started. */
  at: z.number().nonnegative(),
  /** The run of the session that it was said in, where that is known. */
  run: z.int().positive().optional(),
  state: z.enum(['working', 'waiting', 'idle', 'ended']).optional(),
  waiting: z.enum(WAITING_KINDS).optional(),
  /** For the user: what is asked for, the last answer, or the error. Plain text without control characters but line feed and tab. */
  message: PlainTextSchema.max(ACTIVITY_MESSAGE_LIMIT).optional(),
  /** The conversation that it is about. */
  agent_session: AgentSessionSchema.optional(),
  /** A conversation begins or goes on with this; `switch` is a prompt in one that may be another than before, chosen in the agent's own list. */
  begins: z.enum(BEGINNINGS).optional(),
  /** `sub_agent` for what an agent says that the root agent started. */
  scope: z.enum(['root', 'sub_agent']).optional(),
  /** How many tasks go on in the background, when that was told: agents, shells and the like. */
  background: z.int().nonnegative().optional(),
  /** How many of these are agents, which report back, so that the root goes on by itself. */
  background_agents: z.int().nonnegative().optional(),
  /** The work ended by an error. */
  failed: z.boolean().optional(),
  /** The turn that it belongs to: one prompt and all that follows on it. */
  turn: NameSchema.optional(),
  /** The user's prompt, or one in the user's place, begins a turn with this. */
  opens: z.boolean().optional(),
  /** What a wait is about. Work on the same subject tells that the wait is over. */
  subject: NameSchema.optional(),
  /** In the words of the source, for `explain`, such as `PermissionRequest Bash`. */
  event: PlainTextSchema.max(EVENT_LIMIT).optional(),
});
export type AgentSignal = Readonly<z.infer<typeof AgentSignalSchema>>;

/** What is known of a payload beside what it says itself. */
export interface SignalContext {
  /** When its reporter started, in milliseconds since 1970. */
  readonly at: number;
  readonly run?: number | undefined;
  /** The session's conversation as far as it is known. */
  readonly agent_session?: string | undefined;
}

/** Turns what an agent says into signals; anything that it does not know into none. Never throws. */
export type Translator = (payload: unknown, context: SignalContext) => readonly AgentSignal[];

/** What a translator tells; a field that is undefined or empty is left out. */
export type Told = { readonly [K in keyof Omit<AgentSignal, 'source' | 'at' | 'run'>]: AgentSignal[K] | undefined };

export function signalOf(source: SignalSource, { at, run }: SignalContext, told: Told): AgentSignal {
  const all = { ...told, run, event: plainMessage(told.event, EVENT_LIMIT) };
  const given = Object.entries(all).filter(([, value]) => value !== undefined && value !== '');
  return { source, at, ...Object.fromEntries(given) };
}
