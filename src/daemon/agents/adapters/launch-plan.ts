import { AgentSessionSchema } from '../../../protocol/index.js';
import type { Injection, LaunchContext, LaunchFile, Opened } from './agent-adapter.js';
import { type AgentLine, keptLater, type LeftOut, type ReadLine, readAgentLine, rebuilt, withWords } from './agent-line.js';
import { type Agent, filled, resumeWish } from './agents.js';
import { assignedVariables, readSimpleCommand } from './shell-command.js';

export type { LaunchContext } from './agent-adapter.js';

/** How a session's program is run this time. */
export interface LaunchPlan {
  /** POSIX shell text in place of the session's command. */
  readonly command: string;
  /** Laid over the session's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** To be written before the start, unless they are there already. They may hold the user's secrets. */
  readonly files: readonly LaunchFile[];
  /** The conversation that it opens, where that is known before the agent says so. */
  readonly agent_session?: string;
  /** What will not work, and why, for the user. */
  readonly warnings: readonly string[];
}

/**
 * The conversation that a session begins in. `given`: the user's own words name it. `chosen`: it gets the uuid that the plan is made
 * with. `learnt`: the agent tells. `none`: nobody does.
 */
export type StartingConversation = { readonly how: 'given'; readonly id: string } | { readonly how: 'chosen' | 'learnt' | 'none' };

export function startingConversation({ adapter }: Agent, command: string): StartingConversation {
  const line = readAgentLine(adapter, command);
  if (line === 'apart') return { how: 'none' };
  const opened = openedBy(adapter, line);
  if (typeof opened === 'object') return { how: 'given', id: opened.id };
  if (opened === 'free' && adapter.begin !== undefined) return { how: 'chosen' };
  return { how: adapter.conversation === 'none' ? 'none' : 'learnt' };
}

export interface StartRequest {
  readonly agent: Agent;
  /** The session's own. */
  readonly command: string;
  /** The conversation that was chosen for it. */
  readonly agent_session?: string | undefined;
  readonly context: LaunchContext;
}

/** The first start: the command with what makes the agent report, and with the conversation that was chosen where the user has not. */
export function planStart({ agent, command, agent_session, context }: StartRequest): LaunchPlan {
  const { adapter } = agent;
  const line = readAgentLine(adapter, command);
  if (line === 'apart') return asItIs(command);
  const injection = injectionOf(agent, { command, line, context });
  const opened = openedBy(adapter, line);
  const chosen = opened === 'free' && adapter.begin !== undefined ? agent_session : undefined;
  const words = [...(chosen === undefined ? [] : (adapter.begin?.(chosen) ?? [])), ...(injection.words ?? [])];
  const known = typeof opened === 'object' ? opened.id : chosen;
  return planOf(line === 'opaque' ? command : spliced(line, words, injection), injection, { known });
}

export interface ResumeRequest extends StartRequest {
  /** Whether the conversation can be resumed: the agent has stored it, or was seen at work in it. */
  readonly isBegun: boolean;
}

/**
 * A later start. It brings the conversation back with the options that the user gave, or begins it when it never began; the first prompt
 * is not sent again in either case. Without a conversation it is the start once more.
 */
export function planResume(request: ResumeRequest): LaunchPlan {
  const { agent, command, context, isBegun } = request;
  const conversation = AgentSessionSchema.safeParse(request.agent_session).data;
  const line = readAgentLine(agent.adapter, command);
  if (line === 'apart') return asItIs(command);
  const wish = resumeWish(agent);
  if (wish === 'again') return planStart({ agent, command, context });
  const template = typeof wish === 'object' ? wish.template : line === 'opaque' ? agent.preset?.resume_command : undefined;
  // A template cannot begin a conversation; where it was chosen by Maestro, the adapter can.
  const canFill = isBegun || agent.adapter.begin === undefined || line === 'opaque';
  const text = template === undefined || !canFill ? undefined : filled(template, conversation);
  if (text !== undefined) return planTemplate({ agent, command: text, context }, text === template ? undefined : conversation);
  if (line === 'opaque') return planStart({ agent, command, context });
  return planLater({ agent, context, line, conversation, isBegun });
}

function planTemplate(request: StartRequest, conversation: string | undefined): LaunchPlan {
  return { ...planStart(request), ...(conversation === undefined ? {} : { agent_session: conversation }) };
}

interface Later {
  readonly agent: Agent;
  readonly context: LaunchContext;
  readonly line: AgentLine;
  readonly conversation: string | undefined;
  readonly isBegun: boolean;
}

function planLater({ agent, context, line, conversation, isBegun }: Later): LaunchPlan {
  const { adapter } = agent;
  const command = line.command.source;
  if (adapter.options === undefined) return planStart({ agent, command, context });
  const begin = conversation === undefined ? undefined : adapter.begin?.(conversation);
  const comeBack = conversation !== undefined && isBegun ? adapter.comeBack?.bind(adapter, conversation) : undefined;
  const doesComeBack = comeBack !== undefined;
  const isNamed = doesComeBack || begin !== undefined;
  const { kept, doubtful } = keptLater(adapter.options, line, leftOut(isNamed, doesComeBack));
  const injection = injectionOf(agent, { command, line: { ...line, arguments: kept }, context });
  const injected = injection.words ?? [];
  const again = [...(line.subcommand && !isNamed ? [line.subcommand.text] : []), ...(begin ?? []), ...injected];
  const words = comeBack?.(injected) ?? again;
  const replaced = kept.filter(({ names }) => !names.some((name) => injection.replaces?.includes(name)));
  const warning = `left out ${doubtful.join(' ')}: Maestro does not know the option, and the word behind it could be a prompt`;
  return planOf(rebuilt(line, words, replaced), injection, {
    known: isNamed ? conversation : undefined,
    warnings: doubtful.length === 0 ? [] : [warning],
  });
}

function leftOut(isNamed: boolean, doesComeBack: boolean): LeftOut[] {
  return [...(isNamed ? (['conversation'] as const) : []), ...(doesComeBack ? (['made'] as const) : [])];
}

function openedBy(adapter: Agent['adapter'], line: ReadLine): Opened {
  return line === 'opaque' || line === 'apart' ? 'unknown' : (adapter.opens?.(line) ?? 'unknown');
}

function injectionOf({ adapter }: Agent, request: { command: string; line: ReadLine; context: LaunchContext }): Injection {
  const simple = readSimpleCommand(request.command);
  const assigned = simple === undefined ? {} : assignedVariables(simple);
  const line = typeof request.line === 'string' ? undefined : request.line;
  return adapter.inject?.({ line, assigned, context: request.context }) ?? {};
}

/** Untouched but for the words put in, and for options that they replace. */
function spliced(line: AgentLine, words: readonly string[], { replaces = [] }: Injection): string {
  if (replaces.length === 0) return words.length === 0 ? line.command.source : withWords(line, words);
  const kept = line.arguments.filter(({ names }) => !names.some((name) => replaces.includes(name)));
  return rebuilt(line, [...(line.subcommand === undefined ? [] : [line.subcommand.text]), ...words], kept);
}

function planOf(
  command: string,
  { env = {}, files = [], warnings = [] }: Injection,
  { known, warnings: more = [] }: { known: string | undefined; warnings?: readonly string[] },
): LaunchPlan {
  return { command, env, files, ...(known === undefined ? {} : { agent_session: known }), warnings: [...warnings, ...more] };
}

function asItIs(command: string): LaunchPlan {
  return { command, env: {}, files: [], warnings: [] };
}
