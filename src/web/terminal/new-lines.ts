import type { IMarker, Terminal } from '@xterm/xterm';

/** What is below the last line in view. */
export interface LinesBelow {
  readonly all: number;
  /** Printed since the user scrolled away from the end. */
  readonly fresh: number;
}

export const AT_END: LinesBelow = { all: 0, fresh: 0 };

/** Counts the lines that come while the user looks at older ones. */
export class NewLines {
  readonly #terminal: Terminal;
  /** The line of the cursor when the user scrolled away; it moves along when the oldest lines go. */
  #left: IMarker | undefined;
  #below = AT_END;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Whether there is something else to tell than at the last look. */
  look(): LinesBelow | undefined {
    const below = this.#now();
    if (below.all === this.#below.all && below.fresh === this.#below.fresh) return undefined;
    this.#below = below;
    return below;
  }

  #now(): LinesBelow {
    const { baseY, viewportY, cursorY } = this.#terminal.buffer.active;
    const all = baseY - viewportY;
    if (all === 0) {
      this.#left?.dispose();
      this.#left = undefined;
      return AT_END;
    }
    this.#left ??= this.#terminal.registerMarker(0);
    // A line that is gone was left behind longer ago than lines are kept.
    const fresh = this.#left === undefined || this.#left.isDisposed ? all : baseY + cursorY - this.#left.line;
    return { all, fresh: Math.max(0, fresh) };
  }
}
