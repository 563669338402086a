import type { LaunchContext } from '../../../../src/daemon/agents/adapters/agent-adapter.js';
import { type Agent, agentOf } from '../../../../src/daemon/agents/adapters/agents.js';
import { presetsOf } from '../../../../src/daemon/agents/presets.js';

/** A conversation that Claude, Codex and Gemini could have. */
export const ID = '4f9c1a52-7c1e-4b0a-9d55-0a1b2c3d4e5f';
export const OTHER_ID = '11111111-2222-4333-8444-555555555555';
export const SES = 'ses_dd1c0552affe6pLjBgSeNbJUpl';

export const PRESETS = presetsOf([]);

export const CONTEXT: LaunchContext = {
  agentsDir: '/state/agents',
  nodePath: '/usr/bin/node',
  hookFile: "/opt/it's here/hook.js",
  pluginFile: '/opt/a b/plugin.js',
  env: { HOME: '/home/u', PATH: '/usr/bin' },
  inputs: {},
};

export function agent(command: string, preset?: string, presets = PRESETS): Agent {
  const found = agentOf({ command, preset }, presets);
  if (found === undefined) throw new Error(`no agent runs ${command}`);
  return found;
}

/** A plan's command with the names of its files made short, as they hold a hash. */
export function shown(command: string): string {
  return command.replace(/'\/state\/agents\/(\w+)-[0-9a-f]{16}\.json'/g, 'FILE');
}
