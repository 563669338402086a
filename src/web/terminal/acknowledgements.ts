import type { Position } from '../../protocol/index.js';

/** Output is acknowledged each time that this much of it has been shown, in bytes. */
const EVERY = 32 * 1024;

/** Tells now and then how far the output has been shown, so that the daemon sends no more than can be. */
export class Acknowledgements {
  readonly #tell: (position: Position) => void;
  #last: Position | undefined;

  constructor(tell: (position: Position) => void) {
    this.#tell = tell;
  }

  shown(position: Position): void {
    if (this.#last?.epoch === position.epoch && Math.abs(position.offset - this.#last.offset) < EVERY) return;
    this.#last = position;
    this.#tell(position);
  }
}
