import { Command, Option } from 'commander';
import { VERSION } from '../protocol/version.js';
import { EXIT_HELP } from './exit-code.js';
import { addAgentCommands } from './program/agent-commands.js';
import { collect, wholeNumber } from './program/option-values.js';
import type { Run } from './program/run.js';
import { addWorktreeCommands } from './program/worktree-commands.js';

const TARGET_HELP = `
A SESSION is named by its id, by the beginning of it (4 characters or more), or by its whole name.
`;

export function createProgram(run: Run): Command {
  const program = new Command('maestro')
    .description('Keeps terminal sessions and coding agents alive, on top of tmux.')
    .version(VERSION)
    .option('--json', 'one JSON document on standard output instead of text')
    .option('--state-dir <dir>', "where the daemon keeps its state (default: $MAESTRO_STATE_DIR, else Maestro's own under $XDG_STATE_HOME)")
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .addHelpText('after', TARGET_HELP + EXIT_HELP)
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'maestro: ')) })
    .exitOverride();
  addDaemonCommands(program, run);
  addCreation(program, run);
  addViewing(program, run);
  addControl(program, run);
  addEnding(program, run);
  addAgentCommands(program, run);
  addWorktreeCommands(program, run);
  return program;
}

function addDaemonCommands(program: Command, run: Run): void {
  program
    .command('up')
    .description('start the daemon and show its log; Ctrl-C stops it, sessions live on')
    .option('-d, --detach', 'start it in the background; no error if it runs already')
    .option('--listen <host:port>', 'where to listen besides the unix socket')
    .action((options) => run(async (context) => (await import('./commands/up.js')).up(context, options)));
  program
    .command('down')
    .description('stop the daemon; sessions live on')
    .action(() => run(async (context) => (await import('./commands/down.js')).down(context)));
  program
    .command('status')
    .description('what the daemon says of itself')
    .action(() => run(async (context) => (await import('./commands/status.js')).status(context)));
  program
    .command('open')
    .description('open the page in a browser, logged in; prints the URL, which is good once')
    .option('--print', 'only print it')
    .action((options) => run(async (context) => (await import('./commands/open.js')).open(context, options)));
  program
    .command('token')
    .description('the token that clients over TCP send')
    .command('rotate')
    .description('replace it, and log every browser out')
    .action(() => run(async (context) => (await import('./commands/token.js')).rotateToken(context)));
  program
    .command('doctor')
    .description('check all that Maestro needs, and say what to do')
    .action(() => run(async (context) => (await import('./commands/doctor.js')).doctor(context)));
}

const NEW_HELP = `
Behind --, one word is POSIX shell text as it stands; several are a program and its arguments, passed on exactly:
  maestro new -- 'make test && make run'
  maestro new --name api --attach -- claude --model opus

In a git worktree of its own, on a new branch of this repository:
  maestro new --worktree fix-login --base main --preset claude`;

function addCreation(program: Command, run: Run): void {
  program
    .command('new')
    .description('start a session')
    .argument('[command...]', 'what to run, behind --')
    .option('-n, --name <name>', 'a name to call it by')
    .option('-C, --cwd <dir>', 'where to run it (default: this directory)')
    .option('-p, --preset <id>', 'run what this preset says (see `maestro presets`)')
    .option('--prompt <text>', 'what its agent shall begin with')
    .option('-e, --env <name[=value]>', 'a variable for it; without a value, the one it has here', collect)
    .option('--size <colsxrows>', 'columns and rows, such as 120x40')
    .option('-w, --worktree <branch>', 'run it in a new git worktree, on a new branch of this name')
    .option('--base <ref>', 'begin the branch at this branch, tag or commit (default: HEAD)')
    .option('--existing', 'use the branch that is there instead of a new one')
    .option('--repo <dir>', 'the repository of the worktree (default: that of this directory)')
    .option('--skip-setup', "leave out what the repository's .maestro/config.toml wants to run")
    .option('--trust', 'trust the repository to run that, without asking')
    .option('-a, --attach', 'show it in this terminal at once')
    .option('-q, --quiet', 'print only its id')
    .addHelpText('after', NEW_HELP)
    .action((words, options) => run(async (context) => (await import('./commands/new.js')).newSession(context, words, options)));
  program
    .command('presets')
    .description('what sessions can be started with by name')
    .action(() => run(async (context) => (await import('./commands/presets.js')).presets(context)));
}

const URL_HELP = `
The daemon of another host, through a tunnel with the same port on both ends:
  ssh -N -L 7433:127.0.0.1:7433 HOST &
  MAESTRO_TOKEN=$(ssh HOST cat .local/state/maestro/token) maestro attach SESSION --url http://127.0.0.1:7433`;

function addViewing(program: Command, run: Run): void {
  program
    .command('ls')
    .description('list sessions, those that wait for you first')
    .addOption(new Option('-s, --status <status>', 'only these').choices(['running', 'dormant', 'dead']))
    .option('-q, --quiet', 'print only ids')
    .action((options) => run(async (context) => (await import('./commands/ls.js')).ls(context, options)));
  program
    .command('attach')
    .description('show a session in this terminal; exits with 0 when you detach or it ends')
    .argument('<session>')
    .option('-r, --resume', 'bring it back first if it does not run')
    .option('--url <url>', 'of the daemon at this address, over TCP and without tmux')
    .option('--token-file <file>', 'where the token for --url is (default: $MAESTRO_TOKEN, else that of this host for a loopback address)')
    .addHelpText('after', URL_HELP)
    .action((target, options) => run(async (context) => (await import('./attach/attach-url.js')).attachAnywhere(context, target, options)));
  program
    .command('read')
    .description('print what a session shows')
    .argument('<session>')
    .option('--history <lines>', 'with so many lines above the screen', wholeNumber)
    .option('--scrollback', 'print its stored output instead, also of one that does not run')
    .option('--tail <bytes>', 'only the newest bytes of that, at most so many', wholeNumber)
    .option('--ansi', 'keep colours')
    .option('--raw', 'keep every control sequence, also at a terminal')
    .action((target, options) => run(async (context) => (await import('./commands/read.js')).read(context, target, options)));
}

function addControl(program: Command, run: Run): void {
  program
    .command('send')
    .description('type into a session')
    .argument('<session>')
    .argument('[text...]')
    .option('--enter', 'press Enter behind the text')
    .option('-k, --key <key>', 'press a key behind the text, such as C-c, Up, Enter, or S-Enter for a new line of a prompt', collect)
    .option('--stdin', 'take the text from standard input')
    .action((target, words, options) =>
      run(async (context) => (await import('./commands/send.js')).send(context, [target, ...words], options)),
    );
  program
    .command('upload')
    .description('store files for a session on its host, and print where; its programs can read them there')
    .argument('<session>')
    .argument('<file...>')
    .action((target, files) => run(async (context) => (await import('./commands/upload.js')).upload(context, target, files)));
  program
    .command('resume')
    .description('bring sessions back under their own ids')
    .argument('[session...]')
    .option('--all', 'every dormant one, a few at a time; Ctrl-C leaves the daemon going on')
    .option('--conversation <id>', 'go on with this one of `maestro conversations SESSION`')
    .action((targets, options) => run(async (context) => (await import('./commands/resume.js')).resume(context, targets, options)));
  program
    .command('rename')
    .description('give a session another name')
    .argument('<session>')
    .argument('<name>')
    .action((target, name) => run(async (context) => (await import('./commands/rename.js')).rename(context, { target, name })));
}

function addEnding(program: Command, run: Run): void {
  program
    .command('stop')
    .description('end the programs of sessions and keep the rest')
    .argument('<session...>')
    .action((targets) => run(async (context) => (await import('./commands/stop.js')).stop(context, targets)));
  program
    .command('restart')
    .description('end the programs of sessions and start them again')
    .argument('<session...>')
    .action((targets) => run(async (context) => (await import('./commands/stop.js')).restart(context, targets)));
  program
    .command('kill')
    .description('end sessions and remove what belongs to them')
    .argument('<session...>')
    .option('-f, --force', 'also a worktree with unsaved work, which is saved first')
    .option('--keep-worktree', 'leave the worktree where it is')
    .option('-y, --yes', 'do not ask')
    .action((targets, options) => run(async (context) => (await import('./commands/kill.js')).kill(context, targets, options)));
}
