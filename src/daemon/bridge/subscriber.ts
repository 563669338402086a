import type { Position } from '../../protocol/index.js';
import type { CleanStart } from './checkpoints.js';
import type { StreamLog } from './stream-log.js';

/** Why a subscription ended: the program's output is over, or the daemon lets go of a session that lives on. */
export type EndReason = 'sealed' | 'closed';

/**
 * Where a subscriber's bytes go. Its methods must not throw.
 *
 * The rule of positions: the offset of a position counts the bytes of the epoch's stream ahead of it, restored ones included. After
 * `attached` and after each `gap`, every byte written moves the position on by one. A replay that starts at offset `n` behind a preamble
 * of `p` bytes is announced at `n - p`, so that the count is right once the preamble is through; such a position, and those inside a
 * preamble, are older than any that the daemon continues from, and lead to a gap again.
 */
export interface Sink {
  /** First call, before `subscribe` returns: the position of the first byte to be written. */
  attached(position: Position): void;
  /** The bytes before cannot be continued. A fresh replay follows, for a reset terminal, and starts at `position`. */
  gap(position: Position): void;
  /** Takes the chunk, which is the sink's to keep but not to change. False: no more until {@link Subscription.drained}. */
  write(chunk: Buffer): boolean;
  /** Last call. All bytes there are have been written if the sink was not full. */
  end(reason: EndReason): void;
}

export interface SubscribeOptions {
  /** Go on behind this position. Without it, or where that cannot be done, there is a fresh replay. */
  readonly after?: Position | undefined;
  readonly sink: Sink;
}

export interface Subscription {
  /** The sink can take more. */
  drained(): void;
  /** A gap and a fresh replay. */
  resync(): void;
  /** No more calls to the sink, {@link Sink.end} included. Idempotent. */
  close(): void;
}

export interface Stream {
  readonly epoch: number;
  readonly log: StreamLog;
}

interface SubscriberParts {
  readonly sink: Sink;
  /** A copy of the next bytes from an offset on. */
  readonly read: (log: StreamLog, from: number) => Buffer;
  readonly onEnd: () => void;
  /** It has been given a replay, up to the end of the stream, that does not reach back to where the program started. */
  readonly onPartial: () => void;
}

/** One viewer's place in a stream. It holds no bytes, only the offset of the next. */
export class Subscriber implements Subscription {
  readonly #parts: SubscriberParts;
  #stream: Stream;
  /** Undefined while a fresh replay is due. */
  #offset: number | undefined;
  /** What it shows may lack what was drawn before its replay starts: a repaint is yet to be asked for, or to come. */
  #lacks: 'nothing' | 'unasked' | 'asked' = 'nothing';
  #isFull = false;
  #isPumping = false;
  #isOver = false;
  #ending: EndReason | undefined;

  constructor(stream: Stream, parts: SubscriberParts) {
    this.#stream = stream;
    this.#parts = parts;
  }

  attach(after: Position | undefined): void {
    const { epoch, log } = this.#stream;
    if (after !== undefined && after.epoch === epoch && log.canContinue(after.offset)) {
      this.#offset = after.offset;
      this.#parts.sink.attached({ epoch, offset: after.offset });
    } else {
      const start = log.cleanStart();
      // Without a clean start nothing is written before a gap tells a true position; this one can never be continued from.
      this.#parts.sink.attached({ epoch, offset: start === undefined ? log.start - 1 : start.offset - start.preamble.length });
      if (after === undefined && start !== undefined) this.#begin(start);
    }
    this.pump();
  }

  pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    while (!this.#isFull && !this.#isOver && this.#advance());
    this.#isPumping = false;
    if (this.#ending !== undefined && !this.#isFull) this.#finish(this.#ending);
  }

  drained(): void {
    this.#isFull = false;
    this.pump();
  }

  resync(): void {
    this.#offset = undefined;
    this.pump();
  }

  moveTo(stream: Stream): void {
    this.#stream = stream;
    this.resync();
  }

  /** True from when a repaint was asked for until it comes. */
  get awaitsRepaint(): boolean {
    return this.#lacks === 'asked';
  }

  /** `bytes` make a reset terminal show what the program's does at the end of the stream. A full sink asks again once it has caught up. */
  repaint(bytes: Buffer, offset: number): void {
    if (!this.awaitsRepaint || this.#isOver) return;
    const { epoch, log } = this.#stream;
    this.#lacks = this.#isFull ? 'unasked' : 'nothing';
    if (this.#isFull) return;
    this.#offset = log.end;
    this.#parts.sink.gap({ epoch, offset });
    this.#write(bytes);
  }

  end(reason: EndReason): void {
    if (reason === 'closed') this.#finish(reason);
    else {
      this.#ending = reason;
      this.pump();
    }
  }

  close(): void {
    this.#isOver = true;
    this.#parts.onEnd();
  }

  /** Writes what comes next. False when there is nothing to write yet. */
  #advance(): boolean {
    const { epoch, log } = this.#stream;
    if (this.#offset !== undefined && this.#offset < log.start) this.#offset = undefined; // the ring has passed it
    if (this.#offset === undefined) {
      const start = log.cleanStart();
      if (start === undefined) return false;
      this.#parts.sink.gap({ epoch, offset: start.offset - start.preamble.length });
      this.#begin(start);
      return true;
    }
    if (this.#offset === log.end) {
      this.#askForRepaint();
      return false;
    }
    const chunk = this.#parts.read(log, this.#offset);
    this.#offset += chunk.length;
    this.#write(chunk);
    return true;
  }

  #begin(start: CleanStart): void {
    this.#offset = start.offset;
    this.#lacks = this.#stream.log.isWhole(start.offset) ? 'nothing' : 'unasked';
    if (start.preamble.length > 0) this.#write(start.preamble);
  }

  #askForRepaint(): void {
    if (this.#lacks !== 'unasked') return;
    this.#lacks = 'asked';
    this.#parts.onPartial();
  }

  #write(chunk: Buffer): void {
    this.#isFull = !this.#parts.sink.write(chunk);
  }

  #finish(reason: EndReason): void {
    if (this.#isOver) return;
    this.close();
    this.#parts.sink.end(reason);
  }
}
