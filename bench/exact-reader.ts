import type { Payload } from './payload.js';
import type { Viewer } from './viewer.js';

/** What brings a terminal into the modes in force, ahead of a replay, and what paints its screen anew begin with a control sequence. */
const ESC = 0x1b;

/** Checks what comes against what was printed, at no more than the cost of a comparison of memory. */
export class ExactReader {
  mismatches = 0;
  /** Resolves when the position of the first byte is known. */
  readonly attached: Promise<void>;
  readonly #viewer: Viewer;
  readonly #payload: Payload;
  #origin: number | undefined;
  #at = 0;
  #mayBePreamble = false;

  /** From the next byte on, or from the position at which the viewer is attached, the bytes are `payload`, over and over. */
  constructor(viewer: Viewer, payload: Payload) {
    this.#viewer = viewer;
    this.#payload = payload;
    this.#origin = viewer.offset;
    this.attached = new Promise((resolve) => {
      if (this.#origin !== undefined) resolve();
      viewer.onPosition = (offset) => {
        this.#origin ??= offset;
        this.#at = offset - this.#origin;
        this.#mayBePreamble = true;
        resolve();
      };
    });
  }

  /** Resolves once the next `count` bytes of the stream have come or, in a gap, were passed over, and says when that was. */
  takes(count: number): Promise<number> {
    const end = this.#at + count;
    return new Promise((resolve) => {
      this.#viewer.onOutput = (bytes) => {
        this.#take(bytes);
        if (this.#at >= end) resolve(performance.now());
      };
    });
  }

  #take(bytes: Buffer): void {
    const isExact = this.#compare(bytes);
    const isPreamble = this.#mayBePreamble && bytes[0] === ESC;
    this.#mayBePreamble = false;
    if (!isExact && !isPreamble) this.mismatches += 1;
  }

  #compare(bytes: Buffer): boolean {
    const whole = this.#payload.bytes;
    let isExact = true;
    for (let from = 0; from < bytes.length; ) {
      const at = this.#at % whole.length;
      const length = Math.min(bytes.length - from, whole.length - at);
      isExact &&= bytes.compare(whole, at, at + length, from, from + length) === 0;
      this.#at += length;
      from += length;
    }
    return isExact;
  }
}
