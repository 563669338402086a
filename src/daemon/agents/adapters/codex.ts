import type { AgentAdapter, Injection, InjectionRequest, Opened } from './agent-adapter.js';
import { type AgentLine, has } from './agent-line.js';
import { codexConversations } from './codex-conversations.js';
import type { OptionTable } from './option-table.js';
import { isUuid } from './uuid.js';
import { isAtLeast } from './version-order.js';

/** `codex --help` and `codex resume --help` of 0.171.0. */
const OPTIONS: OptionTable = {
  style: 'clap',
  flags:
    '--all --approve-for-me --dangerously-bypass-approvals-and-sandbox --dangerously-bypass-hook-trust --full-auto -h --help ' +
    '--include-non-interactive --last --no-alt-screen --no-daemon --oss --search --strict-config -V --version --worktree --yolo',
  values:
    '--add-dir -a --ask-for-approval -C --cd -c --config --disable --enable --local-provider -m --model -p --profile --remote ' +
    '--remote-auth-token-env -s --sandbox',
  many: '-i --image',
  apart: '-h --help -V --version',
  conversation: '--all --include-non-interactive --last --no-daemon',
  prompt: '-i --image',
  made: '--worktree',
  subcommands:
    'a agents app-server apply archive cloud completion debug delete doctor e exec exec-server features fork help login logout mcp ' +
    'migrate-nfs-db migrate-rollouts plugin queue remote-control resume review sandbox unarchive update',
  positional: 'prompt',
};

/** The first version that is known to have the option. */
const MEASURED = '0.171.0';

/** Codex. It names its conversation itself. No hooks are given to it: it would ask the user to allow them, and says all by OSC 7501. */
export const CODEX: AgentAdapter = {
  id: 'codex',
  label: 'Codex',
  executable: 'codex',
  packageName: '@openai/codex',
  options: OPTIONS,
  conversations: ['resume', 'fork'],
  verified: { how: 'live', versions: [MEASURED] },
  conversation: 'learnt',
  activity: ['OSC 7501', 'hooks that the user allows'],
  injects: ['--no-daemon, so that its turns run in the session and end with it'],
  warnings: (version) =>
    version === undefined || isAtLeast(version, MEASURED)
      ? []
      : [`${version} is older than ${MEASURED}, the oldest version that was tried; it may not know --no-daemon`],
  opens,
  comeBack: (id, injected) => ['resume', ...injected, id],
  inject,
  promptOptions: [],
  store: codexConversations,
};

function opens({ subcommand, arguments: given }: AgentLine): Opened {
  const [first] = given.filter(({ kind }) => kind === 'positional');
  const word = first?.words[0];
  return subcommand?.value === 'resume' && word?.isLiteral && isUuid(word.value) ? { id: word.value } : 'unknown';
}

/** Any override of the config keeps an older Codex from the shared daemon as well, and keys that it does not know mean nothing to it. */
function inject({ line, context: { version } }: InjectionRequest): Injection {
  if (line === undefined || has(line, '--no-daemon', '--remote')) return {};
  const isKnown = version === undefined || isAtLeast(version, MEASURED);
  return { words: isKnown ? ['--no-daemon'] : ['-c', 'maestro_embedded=true'] };
}
