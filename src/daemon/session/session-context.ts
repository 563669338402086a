import type { SpawnPreset } from '../../protocol/index.js';
import type { Clock } from '../clock.js';
import type { Git } from '../git.js';
import type { Log } from '../log.js';
import type { Panes } from '../panes/panes.js';
import type { ProcessTree } from '../panes/process-tree.js';
import type { ScrollbackStore } from '../store/scrollback-store.js';
import type { Sidecar } from '../store/sidecar.js';
import type { SidecarStore } from '../store/sidecar-store.js';
import type { StateDir } from '../store/state-dir.js';
import type { Tombstones } from '../store/tombstones.js';
import type { TransitionLog } from '../store/transition-log.js';
import type { UploadStore } from '../store/upload-store.js';
import type { SessionActivities } from './activity/session-activities.js';
import type { AgentLaunches } from './agents/agent-launches.js';
import type { Background } from './background.js';
import type { FifoPool } from './fifo-pool.js';
import type { Launcher } from './launcher.js';
import type { PortBook } from './port-book.js';
import type { ProjectSetups } from './project-setups.js';
import type { RecordKeeper } from './record-keeper.js';
import type { SalvageKeeper } from './salvage-keeper.js';
import type { SessionRegistry } from './session-registry.js';
import type { WorktreeKeeper } from './worktree-keeper.js';

/** What the operations on sessions work with. */
export interface SessionContext {
  readonly registry: SessionRegistry;
  readonly keeper: RecordKeeper;
  readonly sidecars: SidecarStore;
  readonly scrollbacks: ScrollbackStore;
  readonly tombstones: Tombstones;
  readonly panes: Panes;
  readonly processes: ProcessTree;
  readonly launcher: Launcher;
  readonly launches: AgentLaunches;
  readonly activities: SessionActivities;
  readonly transitions: TransitionLog;
  readonly uploads: UploadStore;
  readonly fifos: FifoPool;
  readonly worktrees: WorktreeKeeper;
  readonly salvages: SalvageKeeper;
  readonly projectSetups: ProjectSetups;
  readonly ports: PortBook;
  readonly git: Git;
  readonly stateDir: StateDir;
  readonly presets: readonly SpawnPreset[];
  /** Where programs are looked for: the PATH that sessions get. */
  readonly path: string;
  readonly home: string;
  /** The whole environment of a session's program. */
  readonly environmentOf: (record: Sidecar) => Record<string, string>;
  /** The umask of whoever started the daemon: that of programs, and of what is made for them. */
  readonly umask: number;
  /** A resumed program that fails within this time has not come back. */
  readonly confirmMs: number;
  /** The budget of a scrollback file, its header included. */
  readonly replayBytes: number;
  /** When tmux's server was last seen to be gone, in milliseconds since 1970. */
  readonly tmuxLoss: { at: number | undefined };
  /** Asks tmux soon whether programs have ended. */
  readonly poll: () => void;
  readonly background: Background;
  readonly clock: Clock;
  readonly log: Log;
}
