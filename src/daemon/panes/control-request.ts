import { MaestroError } from '../../protocol/index.js';
import type { ReplyBlock } from './control-parser.js';
import type { Command } from './tmux-quote.js';

/** What tmux answered to one line: a body for each command that ran. The first that fails is the last that ran; `failure` is its text. */
export type Reply =
  | { readonly ok: true; readonly bodies: readonly Buffer[] }
  | { readonly ok: false; readonly bodies: readonly Buffer[]; readonly failure: string };

export interface RunOptions {
  /** How long to wait for the answer, in milliseconds; Infinity waits as long as the connection lasts. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with the answer when it comes after the request was given up: tmux carries out what it has read. */
  readonly late?: ((reply: Reply) => void) | undefined;
}

/**
 * One line on its way through tmux. It stays in the queue when its caller gives up, so that the answers behind it still match.
 *
 * A line is answered when all its commands are: tmux gives a block for each, stops at the first that fails and drops the rest of the
 * line, and gives a single failed block for a line that it cannot parse. Nothing else ends a line early.
 */
export class ControlRequest {
  readonly line: Buffer;
  readonly done: Promise<Reply>;
  readonly #expected: number;
  readonly #late: ((reply: Reply) => void) | undefined;
  readonly #bodies: Buffer[] = [];
  #settle: { resolve(reply: Reply): void; reject(error: unknown): void } | undefined;
  #stopWaiting: () => void = () => {};

  constructor(commands: readonly Command[], options: Pick<RunOptions, 'late'>) {
    this.line = Buffer.from(`${commands.map(({ text }) => text).join(' ; ')}\n`);
    this.#expected = commands.reduce((sum, { replies }) => sum + replies, 0);
    this.#late = options.late;
    this.done = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
  }

  /** True once the caller no longer waits. */
  get givenUp(): boolean {
    return this.#settle === undefined;
  }

  /** Calls `onGiveUp` with the reason when time is up or the signal aborts before an answer. */
  giveUpAfter({ timeoutMs, signal }: RunOptions, onGiveUp: (reason: unknown) => void): void {
    const onAbort = () => onGiveUp(signal?.reason);
    if (signal?.aborted) {
      onAbort();
      return;
    }
    const timer = Number.isFinite(timeoutMs) ? setTimeout(() => onGiveUp(new NoAnswerError(timeoutMs)), timeoutMs) : undefined;
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#stopWaiting = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
  }

  /** Takes one block; true when the line is answered. */
  take(block: ReplyBlock): boolean {
    if (!block.ok) this.#answer({ ok: false, bodies: this.#bodies, failure: block.body.toString() });
    else if (this.#bodies.push(block.body) === this.#expected) this.#answer({ ok: true, bodies: this.#bodies });
    else return false;
    return true;
  }

  reject(reason: unknown): void {
    this.#stopWaiting();
    this.#settle?.reject(reason);
    this.#settle = undefined;
  }

  #answer(reply: Reply): void {
    this.#stopWaiting();
    if (this.#settle) this.#settle.resolve(reply);
    else this.#late?.(reply);
    this.#settle = undefined;
  }
}

/** tmux did not answer in time, which says nothing about whether it is still there. */
export class NoAnswerError extends MaestroError {
  constructor(timeoutMs: number) {
    super('tmux_unavailable', `tmux did not answer within ${timeoutMs / 1000} s; sessions are left as they are, try again`);
  }
}
