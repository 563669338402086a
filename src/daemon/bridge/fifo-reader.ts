import { closeSync, constants, openSync } from 'node:fs';
import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net';

/** As much as a pipe holds, so one read empties it. */
export const READ_BYTES = 64 * 1024;

/**
 * All readers read into this buffer: libuv fills it and calls back in one step, so no two uses overlap. With a buffer for each, a hundred
 * idle sessions would hold 6 MiB.
 */
const SHARED_BUFFER = Buffer.allocUnsafeSlow(READ_BYTES);

export interface FifoReaderOptions {
  /** `bytes` is overwritten by the next read of any fifo, so what is kept must be copied before this returns. */
  readonly onData: (bytes: Buffer) => void;
  /** Nothing more will come: all writers are gone, or reading failed. Not called after {@link FifoReader.close}. */
  readonly onEnd: (error?: Error) => void;
}

/**
 * Reads a fifo through the event loop's own polling. An `fs` stream would block one of the four threads of the pool for each idle fifo.
 *
 * Nothing is read before {@link start}; what a writer wrote waits in the pipe. Without a writer so far there is no end either.
 */
export class FifoReader {
  readonly #options: FifoReaderOptions;
  #fd: number | undefined;
  #socket: Socket | undefined;

  /** Throws the system's error when `path` cannot be opened. A writer's open does not block from here on. */
  constructor(path: string, options: FifoReaderOptions) {
    this.#fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    this.#options = options;
  }

  get isStarted(): boolean {
    return this.#socket !== undefined;
  }

  start(): void {
    const fd = this.#fd;
    if (fd === undefined) return;
    this.#fd = undefined;
    const { onData, onEnd } = this.#options;
    const options: SocketConstructorOpts & { onread: OnReadOpts } = {
      fd,
      readable: true,
      writable: false,
      onread: {
        buffer: SHARED_BUFFER,
        callback: (length) => {
          onData(SHARED_BUFFER.subarray(0, length));
          return true;
        },
      },
    };
    const socket = new Socket(options);
    this.#socket = socket;
    let error: Error | undefined;
    socket.on('error', (reason) => {
      error = reason;
    });
    socket.on('close', () => {
      if (this.#socket === socket) onEnd(error);
    });
  }

  /** Resolves when the descriptor is closed. Idempotent. */
  async close(): Promise<void> {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
    const socket = this.#socket;
    this.#socket = undefined;
    if (socket === undefined || socket.closed) return;
    await new Promise<void>((resolve) => {
      socket.once('close', () => resolve());
      socket.destroy();
    });
  }
}
