import { AGENT_SESSION_PLACEHOLDER, type SpawnPreset } from '../../../protocol/index.js';
import { BUILT_IN_PRESETS } from '../../config/built-in-presets.js';
import type { AgentAdapter } from './agent-adapter.js';
import { CLAUDE } from './claude.js';
import { CODEX } from './codex.js';
import { DOCUMENTED } from './documented.js';
import { GEMINI } from './gemini.js';
import { OPENCODE } from './opencode.js';
import { programName, readSimpleCommand } from './shell-command.js';

export const AGENT_ADAPTERS: readonly AgentAdapter[] = [CLAUDE, CODEX, GEMINI, OPENCODE, ...DOCUMENTED];

export function adapterOf(id: string | undefined): AgentAdapter | undefined {
  return AGENT_ADAPTERS.find((adapter) => adapter.id === id);
}

/** The agent of a session. */
export interface Agent {
  readonly adapter: AgentAdapter;
  /** The preset that the session names, or else the first that has its very command. */
  readonly preset?: SpawnPreset;
}

/** By the preset, else by the program that the command runs. Undefined for a program that is no agent that Maestro knows. */
export function agentOf(
  session: { readonly command: string; readonly preset?: string | undefined },
  presets: readonly SpawnPreset[],
): Agent | undefined {
  const preset = presets.find(({ id }) => id === session.preset) ?? presets.find(({ command }) => command === session.command);
  const adapter = adapterOf(preset?.id) ?? adapterOfCommand(session.command);
  return adapter && { adapter, ...(preset === undefined ? {} : { preset }) };
}

function adapterOfCommand(text: string): AgentAdapter | undefined {
  const command = readSimpleCommand(text);
  const name = command && programName(command);
  return AGENT_ADAPTERS.find(({ executable }) => executable === name);
}

/** How the user wants the agent to be resumed: his own words, `again` for the command once more, or as Maestro does it. */
export function resumeWish({ preset }: Agent): { readonly template: string } | 'again' | 'adapter' {
  const builtIn = BUILT_IN_PRESETS.find(({ id }) => id === preset?.id);
  const template = preset?.resume_command;
  if (template !== undefined) return template === builtIn?.resume_command ? 'adapter' : { template };
  return preset !== undefined && builtIn?.resume_command !== undefined ? 'again' : 'adapter';
}

/** The preset's resume command with the conversation in its place; undefined when it needs one and there is none. */
export function filled(template: string, conversation: string | undefined): string | undefined {
  if (!template.includes(AGENT_SESSION_PLACEHOLDER)) return template;
  return conversation === undefined ? undefined : template.replaceAll(AGENT_SESSION_PLACEHOLDER, () => conversation);
}

/** The program to look for, or its absolute path where the command has one. */
export function executableOf({ adapter, preset }: Agent, text: string): string {
  const command = readSimpleCommand(text);
  const isOwn = command?.program.isLiteral && programName(command) === adapter.executable;
  return isOwn && command.program.value.startsWith('/') ? command.program.value : (preset?.executable ?? adapter.executable);
}
