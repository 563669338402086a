import type { Host } from '../../protocol/index.js';
import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { connectTo } from '../connect.js';
import { LogFollower, lastLogLines } from '../daemon-log.js';
import { type DaemonEnd, type Ready, type StartedDaemon, startDaemon } from '../daemon-process.js';
import { DaemonStopper } from '../daemon-stopper.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { homeShort } from '../home-path.js';
import { logLineText } from '../log-line.js';
import { findGit, findTmux, installCommand, LEAST_TMUX } from '../prerequisites.js';
import { printable, safe } from '../printable.js';
import { countSessions, runningHost, stoppedText } from '../running-daemon.js';

export interface UpOptions {
  readonly detach?: boolean;
  readonly listen?: string;
  /** The daemon's entry point, where it is not the one beside this program. */
  readonly main?: string;
}

/** Recovery of many sessions takes a while; a start that takes longer than this hangs, and a script should hear of it. */
const READY_WITHIN_MS = 60_000;

/** Starts the daemon and stays with it, or, detached, until it is ready. */
export async function up(context: CommandContext, options: UpOptions): Promise<ExitCode> {
  const host = await runningHost(context.stateDir);
  if (host !== undefined) return alreadyRunning(context, host, options);
  await requirePrograms(context);
  const { stateDir, env } = context;
  const daemon = await startDaemon({
    stateDir,
    env,
    listen: options.listen,
    ...(options.main === undefined ? {} : { main: options.main }),
  });
  return options.detach ? leave(context, daemon) : stay(context, daemon);
}

function alreadyRunning({ output }: CommandContext, host: Host, { detach }: UpOptions): ExitCode {
  const text = safe`Maestro already runs: ${host.scheme ?? 'http'}://${host.listen} (pid ${host.pid})`;
  if (!detach) throw new CliError('failed', `${text}; maestro down stops it`);
  output.line(text);
  output.document({ already_running: true, pid: host.pid, listen: host.listen });
  return EXIT.done;
}

async function requirePrograms({ env, output }: CommandContext): Promise<void> {
  const [tmux, git] = await Promise.all([findTmux(), findGit()]);
  if (!tmux.ok) {
    const found = tmux.version === undefined ? 'tmux is missing' : `tmux ${printable(tmux.version)} is too old`;
    throw new CliError('failed', `${found}: Maestro needs tmux ${LEAST_TMUX} or newer; get it with: ${installCommand(['tmux'], env.PATH)}`);
  }
  if (!git.ok) output.note(`git is missing: worktrees need it; get it with: ${installCommand(['git'], env.PATH)}`);
}

/** Waits until the daemon is ready and lets go of it. */
async function leave(context: CommandContext, daemon: StartedDaemon): Promise<ExitCode> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLate(daemon)), READY_WITHIN_MS);
  });
  try {
    const ready = await Promise.race([daemon.ready, late]);
    await announce(context, ready);
    return EXIT.done;
  } catch (error) {
    for (const line of await lastLogLines(daemon.logPath, daemon.logOffset)) note(context, line);
    throw error;
  } finally {
    clearTimeout(timer);
    daemon.process.stdout?.destroy();
    daemon.process.unref();
  }
}

function tooLate({ process, logPath }: StartedDaemon): CliError {
  const after = `${READY_WITHIN_MS / 1000} s`;
  return new CliError('failed', `the daemon (pid ${process.pid}) is not ready after ${after} and goes on starting; its log: ${logPath}`);
}

/** Shows the daemon's log until it ends. Ctrl-C stops it. */
async function stay(context: CommandContext, daemon: StartedDaemon): Promise<ExitCode> {
  const follower = await LogFollower.start(daemon.logPath, { offset: daemon.logOffset, onLine: (line) => note(context, line) });
  const stopper = new DaemonStopper(daemon.process, context);
  try {
    const ready = await daemon.ready.catch((error: unknown) => {
      if (!stopper.asked) throw error;
    });
    if (ready !== undefined) await announce(context, ready);
    const end = await daemon.ended;
    await follower.stop();
    return farewell(context, end, { daemon, stopper });
  } finally {
    stopper.dispose();
    await follower.stop();
  }
}

function farewell(
  { output }: CommandContext,
  end: DaemonEnd,
  { daemon, stopper }: { daemon: StartedDaemon; stopper: DaemonStopper },
): ExitCode {
  if (end.code !== 0 && !stopper.asked) {
    throw new CliError('failed', `the daemon ended unexpectedly (${end.signal ?? `code ${end.code}`}); its log: ${daemon.logPath}`);
  }
  output.line(stoppedText(stopper.running));
  return EXIT.done;
}

async function announce({ output, stateDir, home }: CommandContext, ready: Ready): Promise<void> {
  const { adopted, dormant } = ready.recovered;
  const link = output.json
    ? undefined
    : await connectTo(stateDir)
        .loginLink()
        .catch(() => undefined);
  const url = link === undefined ? `http://${ready.listen}` : new URL(link.url).origin;
  output.line(safe`Maestro runs: ${url} (pid ${ready.pid}), state in ${homeShort(stateDir, home)}`);
  if (adopted > 0) output.line(`Taken back: ${countSessions(adopted)} that kept running.`);
  if (dormant > 0) output.line(`Dormant: ${countSessions(dormant)}; bring back all with \`maestro resume --all\`.`);
  for (const warning of ready.warnings) output.note(safe`warning: ${warning}`);
  if (link !== undefined) output.line(`Open: ${link.url} (logs one browser in, within 15 minutes; \`maestro open\` makes another)`);
  output.line('Next: `maestro new --attach -- COMMAND` starts a session, such as `maestro new --name demo --attach -- bash`.');
  output.document({ already_running: false, ...ready });
}

function note({ output }: CommandContext, line: string): void {
  output.note(output.json ? printable(line) : logLineText(line, (style, text) => output.noteStyle(style, text)));
}
