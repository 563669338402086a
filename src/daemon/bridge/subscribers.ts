import type { StreamLog } from './stream-log.js';
import { type EndReason, type Stream, type SubscribeOptions, Subscriber, type Subscription } from './subscriber.js';

/** Most bytes of one write to a sink. */
const MOST_BYTES_AT_ONCE = 64 * 1024;

/** All who follow one session's stream. Each holds an offset into the ring and no bytes, so a slow one costs nothing and slows nobody. */
export class Subscribers {
  readonly #members = new Set<Subscriber>();
  #stream: Stream;
  /** What was read last in the pump under way: subscribers that keep up all get the same copy. */
  #lastRead: { from: number; to: number; bytes: Buffer } | undefined;
  #isPumping = false;

  constructor(stream: Stream) {
    this.#stream = stream;
  }

  get count(): number {
    return this.#members.size;
  }

  subscribe({ after, sink }: SubscribeOptions): Subscription {
    const subscriber = new Subscriber(this.#stream, {
      sink,
      read: (log, from) => this.#read(log, from),
      onEnd: () => this.#members.delete(subscriber),
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
