import { pathToFileURL } from 'node:url';
import type { AgentAdapter, Injection, InjectionRequest, Opened } from './agent-adapter.js';
import { type AgentLine, has, optionValue } from './agent-line.js';
import { opencodeConversations } from './opencode-conversations.js';
import type { OptionTable } from './option-table.js';
import { parseSettings } from './settings-text.js';

/** `opencode --help` of 1.18.33. */
const OPTIONS: OptionTable = {
  style: 'yargs',
  flags: '--auto -c --continue --fork -h --help --mdns --mini --no-replay --print-logs --pure --replay -v --version',
  values: '--agent --hostname --log-level --mdns-domain -m --model --port --prompt --replay-limit -s --session',
  many: '--cors',
  apart: '-h --help -v --version',
  conversation: '-c --continue --fork -s --session',
  prompt: '--prompt',
  subcommands:
    'acp agent attach auth completion console db debug export generate github import mcp models plug plugin pr providers run serve ' +
    'session stats uninstall upgrade web',
  positional: 'directory',
};

const CONFIG = 'OPENCODE_CONFIG_CONTENT';
const SESSION = /^ses_[A-Za-z0-9]{1,190}$/;

/** OpenCode. A plugin tells the conversation, which gets its id with the first prompt, and all that it does. */
export const OPENCODE: AgentAdapter = {
  id: 'opencode',
  label: 'OpenCode',
  executable: 'opencode',
  packageName: 'opencode-ai',
  options: OPTIONS,
  verified: { how: 'live', versions: ['1.18.33'] },
  conversation: 'learnt',
  activity: ['plugin'],
  injects: [`${CONFIG} with a plugin that reports to Maestro, beside what it already has`],
  opens,
  comeBack: (id, injected) => ['-s', id, ...injected],
  inject,
  promptOptions: ['--prompt'],
  store: opencodeConversations,
};

function opens(line: AgentLine): Opened {
  const chosen = optionValue(line, '-s', '--session');
  return chosen !== undefined && SESSION.test(chosen) && !has(line, '--fork', '-c', '--continue') ? { id: chosen } : 'unknown';
}

function inject({ line, assigned, context }: InjectionRequest): Injection {
  if (Object.hasOwn(assigned, CONFIG)) return { warnings: [`the command sets ${CONFIG} itself, so OpenCode's plugin does not report`] };
  const warnings = line !== undefined && has(line, '--pure') ? ['with --pure OpenCode loads no plugin, so nothing reports'] : [];
  const own = context.env[CONFIG];
  const config = own ? parseSettings(own) : {};
  const plugins = config === undefined ? undefined : (config.plugin ?? []);
  if (!Array.isArray(plugins))
    return { warnings: [`${CONFIG} of the session is not JSON with a list of plugins; it is left alone, so nothing reports`] };
  const plugin = pathToFileURL(context.pluginFile).href;
  return { env: { [CONFIG]: JSON.stringify({ ...config, plugin: [...plugins, plugin] }) }, warnings };
}
