import { CLOSE_CODE, type Position, parsePosition, type ServerFrame, type Size } from '../protocol/index.js';
import { Backoff } from './backoff.js';
import { Heartbeat, type HeartbeatOptions } from './heartbeat.js';
import type { PtyStream, PtyStreamEvents, PtyStreamOptions } from './pty-stream.js';
import type { SocketClose } from './transport.js';

/** Where a {@link ReconnectingPty} stands. Times are milliseconds of `Date.now()`. */
export type PtyState =
  /** No connection was made yet. */
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** The connection was lost. Without `retryAt` the next one is being made right now. */
  | { readonly kind: 'cut_off'; readonly since: number; readonly retryAt?: number; readonly reason?: string }
  /** There is nothing more to come: the program ended, or the session cannot be served. */
  | { readonly kind: 'over'; readonly close: SocketClose; readonly reason?: string };

export interface ReconnectingPtyEvents {
  /** Terminal output, and the position behind its last byte. */
  onOutput?(bytes: Uint8Array, position: Position): void;
  /** What was shown cannot be continued: reset the terminal. A fresh replay follows as output. */
  onReset?(): void;
  onFrame?(frame: ServerFrame): void;
  onState?(state: PtyState): void;
}

export interface ReconnectingPtyOptions extends PtyStreamOptions {
  readonly open: (events: PtyStreamEvents, options: PtyStreamOptions) => PtyStream;
  readonly backoff?: Backoff;
  readonly heartbeat?: HeartbeatOptions;
}

/** How long a connection may take until the daemon says where the stream starts, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Bytes of input in one message. */
const INPUT_CHUNK = 64 * 1024;
/** Input that may wait for the network, in bytes. More is refused. */
const INPUT_LIMIT = 4 * 1024 * 1024;

/** Standard codes with which a peer says that it will not speak with us, however often we ask. */
const FINAL_CODES: ReadonlySet<number> = new Set([1000, 1002, 1003, 1007, 1008, 1009, 1010, CLOSE_CODE.notFound, CLOSE_CODE.notRunning]);

/** True where another connection may be served: the network broke, the daemon went away or tmux does not answer. */
export function mayReconnect(code: number): boolean {
  return !FINAL_CODES.has(code);
}

/**
 * A session's terminal over as many connections as it takes. Each one goes on right behind the last byte received, so that no byte is
 * missing and none comes twice; where the daemon cannot do that, {@link ReconnectingPtyEvents.onReset} says so.
 *
 * Input is for the program as it is now. What is typed while cut off is refused and never sent later.
 */
export class ReconnectingPty {
  readonly #options: ReconnectingPtyOptions;
  readonly #events: ReconnectingPtyEvents;
  readonly #backoff: Backoff;
  #stream: PtyStream | undefined;
  #state: PtyState = { kind: 'connecting' };
  /** Where the next connection goes on. */
  #position: Position | undefined;
  /** The daemon goes on somewhere else than asked: what comes next belongs on a reset terminal. */
  #resetDue = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attachedAt: number | undefined;
  /** Of a connection that is attached. */
  #heartbeat: Heartbeat | undefined;
  #reason: string | undefined;
  #size: Size | undefined;
  #sizeSent = false;
  #ownsSize: boolean | undefined;
  #visible = true;

  constructor(options: ReconnectingPtyOptions, events: ReconnectingPtyEvents) {
    this.#options = options;
    this.#events = events;
    this.#backoff = options.backoff ?? new Backoff();
    this.#position = options.after;
    this.#connect();
  }

  get state(): PtyState {
    return this.#state;
  }

  /** Behind the last byte received. */
  get position(): Position | undefined {
    return this.#position;
  }

  /** False when nothing was sent: cut off, over, or more input waits for the network than is sensible. */
  sendInput(bytes: Uint8Array): boolean {
    const stream = this.#stream;
    if (this.#state.kind !== 'live' || stream === undefined) return false;
    if (stream.bufferedBytes + bytes.length > INPUT_LIMIT) return false;
    this.#claimSize();
    for (let at = 0; at < bytes.length; at += INPUT_CHUNK) stream.sendInput(bytes.subarray(at, at + INPUT_CHUNK));
    return true;
  }

  /** The size of this viewer from now on, which comes into use with this call. */
  setSize(size: Size): void {
    this.#size = size;
    this.#sizeSent = false;
    this.#ownsSize = undefined;
    this.#claimSize();
  }

  /** A viewer that nobody sees does not count for the size. */
  setVisible(visible: boolean): void {
    if (visible === this.#visible) return;
    this.#visible = visible;
    if (this.#attachedAt !== undefined) this.#stream?.setVisible(visible);
  }

  /** Tells the daemon how far the output has been shown. */
  acknowledge(position: Position): void {
    if (this.#state.kind === 'live') this.#stream?.acknowledge(position);
  }

  /** Asks for a fresh replay. */
  resync(): void {
    if (this.#state.kind === 'live') this.#stream?.resync();
  }

  /**
   * Something has changed, such as the network or the page's visibility: tries at once instead of waiting, or finds out whether the
   * connection is still one.
   */
  nudge(): void {
    if (this.#state.kind === 'cut_off' && this.#state.retryAt !== undefined) this.#connect();
    else this.#heartbeat?.check();
  }

  close(): void {
    this.#end({ code: 1000, reason: 'closed by the viewer' });
  }

  #connect(): void {
    clearTimeout(this.#timer);
    const { open, output } = this.#options;
    const asked = this.#position;
    this.#sizeSent = false;
    this.#attachedAt = undefined;
    this.#reason = undefined;
    if (this.#state.kind === 'cut_off') this.#become({ kind: 'cut_off', since: this.#state.since });
    const stream: PtyStream = open(
      {
        onFrame: (frame) => this.#stream === stream && this.#receiveFrame(frame, asked),
        onOutput: (bytes, position) => this.#stream === stream && this.#receiveOutput(bytes, position),
        onClose: (close) => this.#stream === stream && this.#lost(close),
      },
      { ...(output === undefined ? {} : { output }), after: asked },
    );
    this.#stream = stream;
    this.#timer = setTimeout(() => this.#lost({ code: 1006, reason: 'no answer' }), CONNECT_TIMEOUT_MS);
  }

  #receiveFrame(frame: ServerFrame, asked: Position | undefined): void {
    this.#heartbeat?.heard();
    if (frame.type === 'attached') this.#attached(parsePosition(frame.position), asked);
    else if (frame.type === 'gap') this.#reset(parsePosition(frame.position));
    else if (frame.type === 'size') this.#ownsSize = frame.owner;
    else if (frame.type === 'error') this.#reason = frame.message;
    this.#events.onFrame?.(frame);
  }

  #attached(position: Position | undefined, asked: Position | undefined): void {
    clearTimeout(this.#timer);
    this.#attachedAt = Date.now();
    this.#watch();
    this.#resetDue = asked !== undefined && !isSame(position, asked);
    if (asked === undefined) this.#position = position;
    if (!this.#visible) this.#stream?.setVisible(false);
    if (this.#ownsSize !== false) this.#claimSize();
    this.#become({ kind: 'live' });
  }

  #watch(): void {
    const events = { ask: () => this.#stream?.ping(), lost: () => this.#lost({ code: 1006, reason: 'no sign of life' }) };
    this.#heartbeat?.stop();
    this.#heartbeat = new Heartbeat(events, this.#options.heartbeat);
  }

  #receiveOutput(bytes: Uint8Array, position: Position): void {
    this.#heartbeat?.heard();
    if (this.#resetDue) this.#reset(position);
    this.#position = position;
    this.#events.onOutput?.(bytes, position);
  }

  #reset(position: Position | undefined): void {
    this.#resetDue = false;
    this.#position = position;
    this.#events.onReset?.();
  }

  /** After a reconnect only the viewer that owned the size claims it again; another one does when it is next in use. */
  #claimSize(): void {
    if (this.#size === undefined || this.#sizeSent || this.#attachedAt === undefined) return;
    this.#sizeSent = true;
    this.#stream?.setSize(this.#size);
  }

  #lost(close: SocketClose): void {
    if (!mayReconnect(close.code)) {
      this.#end(close);
      return;
    }
    this.#leave();
    const now = Date.now();
    if (this.#attachedAt !== undefined) this.#backoff.held(now - this.#attachedAt);
    this.#attachedAt = undefined;
    const waitMs = this.#backoff.next();
    const since = this.#state.kind === 'cut_off' ? this.#state.since : now;
    const reason = this.#reason === undefined ? {} : { reason: this.#reason };
    this.#timer = setTimeout(() => this.#connect(), waitMs);
    this.#become({ kind: 'cut_off', since, retryAt: now + waitMs, ...reason });
  }

  #end(close: SocketClose): void {
    if (this.#state.kind === 'over') return;
    this.#leave();
    this.#attachedAt = undefined;
    this.#become({ kind: 'over', close, ...(this.#reason === undefined ? {} : { reason: this.#reason }) });
  }

  /** Whatever the old connection still says is not listened to. */
  #leave(): void {
    clearTimeout(this.#timer);
    this.#heartbeat?.stop();
    this.#heartbeat = undefined;
    const stream = this.#stream;
    this.#stream = undefined;
    stream?.close();
  }

  #become(state: PtyState): void {
    this.#state = state;
    this.#events.onState?.(state);
  }
}

function isSame(a: Position | undefined, b: Position): boolean {
  return a !== undefined && a.epoch === b.epoch && a.offset === b.offset;
}
