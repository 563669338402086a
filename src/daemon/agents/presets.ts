import { AGENT_SESSION_PLACEHOLDER, AgentSessionSchema, type HostPreset, MaestroError, type SpawnPreset } from '../../protocol/index.js';
import { BUILT_IN_PRESETS } from '../config/built-in-presets.js';
import type { PresetOverride } from '../config/preset-override.js';
import { agentOf } from './adapters/agents.js';
import { takesPrompt } from './adapters/with-prompt.js';
import { findExecutable } from './executable.js';

/** The built-in presets with the config's entries laid over them, and behind them those that only the config has. */
export function presetsOf(overrides: readonly PresetOverride[]): readonly SpawnPreset[] {
  const presets = new Map(BUILT_IN_PRESETS.map((preset) => [preset.id, preset]));
  for (const override of overrides) presets.set(override.id, merged(presets.get(override.id), override));
  return [...presets.values()];
}

function merged(base: SpawnPreset | undefined, override: PresetOverride): SpawnPreset {
  const { id } = override;
  const all = { label: id, ...base, ...override };
  const given = Object.entries(all).filter(([, value]) => value !== undefined && value !== '');
  const { command, ...preset } = Object.fromEntries(given) as Omit<SpawnPreset, 'command'> & { command?: string };
  if (command === undefined)
    throw new MaestroError('invalid_request', `preset ${id} has no command; give it one in the config's [[presets]]`);
  return { ...preset, command };
}

/** What of a session tells how it is started and resumed. */
export interface ResumableSession {
  readonly command: string;
  /** The id of the preset that the session was made with. */
  readonly preset?: string | undefined;
  /** The conversation that its agent last reported. */
  readonly agent_session?: string | undefined;
}

/** The preset that a session names, else the first that has the session's very command. */
export function presetOf(session: ResumableSession, presets: readonly SpawnPreset[]): SpawnPreset | undefined {
  return presets.find(({ id }) => id === session.preset) ?? presets.find(({ command }) => command === session.command);
}

/**
 * What a resume runs: the preset's `resume_command` with the agent's conversation in its place. Without a preset, a `resume_command`
 * or a conversation for its placeholder, the session's own command runs again. No conversation is ever guessed.
 */
export function resumeCommand(session: ResumableSession, presets: readonly SpawnPreset[]): string {
  const template = presetOf(session, presets)?.resume_command;
  if (template === undefined) return session.command;
  if (!template.includes(AGENT_SESSION_PLACEHOLDER)) return template;
  const conversation = AgentSessionSchema.safeParse(session.agent_session);
  return conversation.success ? template.replaceAll(AGENT_SESSION_PLACEHOLDER, () => conversation.data) : session.command;
}

/** Every preset, and where on this host its executable is. */
export async function hostPresets(presets: readonly SpawnPreset[], path: string): Promise<HostPreset[]> {
  return Promise.all(
    presets.map(async (preset) => {
      const agent = agentOf({ command: preset.command, preset: preset.id }, presets);
      const shared = { ...preset, takes_prompt: agent !== undefined && takesPrompt(agent, preset.command) };
      if (preset.executable === undefined) return { ...shared, installed: true };
      const found = await findExecutable(preset.executable, path);
      return found === undefined ? { ...shared, installed: false } : { ...shared, installed: true, path: found };
    }),
  );
}

/** Throws `agent_not_found` when a session of this preset could not start here. */
export async function requireInstalled(preset: SpawnPreset, path: string): Promise<void> {
  const { id, label, executable, install } = preset;
  if (executable === undefined || (await findExecutable(executable, path)) !== undefined) return;
  const where = executable.startsWith('/') ? 'cannot be run' : `is not in PATH=${path}`;
  const fix = install === undefined ? 'install it' : `install it (\`${install}\`)`;
  const next = `${fix}, or set executable and command of [[presets]] ${id} in the config; a PATH that changed is seen after a restart of the daemon`;
  throw new MaestroError('agent_not_found', `${label} (preset ${id}) needs the program ${executable}, which ${where}; ${next}`, {
    details: { preset: id, executable, path, ...(install === undefined ? {} : { install }) },
  });
}
