import type { AgentAdapter, Injection, InjectionRequest, Json, LaunchContext, Opened } from './agent-adapter.js';
import { type AgentLine, has, optionValue } from './agent-line.js';
import { claudeConversations } from './claude-conversations.js';
import { claudeHooks } from './claude-hooks.js';
import { withHooks } from './hook-settings.js';
import { hookCommand, launchFile, pathOf } from './launch-file.js';
import type { OptionTable } from './option-table.js';
import { quoted } from './quoted.js';
import { isUuid } from './uuid.js';
import { isAtLeast } from './version-order.js';

/** `claude --help` of 2.1.332, with the options that it hides. */
const OPTIONS: OptionTable = {
  style: 'commander',
  flags:
    '--allow-dangerously-skip-permissions --ax-screen-reader --bare --bg --background --brief --chrome -c --continue ' +
    '--dangerously-skip-permissions --desktop --disable-slash-commands --enable-auto-mode ' +
    '--exclude-dynamic-system-prompt-sections --fork-session --forward-subagent-text -h --help --ide --include-hook-events ' +
    '--include-partial-messages --init --init-only --maintenance --mcp-debug --no-chrome --no-session-persistence ' +
    '-p --print --replay-user-messages --restricted --safe-mode --strict-mcp-config --tmux --verbose -v --version',
  values:
    '--agent --agents --append-subagent-system-prompt --append-subagent-system-prompt-file --append-system-prompt ' +
    '--append-system-prompt-file --autocompact --debug-file --effort --environment --fallback-model --fast-mode --input-format ' +
    '--json-schema --max-budget-usd --max-thinking-tokens --max-turns --model -n --name --output-format --permission-mode ' +
    '--permission-prompt-tool --permission-prompts --plugin-dir --plugin-url --prefill --remote-control-session-name-prefix ' +
    '--resume-session-at --rewind-files --sdk-url --session-id --setting-sources --settings --system-prompt --system-prompt-file ' +
    '--system-prompt-snapshot --teammate-mode --thinking',
  optional: '--cloud -d --debug --from-pr --prompt-suggestions --rc --remote --remote-control -r --resume --teleport -w --worktree',
  many:
    '--add-dir --allowedTools --allowed-tools --betas --channels --dangerously-load-development-channels --disallowedTools ' +
    '--disallowed-tools --file --mcp-config --tools',
  apart:
    '--bg --background --cloud --desktop --environment -h --help --init-only -p --print --remote --rewind-files --sdk-url ' +
    '--teleport --tmux -v --version',
  conversation: '-c --continue --fork-session --from-pr -r --resume --resume-session-at --session-id',
  prompt: '--file --init --prefill',
  // A resume goes back to the worktree of its conversation by itself.
  made: '-w --worktree',
  subcommands:
    'agents attach auth auto-mode doctor gateway import install logs mcp plugin plugins purge respawn rm setup-token stop kill ' +
    'ultrareview update upgrade',
  positional: 'prompt',
};

/** The oldest version that was measured. */
const OLDEST = '2.1.197';

/**
 * Claude Code. The conversation's id is chosen before the start, and followed from then on, as `/clear` changes it. A second `--settings`
 * would replace the first, so the user's are written into ours.
 */
export const CLAUDE: AgentAdapter = {
  id: 'claude',
  label: 'Claude Code',
  executable: 'claude',
  packageName: '@anthropic-ai/claude-code',
  options: OPTIONS,
  verified: { how: 'live', versions: ['2.1.332', '2.1.197'] },
  conversation: 'chosen',
  activity: ['hooks', 'status file', 'OSC 7501'],
  injects: [
    '--session-id with a new uuid, and --resume with it later',
    "--settings with hooks that report to Maestro, beside the user's own hooks and settings",
  ],
  warnings: (version) =>
    version === undefined || isAtLeast(version, OLDEST) ? [] : [`${version} is older than ${OLDEST}, the oldest version that was tried`],
  opens,
  begin: (id) => ['--session-id', id],
  comeBack: (id, injected) => ['--resume', id, ...injected],
  inject,
  promptOptions: [],
  store: claudeConversations,
};

function opens(line: AgentLine): Opened {
  const isFork = has(line, '--fork-session');
  const chosen = optionValue(line, '--session-id');
  if (has(line, '--session-id')) return isUuid(chosen) ? { id: chosen } : 'unknown';
  if (has(line, '-c', '--continue', '--from-pr')) return 'unknown';
  if (!has(line, '-r', '--resume')) return 'free';
  const resumed = optionValue(line, '-r', '--resume');
  return !isFork && isUuid(resumed) ? { id: resumed } : 'unknown';
}

function inject({ line, context }: InjectionRequest): Injection {
  if (line === undefined) return { warnings: ['the command is more than a plain call of claude, so its hooks do not report'] };
  const given = line.arguments.findLast(({ names }) => names.includes('--settings'))?.value?.text;
  const merged = settings(given, context);
  if (merged === undefined)
    return { warnings: ["the command's --settings could not be read, so they are left alone and Claude's hooks do not report"] };
  const file = launchFile('claude', merged);
  const words = ['--settings', quoted(pathOf(file, context.agentsDir))];
  return { words, files: [file], replaces: given === undefined ? [] : ['--settings'] };
}

/** Ours with the user's own in them. */
function settings(given: string | undefined, context: LaunchContext): Json | undefined {
  const { ownSettings } = context.inputs;
  const own = given === undefined ? {} : ownSettings?.word === given ? ownSettings.content : 'unreadable';
  const hooks = claudeHooks(hookCommand(context, CLAUDE.id), context.version);
  return own === 'unreadable' ? undefined : withHooks(own, hooks);
}
