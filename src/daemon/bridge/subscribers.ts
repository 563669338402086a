import type { StreamLog } from './stream-log.js';
import { type EndReason, type Stream, type SubscribeOptions, Subscriber, type Subscription } from './subscriber.js';

/** Most bytes of one write to a sink. */
export const MOST_BYTES_AT_ONCE = 64 * 1024;

/** All who follow one session's stream. Each holds an offset into the ring and no bytes, so a slow one costs nothing and slows nobody. */
export class Subscribers {
  readonly #members = new Set<Subscriber>();
  readonly #onPartial: () => void;
  #stream: Stream;
  /** What was read last in the pump under way: subscribers that keep up all get the same copy. */
  #lastRead: { from: number; to: number; bytes: Buffer } | undefined;
  #isPumping = false;

  /** `onPartial` is called when one may lack what was drawn before its replay starts: see {@link repaint}. */
  constructor(stream: Stream, onPartial: () => void = () => undefined) {
    this.#stream = stream;
    this.#onPartial = onPartial;
  }

  get count(): number {
    return this.#members.size;
  }

  subscribe({ after, sink }: SubscribeOptions): Subscription {
    const subscriber = new Subscriber(this.#stream, {
      sink,
      read: (log, from) => this.#read(log, from),
      onEnd: () => this.#members.delete(subscriber),
      onPartial: this.#onPartial,
    });
    this.#members.add(subscriber);
    subscriber.attach(after);
    return subscriber;
  }

  /** Hands on what has come in. */
  pump(): void {
    this.#isPumping = true;
    for (const member of this.#members) member.pump();
    this.#isPumping = false;
    this.#lastRead = undefined;
  }

  get awaitRepaint(): boolean {
    return [...this.#members].some((member) => member.awaitsRepaint);
  }

  /**
   * Those who wait for it get a gap, and `bytes` as their replay: they make a reset terminal show what the program's does at the end of
   * the stream.
   */
  repaint(bytes: Buffer): void {
    const offset = this.#stream.log.repaintAt(bytes.length);
    for (const member of this.#members) member.repaint(bytes, offset);
  }

  /** A new epoch: everybody gets a gap and a fresh replay of it. */
  moveTo(stream: Stream): void {
    this.#stream = stream;
    for (const member of this.#members) member.moveTo(stream);
  }

  /** When `sealed`, who is behind gets the rest first. */
  end(reason: EndReason): void {
    for (const member of this.#members) member.end(reason);
  }

  #read(log: StreamLog, from: number): Buffer {
    const to = Math.min(log.end, from + MOST_BYTES_AT_ONCE);
    const last = this.#lastRead;
    if (last !== undefined && last.from === from && last.to === to) return last.bytes;
    const bytes = log.read(from, to - from);
    if (this.#isPumping) this.#lastRead = { from, to, bytes };
    return bytes;
  }
}
