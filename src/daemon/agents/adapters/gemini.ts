import { dirname, join } from 'node:path';
import type { AgentAdapter, Injection, InjectionRequest, Json, Opened } from './agent-adapter.js';
import { type AgentLine, has, optionValue } from './agent-line.js';
import { geminiConversations } from './gemini-conversations.js';
import { withHooks } from './hook-settings.js';
import { hookCommand, launchFile, pathOf } from './launch-file.js';
import type { OptionTable } from './option-table.js';
import { isUuid } from './uuid.js';

/** `gemini --help` of 0.61.0 and its source, which says that no list takes more than one word. */
const OPTIONS: OptionTable = {
  style: 'yargs',
  flags:
    '--accept-raw-output-risk --acp -d --debug --experimental-acp -h --help -l --list-extensions --list-sessions --raw-output ' +
    '-s --sandbox --screen-reader --skip-trust -v --version -y --yolo',
  values:
    '--admin-policy --allowed-mcp-server-names --allowed-tools --approval-mode --delete-session -e --extensions --fake-responses ' +
    '--fake-responses-non-strict --include-directories -m --model -o --output-format -p --policy --prompt -i --prompt-interactive ' +
    '--record-responses --session-file --session-id',
  optional: '-r --resume -w --worktree',
  apart:
    '--acp --delete-session --experimental-acp -h --help -l --list-extensions --list-sessions -o --output-format -p --prompt ' +
    '-v --version',
  conversation: '-r --resume --session-file --session-id',
  prompt: '-i --prompt-interactive',
  made: '-w --worktree',
  subcommands: 'mcp extensions extension skills skill hooks hook gemma',
  positional: 'prompt',
};

const EVENTS = ['SessionStart', 'BeforeAgent', 'AfterAgent', 'Notification', 'SessionEnd'];
const TIMEOUT_MS = 5000;

export const SYSTEM_SETTINGS = 'GEMINI_CLI_SYSTEM_SETTINGS_PATH';
const SYSTEM_DEFAULTS = 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH';

/**
 * Gemini CLI. Its hooks come from a settings file in the place of the system's, whose content it takes over. The clean-up of old
 * conversations is off in it: Gemini deletes resumed ones, with all that belongs to them.
 */
export const GEMINI: AgentAdapter = {
  id: 'gemini',
  label: 'Gemini CLI',
  executable: 'gemini',
  packageName: '@google/gemini-cli',
  options: OPTIONS,
  verified: { how: 'live', versions: ['0.61.0'] },
  conversation: 'chosen',
  activity: ['terminal title', 'hooks'],
  injects: [
    '--session-id with a new uuid, and --resume with it later',
    "GEMINI_CLI_SYSTEM_SETTINGS_PATH with hooks that report to Maestro, beside the system's own settings and the user's hooks",
    'general.sessionRetention.enabled=false, as its clean-up deletes conversations that were resumed',
  ],
  opens,
  begin: (id) => ['--session-id', id],
  comeBack: (id, injected) => ['--resume', id, ...injected],
  inject,
  promptOptions: ['-i', '--prompt-interactive'],
  store: geminiConversations,
};

function opens(line: AgentLine): Opened {
  const chosen = optionValue(line, '--session-id', '-r', '--resume');
  if (isUuid(chosen)) return { id: chosen };
  return has(line, '--session-id', '-r', '--resume', '--session-file') ? 'unknown' : 'free';
}

function inject({ assigned, context }: InjectionRequest): Injection {
  const { systemSettings } = context.inputs;
  if (Object.hasOwn(assigned, SYSTEM_SETTINGS))
    return { warnings: [`the command sets ${SYSTEM_SETTINGS} itself, so Gemini's hooks do not report`] };
  const hook = { type: 'command', name: 'maestro', command: hookCommand(context, GEMINI.id), timeout: TIMEOUT_MS };
  const hooks = Object.fromEntries(EVENTS.map((event) => [event, [{ hooks: [hook] }]]));
  const content = systemSettings?.content;
  const merged = content === 'unreadable' ? undefined : withHooks(withoutRetention(content ?? {}), hooks);
  if (merged === undefined)
    return { warnings: [`${systemSettings?.path ?? 'its system settings'} could not be read, so Gemini's hooks do not report`] };
  const file = launchFile('gemini', merged);
  return { files: [file], env: { ...systemDefaults(assigned, context), [SYSTEM_SETTINGS]: pathOf(file, context.agentsDir) } };
}

function withoutRetention(settings: Json): Json {
  const general = objectOf(settings.general);
  return { ...settings, general: { ...general, sessionRetention: { ...objectOf(general.sessionRetention), enabled: false } } };
}

/** The system's defaults lie beside its settings, so Gemini would look for them beside ours. */
function systemDefaults(assigned: InjectionRequest['assigned'], { env, inputs }: InjectionRequest['context']) {
  const path = inputs.systemSettings?.path;
  if (path === undefined || env[SYSTEM_DEFAULTS] || Object.hasOwn(assigned, SYSTEM_DEFAULTS)) return {};
  return { [SYSTEM_DEFAULTS]: join(dirname(path), 'system-defaults.json') };
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
