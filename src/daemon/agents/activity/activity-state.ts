import type { AgentSignal, SignalSource, WaitingKind } from './agent-signal.js';

/** `unknown` until the agent said something; `ended` once it has told that it exits. Neither is safe to send a prompt to. */
export type EngineActivity = 'unknown' | 'working' | 'waiting' | 'idle' | 'ended';

/** Who led to a transition: a source of signals, the time that passed, or a client that said what the session does. */
export type TransitionSource = SignalSource | 'time' | 'report';

/** What a client says that the session does, without a word of its agent. */
export interface Told {
  readonly state: 'working' | 'waiting' | 'idle';
  readonly message?: string | undefined;
  readonly agent_session?: string | undefined;
}

/** What is shown of a session. */
export interface ShownActivity {
  readonly state: EngineActivity;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** While waiting. */
  readonly waiting?: WaitingKind | undefined;
  readonly message?: string | undefined;
  /** Idle after work that nobody has seen the end of yet. */
  readonly done: boolean;
  /** Idle after work that ended by an error. */
  readonly failed: boolean;
}

/** The last thing that was believed, for putting what comes next in order. */
export interface Claim {
  readonly at: number;
  readonly source: SignalSource;
  readonly state: Exclude<AgentSignal['state'], undefined>;
  readonly waiting?: WaitingKind | undefined;
  readonly begins: boolean;
  readonly opens: boolean;
}

/** Something that the user is asked for. */
export interface Wait {
  readonly subject?: string | undefined;
  readonly kind?: WaitingKind | undefined;
  readonly message?: string | undefined;
}

/** An end of work that is not shown yet. */
export interface HeldIdle {
  readonly at: number;
  readonly message?: string | undefined;
  readonly failed: boolean;
  /** When it is shown, unless work goes on before. Without it tasks in the background go on. */
  readonly dueAt?: number | undefined;
  readonly source: SignalSource;
  readonly reason: string;
}

/** Immutable, plain data. Everything but {@link ShownActivity} and `agent_session` is the engine's own. */
export interface EngineState extends ShownActivity {
  readonly seq: number;
  readonly run?: number | undefined;
  /** Undefined for a program that was running before the daemon did. */
  readonly startedAt?: number | undefined;
  readonly agent_session?: string | undefined;
  readonly rotatedAt?: number | undefined;
  /** Conversations of sub-agents, where these have their own. */
  readonly children: readonly string[];
  readonly claim?: Claim | undefined;
  readonly turn?: string | undefined;
  readonly formerTurns: readonly string[];
  readonly waits: readonly Wait[];
  /** What was allowed, answered or simply used of late. */
  readonly answered: readonly { readonly subject: string; readonly at: number }[];
  readonly background: number;
  readonly backgroundAgents: number;
  readonly held?: HeldIdle | undefined;
  readonly heard: readonly SignalSource[];
  readonly isReady: boolean;
  /** When something other than a title or output came first. */
  readonly aliveAt?: number | undefined;
  readonly lastOutputAt?: number | undefined;
  /** What a source that only confirms said last. */
  readonly hint?: AgentSignal | undefined;
  readonly hasWorked: boolean;
  /** Since when it has not been at rest. */
  readonly busySince?: number | undefined;
}

export interface Transition {
  /** Counts the session's transitions, from 1. */
  readonly seq: number;
  /** When it was the case, in milliseconds since 1970; never later than when it was noticed. */
  readonly at: number;
  readonly from: EngineActivity;
  readonly to: EngineActivity;
  readonly source: TransitionSource;
  /** For `explain`. */
  readonly reason: string;
  readonly waiting?: WaitingKind;
  readonly message?: string;
  readonly failed?: true;
  /** The conversation is another one from here on. */
  readonly agent_session?: string;
}

export interface Advanced {
  readonly state: EngineState;
  readonly transition?: Transition;
}

/** What is to be shown from now on. A field that is left out is not the case. */
export interface Shown {
  readonly state: EngineActivity;
  readonly at: number;
  readonly source: TransitionSource;
  readonly reason: string;
  readonly waiting?: WaitingKind | undefined;
  readonly message?: string | undefined;
  readonly failed?: boolean;
}

/** Shows something else: with a transition if a user can tell the difference by more than the message. `before` is what was shown. */
export function show(before: EngineState, state: EngineState, shown: Shown): Advanced {
  const { state: to, at, waiting, message, failed = false } = shown;
  const isNew = before.state !== to;
  const after: EngineState = {
    ...state,
    state: to,
    since: isNew ? at : before.since,
    waiting: to === 'waiting' ? waiting : undefined,
    message,
    failed: to === 'idle' && failed,
    done: to === 'idle' && (isNew ? before.hasWorked && !isBlip(before, shown) : before.done),
    hasWorked: to === 'working' || (to === 'waiting' && before.hasWorked),
    busySince: to === 'working' || to === 'waiting' ? (before.busySince ?? at) : undefined,
  };
  const hasRotated = before.agent_session !== after.agent_session;
  if (!isNew && before.waiting === after.waiting && before.failed === after.failed && !hasRotated) return { state: after };
  return transition(before, after, shown);
}

/** Shorter work than this has done nothing for a user, in milliseconds. */
const BLIP_MS = 300;

/** Codex shows itself working for some 25 ms when it starts. Other sources tell of work only when there is some. */
function isBlip({ busySince }: EngineState, { at, source, failed }: Shown): boolean {
  return source === 'program_status' && failed !== true && busySince !== undefined && at - busySince < BLIP_MS;
}

/** The state with the next number, and what led to it. */
export function transition(
  before: EngineState,
  after: EngineState,
  { at, source, reason }: Pick<Shown, 'at' | 'source' | 'reason'>,
): Advanced {
  const seq = before.seq + 1;
  const { waiting, message, failed, agent_session } = after;
  return {
    state: { ...after, seq },
    transition: {
      seq,
      at,
      from: before.state,
      to: after.state,
      source,
      reason,
      ...(waiting === undefined ? {} : { waiting }),
      ...(message === undefined ? {} : { message }),
      ...(failed ? { failed } : {}),
      ...(agent_session === undefined || agent_session === before.agent_session ? {} : { agent_session }),
    },
  };
}
