import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { loginPath, sessionBaseEnv } from './agents/login-environment.js';
import { presetOf, presetsOf } from './agents/presets.js';
import { PLUGIN_FILE, REPORTER_FILE } from './built-files.js';
import { Chores } from './chores.js';
import { systemClock } from './clock.js';
import { ClockWatch } from './clock-watch.js';
import { Closing } from './closing.js';
import type { ConfigFlags } from './config/config-source.js';
import { type Config, loadConfig } from './config.js';
import { Git } from './git.js';
import { Listener } from './listener.js';
import type { Log } from './log.js';
import { ProcessTree } from './panes/process-tree.js';
import { readIdentity } from './panes/server-identity.js';
import { endingWarning } from './panes/systemd-ending.js';
import { TmuxPanes } from './panes/tmux-panes.js';
import { isSame } from './process-identity.js';
import { Projects } from './projects/projects.js';
import { restoreRunDirectory } from './run-directory.js';
import type { Reporter } from './session/agents/agent-launches.js';
import { openSessions, type Sessions } from './session/open-sessions.js';
import { Recovery, type RecoverySummary } from './session/recovery.js';
import { removeLeftovers } from './store/atomic-write.js';
import { DaemonJson, type DaemonRecord } from './store/daemon-json.js';
import { DaemonLock } from './store/daemon-lock.js';
import { ProjectPaths } from './store/project-paths.js';
import { ReportKey } from './store/report-key.js';
import { ReportSpool } from './store/report-spool.js';
import { StateDir, stateDirPath } from './store/state-dir.js';
import { TrustStore } from './store/trust-store.js';

export interface DaemonOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The umask that the daemon was started with, which is the user's. */
  readonly umask: number;
  readonly flags: ConfigFlags;
  readonly log: Log;
  /** Called when a client asks the daemon to stop. */
  readonly onShutdown: () => void;
}

/** What the daemon says of itself once it listens. */
export interface DaemonReady {
  /** `host:port` */
  readonly listen: string;
  readonly socket: string;
  readonly recovered: Pick<RecoverySummary, 'adopted' | 'dormant' | 'dead'>;
  readonly warnings: readonly string[];
}

/** One daemon, from the lock on its state directory to the API. Closing it leaves every session running in tmux. */
export class Daemon implements AsyncDisposable {
  readonly ready: DaemonReady;
  readonly #closing: Closing;

  private constructor(ready: DaemonReady, closing: Closing) {
    this.ready = ready;
    this.#closing = closing;
  }

  /** Takes every session back, then listens. Rejects, with nothing left open, when it may not or cannot run. */
  static async start(options: DaemonOptions): Promise<Daemon> {
    const closing = new Closing();
    try {
      return new Daemon(await start(options, closing), closing);
    } catch (error) {
      await closing[Symbol.asyncDispose]().catch(() => undefined);
      throw error;
    }
  }

  /** Stops listening, flushes, tells viewers, and lets go of tmux and of the lock. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#closing[Symbol.asyncDispose]();
  }
}

async function start(options: DaemonOptions, closing: Closing): Promise<DaemonReady> {
  const { env, home, flags, log } = options;
  const config = await loadConfig({ env, home, flags });
  const stateDir = await StateDir.open(stateDirPath(env, home));
  const lock = closing.use(await DaemonLock.acquire(stateDir));
  for (const directory of [stateDir.root, stateDir.run]) await removeLeftovers(directory);
  const programs = await loginPath({ env });
  const daemonJson = new DaemonJson({ path: stateDir.daemonJson });
  const former = await daemonJson.read();
  const clockWatch = new ClockWatch(systemClock, former);
  const { sessions, panes, survived, trust, keyWarnings } = await open({ options, config, stateDir, closing, path: programs.path });
  const recovered = await recover({ sessions, former, survived });
  sessions.gitStates.start();
  await hearReports(sessions, closing);
  const listener = await Listener.open({ config, stateDir, sessions, panes, daemonJson, clockWatch, former, options });
  closing.defer(() => listener.close(() => sessions.manager.close()));
  closing.use(
    Chores.begin({ sessions, config, daemonJson, clockWatch, log, restore: () => restoreRunDirectory({ stateDir, panes, listener }) }),
  );
  const comeBack = chosen(recovered.lost, config, sessions);
  if (comeBack.length > 0) sessions.resumes.add(comeBack);
  closing.defer(() => sessions.resumes.close());
  const service = panes.serverIdentity && (await endingWarning(panes.serverIdentity.pid));
  const found = [lock.warning, programs.warning, service, trust.problem, ...keyWarnings, ...recovered.warnings, ...listener.warnings];
  const warnings = found.filter((warning) => warning !== undefined);
  for (const warning of warnings) log.warn({ warning }, 'started with a warning');
  const { adopted, dormant, dead } = recovered;
  log.info({ listen: listener.address, adopted, dormant, dead }, 'listening');
  return { listen: listener.address, socket: stateDir.socket, recovered: { adopted, dormant, dead }, warnings };
}

interface Opening {
  readonly options: DaemonOptions;
  readonly config: Config;
  readonly stateDir: StateDir;
  readonly closing: Closing;
  readonly path: string;
}

/** Takes in what agents reported while no daemon was there, and what cannot be delivered from now on. */
async function hearReports({ reports }: Sessions, closing: Closing): Promise<void> {
  const listening = new AbortController();
  closing.defer(() => listening.abort());
  await reports.drain();
  reports.watchSpool(listening.signal);
}

const REPORTER: Reporter = { nodePath: process.execPath, hookFile: REPORTER_FILE, pluginFile: PLUGIN_FILE };

/** Finds or starts the tmux server and puts together what works on sessions. */
async function open({ options, config, stateDir, closing, path }: Opening): Promise<Opened> {
  const { env, home, log } = options;
  const formerServer = await readIdentity(stateDir.run);
  const panes = closing.use(
    await TmuxPanes.start({
      runDir: stateDir.run,
      tmuxPath: 'tmux',
      home,
      path,
      leader: config.leader,
      onDeath: () => sessions.context.poll(),
      onStateChange: (state) => {
        log.info({ state }, 'tmux');
        if (state === 'gone') sessions.watcher.tmuxLost();
      },
    }),
  );
  const baseEnv = sessionBaseEnv({ env, path });
  const git = new Git({ env: baseEnv, umask: options.umask });
  const trust = await TrustStore.load(stateDir.trust);
  const keyWarnings: string[] = [];
  const key = await ReportKey.open(stateDir, { onDamaged: (warning) => keyWarnings.push(warning) });
  const spool = ReportSpool.open(stateDir);
  const sessions = openSessions({
    stateDir,
    panes,
    processes: new ProcessTree({ servers: () => (panes.serverIdentity ? [panes.serverIdentity.pid] : []) }),
    presets: presetsOf(config.presets),
    baseEnv,
    home,
    umask: options.umask,
    replayBytes: config.ptyReplayBytes,
    confirmMs: config.resumeConfirmMs,
    git,
    agents: { key, spool, reporter: REPORTER, startingAtOnce: availableParallelism() },
    worktrees: {
      directory: config.worktreesDir ?? stateDir.worktrees,
      ports: config.worktreePorts,
      salvageRetentionMs: config.salvageRetentionMs,
      trust,
    },
    projects: await openProjects(config, { git, home, stateDir, closing }),
    clock: systemClock,
    log,
  });
  closing.use(sessions.gitStates);
  closing.defer(() => sessions.sources[Symbol.dispose]());
  await answering(panes, log);
  await panes.endStuckPipes(stateDir.ptyDir);
  return { sessions, panes, trust, keyWarnings, survived: isSame(formerServer, panes.serverIdentity) };
}

interface ProjectParts {
  readonly git: Git;
  readonly home: string;
  readonly stateDir: StateDir;
  readonly closing: Closing;
}

async function openProjects(config: Config, { git, home, stateDir, closing }: ProjectParts): Promise<Projects> {
  const remembered = new ProjectPaths(stateDir.projects);
  const projects = new Projects({
    git,
    home,
    roots: config.projectRoots,
    depth: config.projectDepth,
    ignore: config.projectIgnore,
    exclude: [stateDir.root, ...(config.worktreesDir === undefined ? [] : [config.worktreesDir])],
    clock: systemClock,
  });
  await projects.load(await remembered.read());
  closing.use(projects);
  // Only a help to the next start: not worth failing for.
  closing.defer(() => remembered.write(projects.paths()).catch(() => undefined));
  return projects;
}

interface Opened {
  readonly sessions: Sessions;
  readonly panes: TmuxPanes;
  readonly trust: TrustStore;
  /** What is wrong with the key that reports are known by. */
  readonly keyWarnings: readonly string[];
  /** The tmux server is the one that the daemon before had. */
  readonly survived: boolean;
}

/** How long to wait before a silent tmux is asked again, in milliseconds. */
const ASK_AGAIN_MS = 500;

/** Resolves once tmux answers. One that is silent holds sessions that must not be judged, so nothing else can be done. */
async function answering(panes: TmuxPanes, log: Log): Promise<void> {
  for (let asked = 0; ; asked += 1) {
    try {
      await panes.listSessions();
      return;
    } catch (error) {
      if (panes.state !== 'silent') throw error;
      if (asked % 20 === 0) log.warn({}, 'tmux does not answer; waiting for it, as its sessions cannot be seen');
      await delay(ASK_AGAIN_MS);
    }
  }
}

interface Recovering {
  readonly sessions: Sessions;
  readonly former: DaemonRecord | undefined;
  readonly survived: boolean;
}

/** A tmux server that lived through the absence of a daemon proves that the host did not go down. */
function recover({ sessions, former, survived }: Recovering): Promise<RecoverySummary> {
  const lastSign = former === undefined || survived ? undefined : Date.parse(former.last_sign_of_life);
  return new Recovery(sessions.context, { lastSignBeforeLoss: lastSign }).run();
}

/** Which of the sessions that went down with the host are to come back by themselves. */
function chosen(lost: readonly string[], config: Config, { context }: Sessions): readonly string[] {
  if (config.resumeOnStart === 'never') return [];
  // One whose kill was cut off may be on its way out again.
  const waiting = lost.filter((id) => context.registry.find(id)?.phase.kind === 'resting');
  if (config.resumeOnStart === 'all') return waiting;
  return waiting.filter((id) => {
    const record = context.registry.find(id)?.record;
    if (record === undefined) return false;
    return context.launches.agentOf(record) !== undefined || presetOf(record, context.presets)?.resume_command !== undefined;
  });
}
