import type { Payload } from './payload.js';
import type { Viewer } from './viewer.js';

/** A replay is led by at most so many bytes that bring a terminal into the modes in force. */
const PREAMBLE_BYTES = 512;

/** Checks what comes against what was printed, at no more than the cost of a comparison of memory. */
export class ExactReader {
  mismatches = 0;
  /** Resolves when the position of the first byte is known. */
  readonly attached: Promise<void>;
  readonly #viewer: Viewer;
  readonly #payload: Payload;
  #at = 0;
  #mayBePreamble = false;

  /** From the next byte on, or from the position at which the viewer is attached, the bytes are `payload`, over and over. */
  constructor(viewer: Viewer, payload: Payload) {
    this.#viewer = viewer;
    this.#payload = payload;
    this.attached = new Promise((resolve) => {
      let origin: number | undefined;
      viewer.onPosition = (offset) => {
        origin ??= offset;
        this.#at = offset - origin;
        this.#mayBePreamble = true;
        resolve();
      };
    });
  }

  /** Resolves once `count` bytes have come, and says when that was. */
  takes(count: number): Promise<number> {
    let left = count;
    return new Promise((resolve) => {
      this.#viewer.onOutput = (bytes) => {
        left -= bytes.length;
        this.#take(bytes);
        if (left <= 0) resolve(performance.now());
      };
    });
  }

  #take(bytes: Buffer): void {
    const isExact = this.#compare(bytes);
    const isPreamble = this.#mayBePreamble && bytes.length <= PREAMBLE_BYTES;
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
