import { AGENT_SESSION_PLACEHOLDER, type AgentInfo, type SpawnPreset } from '../../protocol/index.js';
import type { AgentAdapter } from './adapters/agent-adapter.js';
import { adapterOf, agentOf } from './adapters/agents.js';
import type { AgentVersions } from './agent-version.js';
import { findExecutable } from './executable.js';

interface AgentCatalogueParts {
  readonly presets: readonly SpawnPreset[];
  /** Where executables are looked for. */
  readonly path: string;
  readonly versions: AgentVersions;
}

/** The agents that sessions can be made with, as they are on this host. */
export class AgentCatalogue {
  readonly #parts: AgentCatalogueParts;

  constructor(parts: AgentCatalogueParts) {
    this.#parts = parts;
  }

  /** In the order of the presets; one that runs no agent is not among them, unless it says how one is resumed. */
  async list(): Promise<AgentInfo[]> {
    const { presets } = this.#parts;
    const infos = await Promise.all(
      presets.map((preset) => this.#info(preset, agentOf({ command: preset.command, preset: preset.id }, presets)?.adapter)),
    );
    return infos.filter((info) => info !== undefined);
  }

  async #info(preset: SpawnPreset, adapter: AgentAdapter | undefined): Promise<AgentInfo | undefined> {
    if (adapter === undefined && preset.resume_command === undefined) return undefined;
    const executable = preset.executable ?? adapter?.executable;
    const path = executable === undefined ? undefined : await findExecutable(executable, this.#parts.path);
    const version = path === undefined || adapter === undefined ? undefined : await this.#parts.versions.versionOf(adapter, path);
    const { id, label, install } = preset;
    return {
      id,
      label,
      installed: path !== undefined || executable === undefined,
      ...(path === undefined ? {} : { path }),
      ...(version === undefined ? {} : { version }),
      ...(install === undefined ? {} : { install }),
      ...knowledgeOf(preset, adapter),
      warnings: path === undefined ? [] : warningsOf(adapter, version),
    };
  }
}

function knowledgeOf(
  preset: SpawnPreset,
  adapter: AgentAdapter | undefined,
): Pick<AgentInfo, 'verified' | 'conversation' | 'activity' | 'injects'> {
  const isOwn = adapterOf(preset.id) === undefined;
  const { activity = ['output'], injects = [], verified = { how: 'config', versions: [] } } = adapter ?? {};
  const told = preset.resume_command?.includes(AGENT_SESSION_PLACEHOLDER) ? 'learnt' : 'none';
  return {
    verified: isOwn && adapter !== undefined ? { ...verified, how: 'config' } : verified,
    conversation: adapter?.conversation ?? told,
    activity: [...activity],
    injects: [...injects],
  };
}

function warningsOf(adapter: AgentAdapter | undefined, version: string | undefined): string[] {
  if (adapter === undefined) return [];
  const { how, versions } = adapter.verified;
  const unknown = version === undefined && adapter.warnings !== undefined ? ['its version could not be found out'] : [];
  const untried =
    how === 'live'
      ? []
      : [`Maestro was not tried with it; what it does for it comes from its ${how === 'help' ? 'help' : 'documentation'}`];
  const other =
    how === 'help' && version !== undefined && !versions.includes(version)
      ? [`that was ${versions.join(', ')}, and this is ${version}`]
      : [];
  return [...unknown, ...untried, ...other, ...(adapter.warnings?.(version) ?? [])];
}
