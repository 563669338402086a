import { type Command, Option } from 'commander';
import { wholeNumber } from './option-values.js';
import type { Run } from './run.js';

export function addWorktreeCommands(program: Command, run: Run): void {
  addDiff(program, run);
  addWorktree(program, run);
  addSalvage(program, run);
  addProjects(program, run);
}

const DIFF_HELP = `
At a terminal it is coloured and control characters show as escapes; into a file or a pipe it is a patch.
With --json: the list of changed files, or, for paths, the hunks of each.`;

function addDiff(program: Command, run: Run): void {
  program
    .command('diff')
    .description("show what changed in a session's directory")
    .argument('<session>')
    .argument('[path...]', 'only these files and directories, from the top of the worktree')
    .option('--stat', 'only which files, and how many lines')
    .option('--commits', 'only the commits since the session began')
    .addOption(
      new Option('--against <state>', 'since the session began, or since the last commit (default: base in a worktree of its own)').choices(
        ['base', 'head'],
      ),
    )
    .option('-U, --unified <lines>', 'unchanged lines around each change (default: 3)', wholeNumber)
    .addHelpText('after', DIFF_HELP)
    .action((target, paths, options) =>
      run(async (context) => (await import('../commands/diff.js')).diff(context, [target, ...paths], options)),
    );
}

function addWorktree(program: Command, run: Run): void {
  const worktree = program.command('worktree').description('the worktrees that Maestro made');
  worktree
    .command('ls')
    .description('list them, and what they hold that is nowhere else')
    .action(() => run(async (context) => (await import('../commands/worktree-ls.js')).listWorktrees(context)));
  worktree
    .command('cleanup')
    .description('remove those that nobody needs; without a terminal and --yes it only says which')
    .argument('[worktree...]', 'only these, named by the id or the name of their session (default: all)')
    .option('-f, --force', 'also those with unsaved work, which is saved first')
    .option('-y, --yes', 'do not ask')
    .action((targets, options) =>
      run(async (context) => (await import('../commands/worktree-cleanup.js')).cleanUp(context, targets, options)),
    );
}

const SALVAGE_HELP = `
A SALVAGE is named as the session was: by its id, by the beginning of it (4 characters or more), or by its whole name.`;

function addSalvage(program: Command, run: Run): void {
  const salvage = program
    .command('salvage')
    .description('what was saved of worktrees that were removed by force')
    .addHelpText('after', SALVAGE_HELP);
  salvage
    .command('ls')
    .description('list it')
    .action(() => run(async (context) => (await import('../commands/salvage.js')).listSalvages(context)));
  salvage
    .command('show')
    .description('which files and commits it holds, or what changed in one file')
    .argument('<salvage>')
    .argument('[path]')
    .action((target, path) => run(async (context) => (await import('../commands/salvage.js')).showSalvage(context, { target, path })));
  salvage
    .command('restore')
    .description('make a worktree of it, as it was')
    .argument('<salvage>')
    .option('--to <dir>', 'where nothing is yet (default: beside the other worktrees)')
    .action((target, { to }) => run(async (context) => (await import('../commands/salvage.js')).restoreSalvage(context, { target, to })));
  salvage
    .command('drop')
    .description('forget it; nothing brings it back')
    .argument('<salvage...>')
    .option('-y, --yes', 'do not ask')
    .action((targets, options) => run(async (context) => (await import('../commands/salvage.js')).dropSalvages(context, targets, options)));
}

function addProjects(program: Command, run: Run): void {
  program
    .command('projects')
    .description('list git repositories, those used last first')
    .option('--branches <dir>', 'list the branches of the repository that this directory is in instead')
    .option('-q, --quiet', 'print only paths')
    .action((options) => run(async (context) => (await import('../commands/projects.js')).projects(context, options)));
  program
    .command('trust')
    .description('show what a repository runs for each worktree, and let it')
    .argument('[dir]', 'any directory of it (default: this one)')
    .option('--base <ref>', 'as it is at this branch, tag or commit (default: HEAD)')
    .option('--list', 'list those that are trusted')
    .option('--revoke', 'trust it no more')
    .option('-y, --yes', 'do not ask')
    .action((dir, options) => run(async (context) => (await import('../commands/trust.js')).trust(context, dir, options)));
}
