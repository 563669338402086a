import { setTimeout as delay } from 'node:timers/promises';
import type { PtyBridge } from '../bridge/pty-bridge.js';
import { repaintFrom } from '../bridge/snapshot-seed.js';
import { cleanTail } from '../bridge/stored-scrollback.js';
import { HISTORY_LINES, type Pane, type Panes } from '../panes/panes.js';
import type { Viewers } from './viewers.js';

/** Nothing came for so long, before tmux is asked and behind its answer: then no byte was on its way. Spinners draw ten times a second. */
const REST_MS = 25;
/** How often it is looked whether the program rests, in the end. */
const LONGEST_PAUSE_MS = 250;
/** How long to wait for a program that never rests. Most of these draw all of their screen anew in that time. */
const PATIENCE_MS = 30_000;
const MOST_LOOKS = 5;
const BYTES_A_LINE = 128;

interface RepainterParts {
  readonly panes: Panes;
  readonly pane: Pane;
  readonly bridge: PtyBridge;
  readonly viewers: Viewers;
}

/**
 * Shows viewers what tmux does, where their replay does not reach back to the start of the program, or spans a change of the size: what it
 * drew before and never since is not in the replay, or looks different there. Only for these viewers, and only once the program rests;
 * viewers that wait at the same time share one look.
 */
export class Repainter {
  readonly #parts: RepainterParts;
  #isAtWork = false;
  #history = HISTORY_LINES;

  constructor(parts: RepainterParts) {
    this.#parts = parts;
  }

  /** Does nothing while it is at work. Never rejects. */
  async repaint(): Promise<void> {
    if (this.#isAtWork) return;
    this.#isAtWork = true;
    this.#history = Math.min(HISTORY_LINES, Math.floor(this.#parts.bridge.capacity / BYTES_A_LINE));
    const end = performance.now() + PATIENCE_MS;
    try {
      for (let looks = 0; looks < MOST_LOOKS && (await this.#rests(end)); looks++) if (await this.#look()) return;
    } catch {
      // tmux cannot be asked, or the program is ending: viewers keep their replay.
    } finally {
      this.#isAtWork = false;
    }
  }

  /** Waits until the program rests. False when nobody needs that any more, or it takes too long. */
  async #rests(end: number): Promise<boolean> {
    const { bridge } = this.#parts;
    for (let pauseMs = REST_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      if (!bridge.awaitsRepaint || performance.now() > end) return false;
      if (bridge.isIdle && performance.now() - (bridge.lastByteAt ?? 0) >= REST_MS) return true;
      await delay(pauseMs, undefined, { ref: false });
    }
  }

  /** True when the viewers have got their repaint, or cannot. */
  async #look(): Promise<boolean> {
    const { panes, pane, bridge, viewers } = this.#parts;
    const { received, position } = bridge;
    const snapshot = await panes.look(pane, this.#history);
    await delay(REST_MS, undefined, { ref: false });
    const { cols, rows } = viewers.size;
    if (snapshot.size.cols !== cols || snapshot.size.rows !== rows || bridge.position.epoch !== position.epoch) return false;
    const {
      capacity,
      position: { offset },
    } = bridge;
    const screen = repaintFrom(snapshot, bridge.modes);
    const room = Math.min(capacity, offset) - screen.length;
    // What former lives printed is above, which tmux cannot tell.
    const bytes = room <= 0 ? screen : Buffer.concat([cleanTail(bridge.stored(capacity).former, room), screen]);
    // Its bytes have positions like all others, so there can be no more than came before.
    if (bytes.length <= Math.min(capacity, offset)) return bridge.repaint(bytes, received);
    if (this.#history === 1) return bytes.length > offset || bridge.repaint(bytes, received);
    // All that was ever printed is in the replay: better drawn for another size than cut to the screen.
    if (offset <= capacity) return true;
    this.#history = 1;
    return false;
  }
}
