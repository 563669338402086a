import type { Size } from '../../protocol/index.js';

/** The place on the page where a terminal is shown: a new program is made in the size that it will be shown in. */
export class TerminalRoom {
  #measure: (() => Size | undefined) | undefined;

  /** The size of the terminal that would fill the room; undefined while none is shown. */
  get size(): Size | undefined {
    return this.#measure?.();
  }

  /** A terminal is in the room, until the returned function is called. */
  enter(measure: () => Size | undefined): () => void {
    this.#measure = measure;
    return () => {
      if (this.#measure === measure) this.#measure = undefined;
    };
  }
}
