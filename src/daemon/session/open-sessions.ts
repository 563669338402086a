import type { SpawnPreset } from '../../protocol/index.js';
import { AgentCatalogue } from '../agents/agent-catalogue.js';
import { AgentVersions } from '../agents/agent-version.js';
import type { Clock } from '../clock.js';
import type { Git } from '../git.js';
import type { Log } from '../log.js';
import type { PaneSetup, Panes } from '../panes/panes.js';
import type { ProcessTree } from '../panes/process-tree.js';
import type { Projects } from '../projects/projects.js';
import { SALVAGE_RECORD_VERSION, SalvageRecordSchema } from '../salvage-record.js';
import { RecordStore } from '../store/record-store.js';
import type { ReportKey } from '../store/report-key.js';
import type { ReportSpool } from '../store/report-spool.js';
import { ScrollbackStore } from '../store/scrollback-store.js';
import { SidecarStore } from '../store/sidecar-store.js';
import type { StateDir } from '../store/state-dir.js';
import { Tombstones } from '../store/tombstones.js';
import { TransitionLog } from '../store/transition-log.js';
import type { TrustStore } from '../store/trust-store.js';
import { UploadStore } from '../store/upload-store.js';
import { RepositoryQueue } from '../worktree/repository-queue.js';
import { WORKTREE_RECORD_VERSION, type WorktreeRecord, WorktreeRecordSchema } from '../worktree-record.js';
import { SessionActivities } from './activity/session-activities.js';
import { AgentLaunches, type Reporter } from './agents/agent-launches.js';
import { AgentProcesses } from './agents/agent-processes.js';
import { AgentReports } from './agents/agent-reports.js';
import { AgentSources } from './agents/agent-sources.js';
import { ResumeQueue } from './agents/resume-queue.js';
import { trackedAgent } from './agents/tracked-agent.js';
import { Background } from './background.js';
import { FifoPool } from './fifo-pool.js';
import { GitStates } from './git-states.js';
import { Launcher } from './launcher.js';
import { LivenessWatcher } from './liveness-watcher.js';
import { PortBook } from './port-book.js';
import { ProjectList } from './project-list.js';
import { ProjectSetups } from './project-setups.js';
import { RecordKeeper } from './record-keeper.js';
import { SalvageKeeper } from './salvage-keeper.js';
import { SessionChanges } from './session-changes.js';
import type { SessionContext } from './session-context.js';
import { sessionEnvironment } from './session-environment.js';
import { SessionManager } from './session-manager.js';
import { SessionRegistry } from './session-registry.js';
import { SessionUploads } from './session-uploads.js';
import { setupMark, WorktreeKeeper } from './worktree-keeper.js';
import { WorktreeList } from './worktree-list.js';

export interface SessionsParts {
  readonly stateDir: StateDir;
  readonly panes: Panes;
  readonly processes: ProcessTree;
  readonly presets: readonly SpawnPreset[];
  /** What every session's program inherits. */
  readonly baseEnv: Readonly<Record<string, string>>;
  readonly home: string;
  /** The umask of every session's program: that of whoever started the daemon. */
  readonly umask: number;
  readonly replayBytes: number;
  readonly confirmMs: number;
  readonly git: Git;
  readonly agents: AgentsParts;
  readonly worktrees: WorktreesParts;
  readonly projects: Projects;
  readonly clock: Clock;
  readonly log: Log;
  /** Lets a test stop what makes and removes worktrees in the middle. */
  readonly wrapWorktrees?: (keeper: WorktreeKeeper) => WorktreeKeeper;
  /** The stores, where a test has its own. */
  readonly stores?: { readonly sidecars?: SidecarStore; readonly scrollbacks?: ScrollbackStore; readonly tombstones?: Tombstones };
}

export interface AgentsParts {
  readonly key: ReportKey;
  readonly spool: ReportSpool;
  readonly reporter: Reporter;
  /** How many programs may be starting at once when many are resumed. */
  readonly startingAtOnce: number;
}

export interface WorktreesParts {
  /** Below which worktrees are made. Absolute. */
  readonly directory: string;
  /** The first and the last port that worktrees may have. */
  readonly ports: { readonly first: number; readonly last: number };
  readonly salvageRetentionMs: number;
  readonly trust: TrustStore;
}

export interface Sessions {
  readonly manager: SessionManager;
  readonly watcher: LivenessWatcher;
  readonly context: SessionContext;
  readonly activities: SessionActivities;
  readonly reports: AgentReports;
  readonly resumes: ResumeQueue;
  readonly catalogue: AgentCatalogue;
  readonly worktrees: WorktreeList;
  readonly changes: SessionChanges;
  readonly uploads: SessionUploads;
  readonly projects: ProjectList;
  readonly gitStates: GitStates;
  readonly sources: AgentSources;
}

/** Puts together what works on sessions. Nothing is read or started yet: recovery comes first. */
export function openSessions(parts: SessionsParts): Sessions {
  const { stateDir, panes, clock, log, replayBytes, baseEnv, umask } = parts;
  const sidecars = parts.stores?.sidecars ?? new SidecarStore({ dir: stateDir });
  const scrollbacks =
    parts.stores?.scrollbacks ??
    new ScrollbackStore({
      dir: stateDir,
      onProblem: ({ id, reason }) => log.warn({ session: id, reason }, 'stored scrollback cannot be used'),
    });
  const fifos = new FifoPool(stateDir.ptyDir);
  const background = new Background(log);
  const registry = new SessionRegistry();
  const keeper = new RecordKeeper({ sidecars, panes, log });
  const transitions = new TransitionLog(stateDir);
  const versions = new AgentVersions({ env: baseEnv });
  const processes = new AgentProcesses(parts.processes);
  const sources = new AgentSources({
    processes,
    environmentOf: (record) => context.environmentOf(record),
    home: parts.home,
    clock,
    background,
    log,
  });
  const activities: SessionActivities = new SessionActivities({
    registry,
    keeper,
    transitions,
    agentOf: (record) => trackedAgent(context.launches.agentOf(record), record.command),
    follow: (record, running) => sources.follow(record, running),
    background,
    clock,
    log,
  });
  const launcher = new Launcher({
    panes,
    stateDir,
    fifos,
    clock,
    activities,
    setupOf: (record) => paneSetup(context.worktrees.find(record.id)),
    umask,
    replayBytes,
    onResize: (id, size) => manager.noteSize(id, size),
    onQuiet: () => context.poll(),
  });
  const context: SessionContext = {
    registry,
    keeper,
    activities,
    transitions,
    launches: new AgentLaunches({
      presets: parts.presets,
      reporter: parts.agents.reporter,
      directory: stateDir.agents,
      versions,
      home: parts.home,
      environmentOf: (record) => context.environmentOf(record),
      log,
    }),
    sidecars,
    scrollbacks,
    uploads: new UploadStore({ dir: stateDir }),
    tombstones: parts.stores?.tombstones ?? new Tombstones({ dir: stateDir }),
    panes,
    processes: parts.processes,
    launcher,
    fifos,
    ...openWorktrees(parts),
    stateDir,
    presets: parts.presets,
    path: baseEnv.PATH ?? '',
    home: parts.home,
    umask,
    environmentOf: (record) =>
      sessionEnvironment(
        { baseEnv, socket: stateDir.socket, reportTokenFor: (id, run) => parts.agents.key.tokenFor(id, run) },
        record,
        context.worktrees.find(record.id),
      ),
    confirmMs: parts.confirmMs,
    replayBytes,
    tmuxLoss: { at: undefined },
    poll: () => background.start(() => watcher.poll()),
    background,
    clock,
    log,
  };
  const manager = new SessionManager(context);
  const watcher = new LivenessWatcher(context);
  const { key, spool, startingAtOnce: slots } = parts.agents;
  return {
    manager,
    activities,
    reports: new AgentReports({ context, activities, key, spool, processes }),
    resumes: new ResumeQueue({
      registry,
      resume: (id) => manager.resume(id),
      started: (id) => activities.started(id),
      slots,
      log,
    }),
    catalogue: new AgentCatalogue({ presets: parts.presets, path: baseEnv.PATH ?? '', versions }),
    watcher,
    context,
    worktrees: new WorktreeList(context),
    changes: new SessionChanges(context),
    uploads: new SessionUploads(context),
    projects: new ProjectList(context, parts.projects),
    gitStates: new GitStates(context),
    sources,
  };
}

/** What makes and keeps worktrees, and what is saved of them. */
function openWorktrees({ git, stateDir, worktrees: options, home, clock, log, wrapWorktrees }: SessionsParts) {
  const { directory, ports, salvageRetentionMs, trust } = options;
  const keeper = new WorktreeKeeper({
    git,
    queue: new RepositoryQueue(),
    records: new RecordStore({ directory: stateDir.worktreeRecords, schema: WorktreeRecordSchema, version: WORKTREE_RECORD_VERSION }),
    directory,
    clock,
    onSalvaged: (record, salvage) => salvages.keep(record, salvage),
  });
  const worktrees = wrapWorktrees?.(keeper) ?? keeper;
  const salvages = new SalvageKeeper({
    git,
    records: new RecordStore({ directory: stateDir.salvages, schema: SalvageRecordSchema, version: SALVAGE_RECORD_VERSION }),
    worktrees,
    home,
    clock,
    log,
    retentionMs: salvageRetentionMs,
  });
  const taken = () =>
    worktrees.list().flatMap(({ port, ports: count }) => (port === undefined ? [] : [{ start: port, count: count ?? 1 }]));
  return {
    git,
    worktrees,
    salvages,
    projectSetups: new ProjectSetups({ git, trust, home, clock }),
    ports: new PortBook({ range: ports, taken }),
  };
}

/** The set-up of a worktree, until it has succeeded once. */
function paneSetup(worktree: WorktreeRecord | undefined): PaneSetup | undefined {
  const script = worktree?.setup?.setup;
  const done = worktree && setupMark(worktree);
  return script === undefined || done === undefined ? undefined : { script, done };
}
