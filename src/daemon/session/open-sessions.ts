import type { SpawnPreset } from '../../protocol/index.js';
import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import type { Panes } from '../panes/panes.js';
import type { ProcessTree } from '../panes/process-tree.js';
import { ScrollbackStore } from '../store/scrollback-store.js';
import { SidecarStore } from '../store/sidecar-store.js';
import type { StateDir } from '../store/state-dir.js';
import { Tombstones } from '../store/tombstones.js';
import { Background } from './background.js';
import { FifoPool } from './fifo-pool.js';
import { Launcher } from './launcher.js';
import { LivenessWatcher } from './liveness-watcher.js';
import { RecordKeeper } from './record-keeper.js';
import type { SessionContext } from './session-context.js';
import { SessionManager } from './session-manager.js';
import { SessionRegistry } from './session-registry.js';

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
  readonly clock: Clock;
  readonly log: Log;
  /** The stores, where a test has its own. */
  readonly stores?: { readonly sidecars?: SidecarStore; readonly scrollbacks?: ScrollbackStore; readonly tombstones?: Tombstones };
}

export interface Sessions {
  readonly manager: SessionManager;
  readonly watcher: LivenessWatcher;
  readonly context: SessionContext;
}

/** Puts together what works on sessions. Nothing is read or started yet: recovery comes first. */
export function openSessions(parts: SessionsParts): Sessions {
  const { stateDir, panes, clock, log, replayBytes, baseEnv } = parts;
  const sidecars = parts.stores?.sidecars ?? new SidecarStore({ dir: stateDir });
  const scrollbacks =
    parts.stores?.scrollbacks ??
    new ScrollbackStore({
      dir: stateDir,
      onProblem: ({ id, reason }) => log.warn({ session: id, reason }, 'stored scrollback cannot be used'),
    });
  const fifos = new FifoPool(stateDir.ptyDir);
  const launcher = new Launcher({
    panes,
    stateDir,
    fifos,
    clock,
    baseEnv,
    umask: parts.umask,
    replayBytes,
    onResize: (id, size) => manager.noteSize(id, size),
    onQuiet: () => context.poll(),
  });
  const background = new Background(log);
  const context: SessionContext = {
    registry: new SessionRegistry(),
    keeper: new RecordKeeper({ sidecars, panes, log }),
    sidecars,
    scrollbacks,
    tombstones: parts.stores?.tombstones ?? new Tombstones({ dir: stateDir }),
    panes,
    processes: parts.processes,
    launcher,
    fifos,
    stateDir,
    presets: parts.presets,
    path: baseEnv.PATH ?? '',
    home: parts.home,
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
  return { manager, watcher, context };
}
