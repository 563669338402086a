import type { Command } from 'commander';
import type { Run } from './run.js';

const CONVERSATIONS_HELP = `
A session that does not know its conversation goes on with one of them:
  maestro resume SESSION --conversation ID`;

export function addAgentCommands(program: Command, run: Run): void {
  program
    .command('agents')
    .description('which agents are installed, what is verified of them, and what Maestro adds to them')
    .argument('[agent]', 'all of one, in sentences')
    .action((name) => run(async (context) => (await import('../commands/agents.js')).agents(context, name)));
  program
    .command('explain')
    .description('why a session is shown as it is, and what its agent did last')
    .argument('<session>')
    .option('--all', 'all that is kept of what it did, not only the last 20')
    .action((target, options) => run(async (context) => (await import('../commands/explain.js')).explain(context, target, options)));
  program
    .command('conversations')
    .description("list what a session's agent has stored for its directory")
    .argument('<session>')
    .addHelpText('after', CONVERSATIONS_HELP)
    .action((target) => run(async (context) => (await import('../commands/conversations.js')).conversations(context, target)));
  // For hooks of agents: whatever it is given, it ends with 0 and says nothing.
  program
    .command('hook', { hidden: true })
    .argument('[word...]')
    .allowUnknownOption()
    .helpOption(false)
    .action((words) => run(async () => (await import('../commands/hook.js')).hook(words)));
}
