import { setTimeout as delay } from 'node:timers/promises';
import { deferred } from '../deferred.js';
import { FifoReader } from './fifo-reader.js';
import { QueryFilter } from './query-filter.js';

/** The program's wrapper has written its last mark; or nothing writes the fifo any more: the pane is gone, or its pipe broke. */
export type PipeEnd = 'mark' | 'eof';

export interface ArmedFifoOptions {
  readonly fifo: string;
  /** Payload of the end mark, see {@link QueryFilter}. */
  readonly endMark: string;
  /** Filtered output, as a view that the next call overwrites. */
  readonly onOutput: (bytes: Buffer) => void;
  /** All output of one read has been handed on; so many bytes it was before filtering. The last call, of 0 bytes, is at the end. */
  readonly onRead: (length: number) => void;
}

/** One arming of a pane's pipe: the bytes of its fifo, filtered. */
export class ArmedFifo {
  readonly #reader: FifoReader;
  readonly #filter: QueryFilter;
  readonly #mark = deferred();
  readonly #eof = deferred();
  readonly #closed = deferred();
  readonly #onRead: (length: number) => void;

  /** Opens the fifo; throws the system's error when that fails. Nothing is read before {@link start}. */
  constructor({ fifo, endMark, onOutput, onRead }: ArmedFifoOptions) {
    this.#onRead = onRead;
    this.#filter = new QueryFilter({ emit: onOutput, endMark, onEndMark: this.#mark.resolve });
    this.#reader = new FifoReader(fifo, {
      onData: (bytes) => {
        this.#filter.push(bytes);
        onRead(bytes.length);
      },
      onEnd: () => this.#finish(),
    });
  }

  /** Resolves with whatever comes first; never when the fifo is closed before. */
  async ended(): Promise<PipeEnd> {
    return Promise.race([this.#mark.promise.then(() => 'mark' as const), this.#eof.promise.then(() => 'eof' as const)]);
  }

  /** True when all that was read has been handed on. */
  get isIdle(): boolean {
    return this.#filter.isIdle;
  }

  /** Idempotent. */
  start(): void {
    this.#reader.start();
  }

  /** Reads on until all writers are gone, for at most `withinMs`, then lets out what the filter holds and closes the fifo. */
  async readToEnd(withinMs: number): Promise<void> {
    this.start();
    const late = new AbortController();
    await Promise.race([
      this.#eof.promise,
      this.#closed.promise,
      delay(withinMs, undefined, { signal: late.signal }).catch(() => undefined),
    ]);
    late.abort();
    this.#finish();
    await this.#reader.close();
  }

  /** Closes the fifo, whatever it still holds. Idempotent. */
  close(): Promise<void> {
    this.#closed.resolve();
    return this.#reader.close();
  }

  #finish(): void {
    this.#filter.end();
    this.#onRead(0);
    this.#eof.resolve();
  }
}
