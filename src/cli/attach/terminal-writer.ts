import { write } from 'node:fs';

export interface TerminalWriterOptions {
  readonly fd: number;
  /** Called with each piece when it is handed to the terminal. */
  onWrite(piece: Buffer): void;
  /** As much waits as may; called once until it has drained. */
  onFull(): void;
  onDrained(): void;
}

/** One write: small, so that a slow terminal soon has the last of it. */
const PIECE = 16 * 1024;
const FULL = 256 * 1024;
const DRAINED = 64 * 1024;
/** A descriptor that another program made non-blocking is tried again. */
const AGAIN_MS = 5;

/**
 * Writes to a terminal that may be slow, or stopped, without standing still meanwhile: Node's own stream for a terminal blocks the whole
 * process, keys and signals included.
 */
export class TerminalWriter {
  readonly #options: TerminalWriterOptions;
  #queue: Buffer[] = [];
  #queued = 0;
  #isWriting = false;
  #isFull = false;
  #onIdle: (() => void)[] = [];

  constructor(options: TerminalWriterOptions) {
    this.#options = options;
  }

  write(data: Uint8Array | string): void {
    const bytes = typeof data === 'string' ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    for (let at = 0; at < bytes.length; at += PIECE) this.#queue.push(bytes.subarray(at, at + PIECE));
    this.#queued += bytes.length;
    if (!this.#isFull && this.#queued > FULL) {
      this.#isFull = true;
      this.#options.onFull();
    }
    this.#advance();
  }

  /** Forgets what was not handed to the terminal yet. */
  discard(): void {
    this.#queue = [];
    this.#queued = 0;
  }

  /** Resolves when all is written, at the latest after `withinMs`. */
  settled(withinMs: number): Promise<void> {
    if (!this.#isWriting) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.#onIdle.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #advance(): void {
    if (this.#isWriting) return;
    const piece = this.#queue.shift();
    if (piece === undefined) {
      for (const idle of this.#onIdle.splice(0)) idle();
      return;
    }
    this.#isWriting = true;
    this.#options.onWrite(piece);
    this.#put(piece, piece.length);
  }

  #put(piece: Buffer, whole: number): void {
    write(this.#options.fd, piece, (error, written) => {
      if (error?.code === 'EAGAIN') setTimeout(() => this.#put(piece, whole), AGAIN_MS);
      else if (!error && written < piece.length) this.#put(piece.subarray(written), whole);
      else this.#done(whole); // after any other error the terminal is gone, which its end on standard input tells
    });
  }

  #done(length: number): void {
    this.#isWriting = false;
    this.#queued = Math.max(0, this.#queued - length);
    if (this.#isFull && this.#queued <= DRAINED) {
      this.#isFull = false;
      this.#options.onDrained();
    }
    this.#advance();
  }
}
