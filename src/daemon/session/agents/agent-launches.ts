import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { SpawnPreset } from '../../../protocol/index.js';
import { type Agent, agentOf, executableOf } from '../../agents/adapters/agents.js';
import { conversationPlace } from '../../agents/adapters/conversation-store.js';
import { readLaunchInputs } from '../../agents/adapters/launch-inputs.js';
import { type LaunchContext, type LaunchPlan, planResume, planStart } from '../../agents/adapters/launch-plan.js';
import type { AgentVersions } from '../../agents/agent-version.js';
import { findExecutable } from '../../agents/executable.js';
import { resumeCommand } from '../../agents/presets.js';
import type { Log } from '../../log.js';
import { readRegularFile } from '../../regular-file.js';
import { atomicWrite } from '../../store/atomic-write.js';
import type { Sidecar } from '../../store/sidecar.js';

/** The files that agents run to report what they do. */
export interface Reporter {
  readonly nodePath: string;
  /** The reporter that hooks run. */
  readonly hookFile: string;
  /** The plugin for OpenCode. */
  readonly pluginFile: string;
}

interface AgentLaunchesParts {
  readonly presets: readonly SpawnPreset[];
  readonly reporter: Reporter;
  /** Where files for agents go; theirs alone. */
  readonly directory: string;
  readonly versions: AgentVersions;
  readonly home: string;
  /** The whole environment of a session's program, beside what its agent needs. */
  readonly environmentOf: (record: Sidecar) => Record<string, string>;
  readonly log: Log;
}

/** What is run for a session. */
export interface Launch {
  /** POSIX shell text for `/bin/sh -c`. */
  readonly command: string;
  readonly env: Record<string, string>;
  /** The conversation that the agent will be in, where another one than the session's had to be chosen. */
  readonly agent_session?: string;
}

/** How the agents of sessions are started and brought back, with what they need to report what they do. */
export class AgentLaunches {
  readonly #parts: AgentLaunchesParts;

  constructor(parts: AgentLaunchesParts) {
    this.#parts = parts;
  }

  /** The agent that a session runs, as far as Maestro knows it. */
  agentOf(record: Pick<Sidecar, 'command' | 'preset'>): Agent | undefined {
    return agentOf(record, this.#parts.presets);
  }

  /** Throws `storage_failed` when a file that the agent is to read cannot be written. */
  async start(record: Sidecar): Promise<Launch> {
    const agent = this.agentOf(record);
    const env = this.#parts.environmentOf(record);
    if (agent === undefined) return { command: record.command, env };
    const { command, agent_session } = record;
    return this.#ready(record, env, planStart({ agent, command, agent_session, context: await this.#context(agent, record, env) }));
  }

  /** Like {@link start}, for coming back to the conversation of `record`. */
  async resume(record: Sidecar): Promise<Launch> {
    const agent = this.agentOf(record);
    const env = this.#parts.environmentOf(record);
    if (agent === undefined) return { command: resumeCommand(record, this.#parts.presets), env };
    const { command } = record;
    const context = await this.#context(agent, record, env);
    const { agent_session, isBegun } = await this.#conversation(agent, record, env);
    const launch = await this.#ready(record, env, planResume({ agent, command, agent_session, isBegun, context }));
    return agent_session === undefined || agent_session === record.agent_session ? launch : { ...launch, agent_session };
  }

  /**
   * The conversation to come back to. An agent refuses to resume one that never had a prompt, as one may whose id was chosen before the
   * start; then it is begun, under another id where that one cannot be used any more.
   */
  async #conversation(
    { adapter }: Agent,
    record: Sidecar,
    env: Launch['env'],
  ): Promise<{ agent_session: string | undefined; isBegun: boolean }> {
    const { command, cwd, agent_session } = record;
    if (adapter.store === undefined || agent_session === undefined) return { agent_session, isBegun: true };
    const place = conversationPlace({ command, cwd, env, home: this.#parts.home });
    if (await adapter.store.exists(agent_session, place)) return { agent_session, isBegun: true };
    const isSpoilt = await adapter.store.isSpoilt?.(agent_session, place);
    return { agent_session: isSpoilt ? randomUUID() : agent_session, isBegun: false };
  }

  async #context(agent: Agent, { command, cwd }: Sidecar, env: Launch['env']): Promise<LaunchContext> {
    const { reporter, directory, versions } = this.#parts;
    const executable = await findExecutable(executableOf(agent, command), env.PATH ?? '');
    const version = executable === undefined ? undefined : await versions.versionOf(agent.adapter, executable);
    return {
      ...reporter,
      agentsDir: directory,
      ...(version === undefined ? {} : { version }),
      env,
      inputs: await readLaunchInputs(agent, { command, env, cwd }),
    };
  }

  async #ready({ id }: Sidecar, env: Record<string, string>, plan: LaunchPlan): Promise<Launch> {
    const { directory, log } = this.#parts;
    for (const { name, content } of plan.files) await ensureContent(join(directory, name), Buffer.from(content));
    for (const warning of plan.warnings) log.warn({ session: id, warning }, 'an agent is started with less than it could have');
    return { command: plan.command, env: { ...env, ...plan.env } };
  }
}

/** Sessions share these files, so the first start of an agent writes its file and later ones only look whether it is as it should be. */
async function ensureContent(path: string, content: Buffer): Promise<void> {
  const found = await readRegularFile(path, content.length).catch(() => undefined);
  if (found?.equals(content) !== true) await atomicWrite(path, content);
}
