import { setTimeout as delay } from 'node:timers/promises';
import type { InputRequest, Size } from '../../protocol/index.js';
import type { PtyBridge } from '../bridge/pty-bridge.js';
import { deferred } from '../deferred.js';
import type { Pane, Panes } from '../panes/panes.js';
import { removeFifo } from './fifo-pool.js';
import { InputQueue } from './input-queue.js';
import { Repainter } from './repaint.js';
import { Viewers } from './viewers.js';

/**
 * Agents take an Enter that follows a paste too closely for a part of it: Gemini within 30 ms, others more. Measured, 100 ms was
 * enough for all; this leaves room for a busy host.
 */
const SUBMIT_DELAY_MS = 250;

/** How long output may be on its way from tmux, in milliseconds: a busy host takes its time. */
const STUCK_MS = 2_000;

interface LiveSessionParts {
  readonly panes: Panes;
  readonly pane: Pane;
  readonly bridge: PtyBridge;
  readonly fifo: string;
  readonly size: Size;
  /** Milliseconds of the monotonic clock. */
  readonly since: number;
  readonly onResize: (size: Size) => void;
  /** The program has probably ended, or its pipe has broken. */
  readonly onQuiet: () => void;
}

/** A session whose program runs: its pane, the bridge that reads it, what is typed into it, and who looks at it. */
export class LiveSession {
  readonly pane: Pane;
  readonly bridge: PtyBridge;
  readonly viewers: Viewers;
  /** When this daemon took charge of the program, on the monotonic clock. */
  readonly since: number;
  readonly #panes: Panes;
  readonly #input = new InputQueue();
  readonly #settled = deferred();
  readonly #waiting = new Set<() => void>();
  #isSettled = false;
  readonly #onQuiet: () => void;
  #fifo: string;
  #brokenPipe: string | undefined;
  #isRearming = false;
  /** The last look at which all of the output had come through, as far as can be told. */
  #seen: { readonly printedAt: number; readonly received: number } | undefined;
  #missingSince: number | undefined;
  /** The version of the bridge's bytes that is on disk. */
  flushed = 0;

  constructor(parts: LiveSessionParts) {
    this.#panes = parts.panes;
    this.pane = parts.pane;
    this.bridge = parts.bridge;
    this.#fifo = parts.fifo;
    this.since = parts.since;
    this.viewers = new Viewers(parts.size, (size) => {
      this.bridge.resized();
      parts.onResize(size);
    });
    this.#onQuiet = parts.onQuiet;
    const repainter = new Repainter({ panes: parts.panes, pane: parts.pane, bridge: parts.bridge, viewers: this.viewers });
    this.bridge.whenPartial(() => void repainter.repaint());
    this.#watchPipe();
  }

  /** Calls `onQuiet` when the program's last byte has come through, or its pipe has ended without. */
  #watchPipe(): void {
    const fifo = this.#fifo;
    void this.bridge.ended.then((end) => {
      if (end === 'eof') this.#brokenPipe = fifo;
      this.#onQuiet();
    });
  }

  get fifo(): string {
    return this.#fifo;
  }

  /** Bytes of input that the pane has not taken in yet. */
  get inputWaiting(): number {
    return this.#input.waiting;
  }

  /** Keystrokes, byte for byte, behind all that was typed before. */
  sendBytes(bytes: Uint8Array): Promise<void> {
    return this.#input.push(bytes.length, () => this.#panes.sendBytes(this.pane, bytes));
  }

  /** Text as a paste, or named keys. With `submit`, Enter follows late enough to count as a key of its own. */
  send(request: InputRequest): Promise<void> {
    if ('keys' in request) return this.#input.push(request.keys.length, () => this.#panes.sendKeys(this.pane, request.keys));
    return this.#input.push(request.text.length, async () => {
      if (request.text !== '') await this.#panes.paste(this.pane, request.text);
      if (request.submit !== true) return;
      if (request.text !== '') await delay(SUBMIT_DELAY_MS);
      await this.#panes.sendKeys(this.pane, ['Enter']);
    });
  }

  /**
   * Holds what tmux says of output against what has come through the pipe. tmux does not notice that its pipe is stuck, as when somebody
   * stops the process that copies into the fifo: it keeps what it cannot write, without limit.
   */
  compareOutput(printedAt: number | undefined, now: number): void {
    const { received } = this.bridge;
    const seen = this.#seen;
    if (seen === undefined || printedAt === undefined || received !== seen.received || printedAt === seen.printedAt) {
      this.#seen = printedAt === undefined ? undefined : { printedAt, received };
      this.#missingSince = undefined;
      return;
    }
    this.#missingSince ??= now;
    if (now - this.#missingSince >= STUCK_MS) this.#brokenPipe = this.#fifo;
  }

  /** True while output is missing that tmux has had, so that the pipe may be stuck. */
  get isOutputMissing(): boolean {
    return this.#missingSince !== undefined;
  }

  /** True once nothing writes the fifo any more although the program's last byte has not come through. */
  get isPipeBroken(): boolean {
    return this.#brokenPipe === this.#fifo;
  }

  /** Claims the rearming of a broken pipe; false when it is under way. */
  beginRearming(): boolean {
    if (this.#isRearming) return false;
    this.#isRearming = true;
    return true;
  }

  endRearming(): void {
    this.#isRearming = false;
  }

  /** The pipe was armed afresh on another fifo. Answers the path of the one before. */
  moveTo(fifo: string): string {
    const old = this.#fifo;
    this.#fifo = fifo;
    this.#seen = undefined;
    this.#missingSince = undefined;
    this.#watchPipe();
    return old;
  }

  /** The program's end is known, written down and told. */
  settled(): void {
    this.#isSettled = true;
    this.#settled.resolve();
    for (const tell of this.#waiting) tell();
    this.#waiting.clear();
  }

  whenSettled(): Promise<void> {
    return this.#settled.promise;
  }

  /**
   * Calls `tell` once the program is settled, unless the answer is called before. For those who come and go while it runs: what waits for a
   * promise is kept for as long as that is open, and a program may run for weeks.
   */
  onSettled(tell: () => void): () => void {
    if (this.#isSettled) tell();
    else this.#waiting.add(tell);
    return () => this.#waiting.delete(tell);
  }

  /** The program's output is over: reads it to its end. Every viewer gets the rest of it, however slow. */
  async seal(): Promise<void> {
    await this.bridge.seal();
    await removeFifo(this.#fifo);
  }

  /** Lets go of the bridge and its fifo; pane and program are not touched. */
  async close(): Promise<void> {
    await this.bridge[Symbol.asyncDispose]();
    await removeFifo(this.#fifo);
  }
}
