import type { Size } from '../../protocol/index.js';
import { PtyBridge } from '../bridge/pty-bridge.js';
import { seedFrom } from '../bridge/snapshot-seed.js';
import { restoredBytes } from '../bridge/stored-scrollback.js';
import type { Clock } from '../clock.js';
import type { PaneInfo, PaneSetup, Panes } from '../panes/panes.js';
import type { StoredScrollback } from '../store/scrollback-store.js';
import type { Sidecar } from '../store/sidecar.js';
import type { StateDir } from '../store/state-dir.js';
import type { SessionActivities } from './activity/session-activities.js';
import type { Launch } from './agents/agent-launches.js';
import { type FifoPool, removeFifo } from './fifo-pool.js';
import { LiveSession } from './live-session.js';

interface LauncherParts {
  readonly panes: Panes;
  readonly stateDir: StateDir;
  readonly fifos: FifoPool;
  readonly clock: Clock;
  readonly activities: SessionActivities;
  /** What is to run in a session's pane before its program. */
  readonly setupOf: (record: Sidecar) => PaneSetup | undefined;
  /** The umask of every session's program. */
  readonly umask: number;
  readonly replayBytes: number;
  readonly onResize: (id: string, size: Size) => void;
  /** A program has probably ended: its last byte has passed, or nothing writes its fifo any more. */
  readonly onQuiet: () => void;
}

/** Brings a session to life: in a new pane, or by taking over the one it still has. */
export class Launcher {
  readonly #parts: LauncherParts;

  constructor(parts: LauncherParts) {
    this.#parts = parts;
  }

  /**
   * Starts `launch` for `record` under its run and epoch, with the bytes of former lives ahead of its own. The fifo is open for
   * reading before the pane exists, so the first byte is in the stream. Nothing is left behind when it fails.
   */
  async start(record: Sidecar, launch: Launch, stored?: StoredScrollback): Promise<LiveSession> {
    const { panes, replayBytes } = this.#parts;
    const restored = stored && restoredBytes(stored, replayBytes);
    return this.#bridged(record, { restored, awaitSeed: false, rows: record.size.rows }, async (fifo) => {
      return panes.newSessionPiped({
        sessionId: record.id,
        cwd: record.cwd,
        command: launch.command,
        setup: this.#parts.setupOf(record),
        env: launch.env,
        size: record.size,
        umask: this.#parts.umask,
        run: record.run,
        record: JSON.stringify(record),
        fifo,
      });
    });
  }

  /** Takes over a live pane under the epoch of `record`: former lives from the file, this one from what tmux still shows. */
  async adopt(record: Sidecar, info: PaneInfo, stored?: StoredScrollback): Promise<LiveSession> {
    const { panes, replayBytes } = this.#parts;
    const ofThisLife = stored?.run === record.run ? stored.current : undefined;
    const restored = stored && restoredBytes(ofThisLife ? { ...stored, current: Buffer.alloc(0) } : stored, replayBytes);
    return this.#bridged(record, { restored, awaitSeed: true, size: info.size }, async (fifo, bridge) => {
      const snapshot = await panes.adopt(info, fifo);
      bridge.seed(seedFrom(snapshot, ofThisLife));
      return info;
    });
  }

  async #bridged(
    record: Sidecar,
    options: { restored: Buffer | undefined; awaitSeed: boolean; rows?: number; size?: Size },
    arm: (fifo: string, bridge: PtyBridge) => Promise<LiveSession['pane']>,
  ): Promise<LiveSession> {
    const { fifos, stateDir, panes, clock, activities, onResize, onQuiet } = this.#parts;
    // Before the pane, as a program may tell something with its first bytes.
    const tracker = await activities.begin(record, { isAdopted: options.awaitSeed });
    const fifo = stateDir.fifo(record.id, record.epoch);
    await fifos.make(fifo);
    const bridge = PtyBridge.open({
      fifo,
      epoch: record.epoch,
      run: record.run,
      sessionId: record.id,
      capacity: this.#parts.replayBytes,
      awaitSeed: options.awaitSeed,
      rows: options.rows,
      onProgramEvent: (event) => tracker.tell(event),
      ...(options.restored === undefined ? {} : { restored: options.restored }),
    });
    try {
      const pane = await arm(fifo, bridge);
      const { id } = record;
      tracker.listenTo(bridge);
      activities.running(record, tracker, pane);
      const size = options.size ?? record.size;
      return new LiveSession({
        panes,
        pane,
        bridge,
        fifo,
        size,
        since: clock.monotonic(),
        onResize: (next) => onResize(id, next),
        onQuiet,
      });
    } catch (error) {
      activities.end(record.id, tracker);
      await bridge[Symbol.asyncDispose]();
      await removeFifo(fifo);
      throw error;
    }
  }
}
