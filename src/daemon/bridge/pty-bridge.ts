import { setTimeout as delay } from 'node:timers/promises';
import { MaestroError, type Position } from '../../protocol/index.js';
import { invariant } from '../invariant.js';
import { ArmedFifo, type PipeEnd } from './armed-fifo.js';
import { READ_BYTES } from './fifo-reader.js';
import { LiveOutput } from './live-output.js';
import { OutputPace } from './output-pace.js';
import { type ProgramEvent, ProgramStatusParser } from './program-status-parser.js';
import { QueryFilter } from './query-filter.js';
import { clearScreen } from './snapshot-seed.js';
import { type StoredScrollback, StreamLog } from './stream-log.js';
import type { EndReason, Stream, SubscribeOptions, Subscription } from './subscriber.js';
import { MOST_BYTES_AT_ONCE, Subscribers } from './subscribers.js';
import { type TerminalModes, usualTabs } from './terminal-modes.js';

const NOTHING: Buffer = Buffer.alloc(0);
/** How long {@link PtyBridge.seal} waits for the end of the fifo, in milliseconds. */
const SEAL_MS = 2_000;

export interface BridgeOptions {
  /** An existing fifo that nothing else reads. Whoever made it removes it. */
  readonly fifo: string;
  readonly epoch: number;
  readonly run: number;
  readonly sessionId: string;
  /** How many bytes of output are kept. */
  readonly capacity: number;
  /** What former lives printed, as `restoredBytes` makes it; goes out ahead of all. */
  readonly restored?: Buffer | undefined;
  /** How tall the screen is that the program finds empty. Without it, what it draws goes below the restored bytes. */
  readonly rows?: number | undefined;
  /** Leave the fifo unread until {@link PtyBridge.seed}. */
  readonly awaitSeed?: boolean | undefined;
  /** What the program says of itself, as it says it: nothing of former lives and of seeds. Its bytes are in the stream by then. */
  readonly onProgramEvent?: ((event: ProgramEvent) => void) | undefined;
}

interface Arming {
  readonly epoch: number;
  readonly fifo: ArmedFifo;
}

/**
 * Reads one session's output from its fifo, takes terminal queries out, keeps the last bytes and hands them to subscribers.
 *
 * It always reads, whoever listens: what is not read would pile up in tmux without limit (T3).
 */
export class PtyBridge implements AsyncDisposable {
  readonly #options: BridgeOptions;
  readonly #subscribers: Subscribers;
  readonly #live = new LiveOutput();
  readonly #pace: OutputPace;
  #stream: Stream;
  #current: Arming;
  /** Armed and open, but not seeded yet. */
  #next: Arming | undefined;
  #sealing: Promise<void> | undefined;
  #over: EndReason | undefined;
  #version = 0;
  #onPartial: () => void = () => undefined;

  /** Opens the fifo. Throws `storage_failed` when that cannot be done. */
  static open(options: BridgeOptions): PtyBridge {
    return new PtyBridge(options);
  }

  private constructor(options: BridgeOptions) {
    this.#options = options;
    // Together with the next read it fits into the ring, which so never passes a subscriber that keeps up.
    const mostGathered = Math.min(MOST_BYTES_AT_ONCE, options.capacity - READ_BYTES);
    this.#pace = new OutputPace(() => this.#subscribers.pump(), mostGathered);
    this.#current = this.#arm(options.fifo, options.epoch);
    this.#stream = this.#newStream(options.epoch, options.restored, options.rows);
    this.#subscribers = new Subscribers(this.#stream, () => this.#onPartial());
    if (options.awaitSeed === true) this.#next = this.#current;
    else this.#current.fifo.start();
  }

  /** The end of the stream (T2). */
  get position(): Position {
    return { epoch: this.#stream.epoch, offset: this.#stream.log.end };
  }

  /** How many bytes are kept. */
  get capacity(): number {
    return this.#options.capacity;
  }

  /** The modes in force at the end of the stream, the title among them. */
  get modes(): TerminalModes {
    return this.#stream.log.modes;
  }

  /** Changes with every byte of output, so that a flush can tell whether there is anything new. */
  get version(): number {
    return this.#version;
  }

  /** How many bytes were read from fifos, before filtering. */
  get received(): number {
    return this.#live.received;
  }

  /** When the last one was read, in milliseconds of `performance.now()`. */
  get lastByteAt(): number | undefined {
    return this.#live.lastByteAt;
  }

  /** The same in milliseconds since 1970. */
  get lastOutputAt(): number | undefined {
    return this.#live.lastOutputAt;
  }

  /** Calls `listener` once, when the next byte has been read. A listener that asks again before that is called once all the same. */
  whenNextOutput(listener: () => void): void {
    this.#live.whenNext(listener);
  }

  /** True between sequences and characters, with nothing held back; so the program's screen is that of the stream's end. */
  get isIdle(): boolean {
    return this.#stream.log.isGround && this.#current.fifo.isIdle && this.#over === undefined;
  }

  /** True while a subscriber may lack what was drawn before its replay starts. */
  get awaitsRepaint(): boolean {
    return this.#subscribers.awaitRepaint;
  }

  /** The pane has another size from here on. */
  resized(): void {
    this.#stream.log.resized();
  }

  /** Calls `listener` when that becomes true of a subscriber, once for each of its replays. */
  whenPartial(listener: () => void): void {
    this.#onPartial = listener;
  }

  /**
   * Shows `bytes`, at most as many as the stream has had so far, to those who wait for it; see {@link Subscribers.repaint}. False, and
   * nothing is done, if more than `received` bytes have been read, so that they are not of the stream's end.
   */
  repaint(bytes: Buffer, received: number): boolean {
    if (this.received !== received || !this.isIdle) return false;
    this.#subscribers.repaint(bytes);
    return true;
  }

  /** How the pipe ends that the stream comes through. Everything that was written before the mark has been handed on when it resolves. */
  get ended(): Promise<PipeEnd> {
    return this.#current.fifo.ended().finally(() => this.#pace.flush());
  }

  /** Resolves when the program's last byte has been read, or after `withinMs`. */
  async drained(withinMs: number): Promise<void> {
    const late = new AbortController();
    await Promise.race([this.ended, delay(withinMs, undefined, { signal: late.signal }).catch(() => undefined)]);
    late.abort();
  }

  /**
   * Opens `fifo` for a pipe that is about to be armed afresh, under a new epoch. The stream stays as it is until {@link seed}; a call that
   * is not followed by one changes nothing but that a later call takes its place. Throws like {@link open}.
   */
  rearm({ fifo, epoch }: Pick<BridgeOptions, 'fifo' | 'epoch'>): void {
    const unseeded = this.#next;
    this.#next = this.#arm(fifo, epoch);
    void unseeded?.fifo.close();
  }

  /**
   * What the pane showed when its pipe was armed; the fifo's bytes follow on it. In a new epoch it takes the place of all that this life
   * put out before, and every subscriber gets a gap and a fresh replay.
   */
  seed(bytes: Buffer): void {
    const next = this.#next;
    invariant(next !== undefined, 'a bridge is seeded once for each arming that waits for it');
    this.#next = undefined;
    if (next === this.#current) {
      this.#append(bytes);
      this.#subscribers.pump();
    } else {
      void this.#current.fifo.close();
      this.#current = next;
      this.#stream = this.#newStream(next.epoch, this.stored(this.#options.capacity).former);
      this.#append(bytes);
      this.#subscribers.moveTo(this.#stream);
    }
    next.fifo.start();
  }

  /** Follows the stream. The sink is called before this returns. */
  subscribe(options: SubscribeOptions): Subscription {
    const subscription = this.#subscribers.subscribe(options);
    if (this.#over !== undefined) this.#subscribers.end(this.#over);
    return subscription;
  }

  /** What is to be stored: the newest output, in at most `budget` bytes (S5). Works after {@link seal} too. */
  stored(budget: number): StoredScrollback {
    return this.#stream.log.stored(budget);
  }

  /**
   * Reads the fifo to its end, which comes once tmux has let go of the pane, and is waited for at most 2 s; then ends the subscriptions,
   * each when it has all. Idempotent.
   */
  seal(): Promise<void> {
    this.#sealing ??= this.#seal();
    return this.#sealing;
  }

  /** Stops reading and ends the subscriptions at once; the session may live on. What is stored stays readable. Idempotent. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#finish('closed');
    await Promise.all([this.#current.fifo.close(), this.#next?.fifo.close()]);
  }

  async #seal(): Promise<void> {
    if (this.#next !== undefined && this.#next !== this.#current) await this.#next.fifo.close();
    await this.#current.fifo.readToEnd(SEAL_MS);
    this.#finish('sealed');
  }

  #finish(reason: EndReason): void {
    this.#over ??= reason;
    this.#pace.flush();
    this.#subscribers.end(reason);
  }

  #arm(path: string, epoch: number): Arming {
    const { run, sessionId } = this.#options;
    try {
      const fifo = new ArmedFifo({
        fifo: path,
        endMark: `maestro-end;${run};${sessionId}`,
        onOutput: this.#outputOf(),
        onRead: (length) => this.#read(length),
      });
      return { epoch, fifo };
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const message = `The output of session ${sessionId} cannot be read: ${reason}. Check the state directory, then try again.`;
      throw new MaestroError('storage_failed', message, { cause });
    }
  }

  /** A parser for each arming: what one fifo's end tore does not go on in the next. */
  #outputOf(): (bytes: Buffer) => void {
    const { onProgramEvent } = this.#options;
    if (onProgramEvent === undefined) return (bytes) => this.#append(bytes);
    const parser = new ProgramStatusParser(onProgramEvent);
    return (bytes) => {
      this.#append(bytes);
      parser.feed(bytes);
    };
  }

  /** Restored bytes come from a file, which may hold anything. */
  #newStream(epoch: number, restored: Buffer = NOTHING, rows?: number): Stream {
    const log = new StreamLog(this.#options.capacity);
    const filter = new QueryFilter({ emit: (bytes) => log.append(bytes) });
    filter.push(restored);
    filter.end();
    const { tabsMoved } = log.modes;
    // The program finds an empty screen, and what it draws by coordinates must not go over what former lives left on the viewer's.
    const emptied = rows === undefined || log.end === 0 ? '' : clearScreen(rows);
    log.beginLife(Buffer.from((tabsMoved ? usualTabs() : '') + emptied));
    return { epoch, log };
  }

  #append(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#stream.log.append(bytes);
    this.#version += 1;
  }

  #read(length: number): void {
    this.#live.add(length);
    if (length > 0) this.#pace.came(length, performance.now());
    else this.#pace.flush();
  }
}
