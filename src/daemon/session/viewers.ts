import { SIZE_LIMITS, type Size } from '../../protocol/index.js';

/** One who looks at a session. */
export interface Viewer {
  /** Called when the pane has another size, or when another viewer owns it now. */
  resized(size: Size, owner: boolean): void;
}

interface Seat {
  size: Size | undefined;
  visible: boolean;
  /** The turn in which this viewer was last in use; 0 for never. */
  usedAt: number;
}

/** Brings a viewer's size into the limits. A size that is no size at all is undefined. */
export function clampSize(cols: number, rows: number): Size | undefined {
  if (!Number.isFinite(cols) || !Number.isFinite(rows) || cols < 1 || rows < 1) return undefined;
  const { minCols, maxCols, minRows, maxRows } = SIZE_LIMITS;
  return {
    cols: Math.min(maxCols, Math.max(minCols, Math.floor(cols))),
    rows: Math.min(maxRows, Math.max(minRows, Math.floor(rows))),
  };
}

/** Decides whose size a pane has: that of the visible viewer last in use. With none, the pane keeps the size it has. */
export class Viewers {
  readonly #seats = new Map<Viewer, Seat>();
  readonly #resize: (size: Size) => void;
  #size: Size;
  #owner: Viewer | undefined;
  #turn = 0;

  /** `resize` is called with each new size, once per change. */
  constructor(size: Size, resize: (size: Size) => void) {
    this.#size = size;
    this.#resize = resize;
  }

  get size(): Size {
    return this.#size;
  }

  add(viewer: Viewer): void {
    this.#seats.set(viewer, { size: undefined, visible: true, usedAt: 0 });
  }

  remove(viewer: Viewer): void {
    this.#seats.delete(viewer);
    this.#settle();
  }

  /** The viewer's window has this size; it counts as being in use. */
  resized(viewer: Viewer, size: Size): void {
    const seat = this.#seats.get(viewer);
    if (!seat) return;
    seat.size = size;
    this.used(viewer);
  }

  /** The viewer typed, or came to the front. */
  used(viewer: Viewer): void {
    const seat = this.#seats.get(viewer);
    if (!seat) return;
    seat.usedAt = ++this.#turn;
    this.#settle();
  }

  visible(viewer: Viewer, visible: boolean): void {
    const seat = this.#seats.get(viewer);
    if (!seat || seat.visible === visible) return;
    seat.visible = visible;
    if (visible) this.used(viewer);
    else this.#settle();
  }

  /** The size was set without a viewer; it holds until a viewer is next in use. */
  set(size: Size): void {
    this.#apply(size, undefined);
  }

  #settle(): void {
    let owner: Viewer | undefined;
    let best: Seat | undefined;
    for (const [viewer, seat] of this.#seats) {
      if (!seat.visible || seat.size === undefined || seat.usedAt <= (best?.usedAt ?? 0)) continue;
      owner = viewer;
      best = seat;
    }
    if (best?.size) this.#apply(best.size, owner);
    else this.#owner = undefined;
  }

  #apply(size: Size, owner: Viewer | undefined): void {
    const sameSize = size.cols === this.#size.cols && size.rows === this.#size.rows;
    if (sameSize && owner === this.#owner) return;
    this.#size = size;
    this.#owner = owner;
    if (!sameSize) this.#resize(size);
    for (const viewer of this.#seats.keys()) viewer.resized(size, viewer === owner);
  }
}
