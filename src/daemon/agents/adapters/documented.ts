import type { AgentAdapter, Opened } from './agent-adapter.js';
import { type AgentLine, has, optionValue } from './agent-line.js';
import type { OptionTable } from './option-table.js';
import { isUuid } from './uuid.js';

const NO_ACTIVITY = ['output'];
const CHOSEN_ID = 'a new uuid as its conversation, see its preset';

/** `copilot --help` of 1.0.102. Its `--session-id` starts a conversation, and resumes it when there is one. */
const COPILOT_OPTIONS: OptionTable = {
  style: 'commander',
  flags:
    '--acp --allow-all --allow-all-mcp-server-instructions --allow-all-paths --allow-all-tools --allow-all-urls --assisted-approval ' +
    '--autopilot --banner --continue --disable-builtin-mcps --disable-client-telemetry --disallow-temp-dir ' +
    '--enable-all-github-mcp-tools --enable-memory --experimental --fleet -h --help --no-ask-user --no-auto-update --no-bash-env ' +
    '--no-color --no-custom-instructions --no-experimental --no-mouse --no-remote --no-remote-export --plain-diff --plan --remote ' +
    '--remote-export --screen-reader --share-gist -s --silent --trust-folder -v --version --yolo',
  values:
    '-C --add-dir --auto-tier --add-github-mcp-tool --add-github-mcp-toolset --additional-mcp-config --agent --attachment --context ' +
    '--disable-mcp-server --dynamic-retrieval --enable-mcp-server --environment-compute-id --environment-host --extension-sdk-path ' +
    '-i --interactive --log-dir --log-level --max-ai-credits --max-autopilot-continues --mcp-github-auth --mode --model -n --name ' +
    '--output-format -p --prompt --plugin-dir --reasoning-effort --session-id --stream --usage-output-file',
  optional: '--bash-env --connect --mouse --resume -r --share -w --worktree',
  many: '--allow-tool --allow-url --available-tools --deny-tool --deny-url --excluded-tools --secret-env-vars',
  apart: '--acp --connect --environment-host -h --help --output-format -p --prompt -s --silent -v --version',
  conversation: '--continue -r --resume --session-id',
  prompt: '--attachment --fleet -i --interactive',
  made: '-w --worktree',
  subcommands: 'app completion config help init instruction login lsp mcp memories plugin sandbox sessions skill update version workflow',
  positional: 'prompt',
};

/** `qwen --help` of 0.15.10. */
const QWEN_OPTIONS: OptionTable = {
  style: 'yargs',
  flags:
    '--acp --bare --chat-recording --checkpointing -c --continue -d --debug --experimental-lsp -h --help --include-partial-messages ' +
    '-l --list-extensions --openai-logging -s --sandbox --screen-reader --telemetry --telemetry-log-prompts -v --version -y --yolo',
  values:
    '--add-dir --allowed-mcp-server-names --allowed-tools --append-system-prompt --approval-mode --auth-type --channel --core-tools ' +
    '--disabled-slash-commands --exclude-tools -e --extensions --include-directories --input-file --input-format --json-fd --json-file ' +
    '--json-schema --max-session-turns --mcp-config -m --model --openai-api-key --openai-base-url --openai-logging-dir -o ' +
    '--output-format -p --prompt -i --prompt-interactive --proxy --sandbox-image --session-id --system-prompt --telemetry-otlp-endpoint ' +
    '--telemetry-otlp-protocol --telemetry-outfile --telemetry-target',
  optional: '-r --resume',
  apart: '--acp -h --help --input-format --json-schema -l --list-extensions -o --output-format -p --prompt -v --version',
  conversation: '-c --continue -r --resume --session-id',
  prompt: '-i --prompt-interactive',
  subcommands: 'auth channel extensions hook hooks mcp review',
  positional: 'prompt',
};

function opens(line: AgentLine): Opened {
  const chosen = optionValue(line, '--session-id', '-r', '--resume');
  if (isUuid(chosen)) return { id: chosen };
  return has(line, '--session-id', '-r', '--resume', '-c', '--continue') ? 'unknown' : 'free';
}

/**
 * Agents that were never run here: what their help or their documentation says, and nothing beyond it. Nothing is put into them, so what
 * they do shows only in their output, and in OSC 7501 where they send it.
 */
export const DOCUMENTED: readonly AgentAdapter[] = [
  {
    id: 'copilot',
    label: 'GitHub Copilot CLI',
    executable: 'copilot',
    packageName: '@github/copilot',
    options: COPILOT_OPTIONS,
    verified: { how: 'help', versions: ['1.0.102'] },
    conversation: 'chosen',
    activity: NO_ACTIVITY,
    injects: [`--session-id with ${CHOSEN_ID}`],
    opens,
    begin: (id) => [`--session-id=${id}`],
    comeBack: (id) => [`--session-id=${id}`],
    promptOptions: ['-i', '--interactive'],
  },
  {
    id: 'qwen',
    label: 'Qwen Code',
    executable: 'qwen',
    packageName: '@qwen-code/qwen-code',
    options: QWEN_OPTIONS,
    verified: { how: 'help', versions: ['0.15.10'] },
    conversation: 'chosen',
    activity: NO_ACTIVITY,
    injects: [`--session-id with ${CHOSEN_ID}`],
    opens,
    begin: (id) => ['--session-id', id],
    comeBack: (id) => ['--resume', id],
    promptOptions: ['-i', '--prompt-interactive'],
  },
  documented('amp', { label: 'Amp', packageName: '@sourcegraph/amp', how: 'help', versions: ['0.0.1790142911'] }),
  documented('aider', { label: 'Aider' }),
  documented('cursor', { label: 'Cursor CLI', executable: 'cursor-agent' }),
  documented('goose', { label: 'goose' }),
  { ...documented('crush', { label: 'Crush', packageName: '@charmland/crush' }), activity: ['OSC 7501', 'output'] },
];

interface Documented {
  readonly label: string;
  readonly executable?: string;
  readonly packageName?: string;
  readonly how?: 'help' | 'docs';
  readonly versions?: string[];
}

/** One whose conversations Maestro neither names nor hears of: it comes back by its preset when something reports the id, and else anew. */
function documented(id: string, { label, executable = id, packageName, how = 'docs', versions = [] }: Documented): AgentAdapter {
  return {
    id,
    label,
    executable,
    ...(packageName === undefined ? {} : { packageName }),
    verified: { how, versions },
    conversation: 'none',
    activity: NO_ACTIVITY,
    injects: [],
  };
}
