import { COMMAND_LIMIT, utf8Length } from '../../../protocol/index.js';
import type { AgentAdapter } from './agent-adapter.js';
import { type AgentLine, has, readAgentLine, withWords } from './agent-line.js';
import { type Agent, resumeWish } from './agents.js';
import { quoted } from './quoted.js';

/** A command that begins with a first prompt, or why there can be none. */
export type Prompted = { readonly command: string } | { readonly refusal: string };

/**
 * `command` with `prompt` where its agent takes a first prompt: on the command line there is nothing to wait for and nothing to lose.
 * A resume leaves it out again, so an agent that a resume would not be able to keep it from gets none.
 */
export function withPrompt(agent: Agent, command: string, prompt: string): Prompted {
  const refusal = refusalOf(agent, command);
  if (typeof refusal === 'string') return { refusal };
  const { line, option } = refusal;
  const word = quoted(option === undefined ? asOperand(prompt) : asValue(prompt));
  // In front of all options, as some of them would take it for one more of their values.
  const text = withWords(line, option === undefined ? [word] : [option, word]);
  if (utf8Length(text) > COMMAND_LIMIT) return { refusal: `with its quotes it does not fit into a command of ${COMMAND_LIMIT} bytes` };
  return { command: text };
}

/** Whether sessions of this command can begin with a prompt. */
export function takesPrompt(agent: Agent, command: string): boolean {
  return typeof refusalOf(agent, command) !== 'string';
}

interface Place {
  readonly line: AgentLine;
  /** Undefined where the prompt is a word of its own. */
  readonly option: string | undefined;
}

function refusalOf(agent: Agent, command: string): Place | string {
  const { adapter } = agent;
  const { label, promptOptions } = adapter;
  if (promptOptions === undefined) return `Maestro does not know how ${label} takes a first prompt; send it when the session is there`;
  if (resumeWish(agent) === 'again')
    return `the preset ${agent.preset?.id ?? adapter.id} has no resume_command, so each resume would send it again; send it when the session is there`;
  const line = readAgentLine(adapter, command);
  if (line === 'apart') return `the command is no conversation with ${label} at a terminal`;
  if (line === 'opaque') return `the command is more than a plain call of ${adapter.executable}, so it cannot be told where it belongs`;
  if (line.subcommand !== undefined) return `the command goes on with a conversation; send it when the session is there`;
  if (hasPrompt(adapter, line)) return 'the command has a first prompt already';
  return { line, option: promptOptions[0] };
}

function hasPrompt({ options, promptOptions = [] }: AgentAdapter, line: AgentLine): boolean {
  if (has(line, ...promptOptions)) return true;
  if (options?.positional !== 'prompt') return false;
  // What follows an option that is not known may be its value.
  return line.arguments.some(({ kind }, at) => kind === 'positional' && line.arguments[at - 1]?.kind !== 'unknown');
}

/** Never one more option. */
function asValue(prompt: string): string {
  return prompt.startsWith('-') ? ` ${prompt}` : prompt;
}

/** Nor a subcommand, which is a single word: some agents run one even behind `--`. */
function asOperand(prompt: string): string {
  return /^[\w-]+$/.test(prompt) ? asValue(`${prompt} `) : asValue(prompt);
}
