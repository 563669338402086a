import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { MaestroError } from '../../protocol/index.js';
import { ControlParser, type ReplyBlock } from './control-parser.js';
import { ControlRequest, type Reply, type RunOptions } from './control-request.js';
import { type Refusal, refusal } from './tmux-failure.js';
import { globalArgs, lasting, type TmuxProgram } from './tmux-program.js';
import type { Command } from './tmux-quote.js';

export interface ControlOptions {
  readonly program: TmuxProgram;
  /** The control session to attach to. */
  readonly session: string;
  /** Gives up on an attach that is not answered. */
  readonly signal: AbortSignal;
}

export type AttachResult = { readonly kind: 'attached'; readonly control: TmuxControl } | Refusal;

/** Lines that wait for tmux to read them, in bytes: several creates of the largest kind. Beyond it requests are refused. */
const UNSENT_LIMIT = 32 * 1024 * 1024;
/** How long a client may take to leave when asked, in milliseconds. */
const LEAVE_MS = 500;
/** How long the last output of a client that has ended may take, in milliseconds. */
const DRAIN_MS = 100;

/**
 * A persistent control-mode client (`tmux -C`): a command costs some 0.1 ms instead of a process.
 *
 * Lines are carried out in the order of the calls, each to its end before the next. Its output is always read, as a client that is not
 * read can never be removed from the server.
 */
export class TmuxControl implements AsyncDisposable {
  /** Resolves with the reason once the client has ended. Every request that waited has been rejected by then. */
  readonly closed: Promise<string>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #sent: ControlRequest[] = [];
  readonly #unsent: ControlRequest[] = [];
  #unsentBytes = 0;
  #blocked = false;
  #ended = false;
  #exitText = '';
  #onAttached: (block: ReplyBlock) => void = () => {};
  /** Called with each answer, for those who watch whether tmux is alive. */
  onAnswer: () => void = () => {};

  private constructor({ program, session }: ControlOptions) {
    const attach = ['-C', 'attach-session', '-f', 'no-output,ignore-size', '-t', `=${session}`];
    // Detached: what a terminal or a service manager sends to the daemon's process group is for the daemon to act on.
    // Outside of a service that ends: tmux 3.3a may crash, with every session, when both clients get a signal at once.
    const { file, args, env } = lasting(program, [...globalArgs(program), ...attach]);
    this.#child = spawn(file, args, { env, cwd: '/', stdio: 'pipe', detached: true });
    const notification = (line: string) => {
      if (line.startsWith('%exit ')) this.#exitText = line.slice('%exit '.length);
      // What tmux says outside of blocks begins so. Anything else is not tmux, or not to be understood: better a new client.
      if (!line.startsWith('%')) this.kill();
    };
    const parser = new ControlParser({ block: (block) => this.#take(block), notification });
    this.#child.stdout.on('data', (chunk: Buffer) => parser.push(chunk));
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#exitText = chunk.toString().trim();
    });
    this.#child.stdin.on('drain', () => this.#resume());
    // The client's end is told by its exit; a write that loses the race to it fails here.
    this.#child.stdin.on('error', () => {});
    this.closed = this.#untilEnd();
  }

  /** Resolves once tmux has answered, or the client has ended without; waits as long as a server that is silent lives. */
  static async attach(options: ControlOptions): Promise<AttachResult> {
    const control = new TmuxControl(options);
    const attached = new Promise<ReplyBlock>((resolve) => {
      control.#onAttached = resolve;
    });
    const kill = () => control.kill();
    options.signal.addEventListener('abort', kill);
    const first = await Promise.race([attached, control.closed]);
    options.signal.removeEventListener('abort', kill);
    if (typeof first === 'string') return refusal(first);
    if (first.ok) return { kind: 'attached', control };
    await control.closed;
    return refusal(first.body.toString());
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** True while a line that tmux has been sent is not answered. */
  get busy(): boolean {
    return this.#sent.length > 0;
  }

  /**
   * Runs the commands as one line: the server does nothing else in between. Rejects with `tmux_unavailable` when no answer comes in time
   * or the client ends; a line that was not sent by then is never carried out, one that was may be.
   */
  run(commands: readonly Command[], options: RunOptions): Promise<Reply> {
    const request = new ControlRequest(commands, options);
    if (this.#ended) request.reject(connectionLost(this.#exitText));
    else if (this.#unsentBytes + request.line.length > UNSENT_LIMIT && this.#unsent.length > 0) request.reject(overloaded());
    else {
      this.#unsent.push(request);
      this.#unsentBytes += request.line.length;
      request.giveUpAfter(options, (reason) => this.#giveUp(request, reason));
      this.#send();
    }
    return request.done;
  }

  /** Ends the client and waits for it, but not for a server that does not react. Idempotent. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), LEAVE_MS);
    await this.closed;
    clearTimeout(timer);
  }

  /** Ends the client at once. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #send(): void {
    while (!this.#blocked) {
      const request = this.#unsent.shift();
      if (request === undefined) return;
      this.#unsentBytes -= request.line.length;
      this.#sent.push(request);
      this.#blocked = !this.#child.stdin.write(request.line);
    }
  }

  #resume(): void {
    this.#blocked = false;
    this.#send();
  }

  #giveUp(request: ControlRequest, reason: unknown): void {
    const at = this.#unsent.indexOf(request);
    if (at >= 0) {
      this.#unsent.splice(at, 1);
      this.#unsentBytes -= request.line.length;
    }
    request.reject(reason);
  }

  #take(block: ReplyBlock): void {
    if (block.own) this.#match(block);
    else this.#onAttached(block);
  }

  #match(block: ReplyBlock): void {
    const [request] = this.#sent;
    // An answer to nothing: what follows could belong to anything, so this client is of no use any more.
    if (request === undefined) {
      this.kill();
      return;
    }
    this.onAnswer();
    if (request.take(block)) this.#sent.shift();
  }

  async #untilEnd(): Promise<string> {
    const closed = once(this.#child, 'close');
    try {
      await Promise.race([closed, once(this.#child, 'exit')]);
      // A server that is stopped still holds the output of a client that has ended, so its end may not come.
      await Promise.race([closed, delay(DRAIN_MS, undefined, { ref: false })]);
    } catch (error) {
      this.#exitText = (error as Error).message;
    }
    this.#ended = true;
    this.#child.stdout.destroy();
    for (const request of [...this.#sent.splice(0), ...this.#unsent.splice(0)]) request.reject(connectionLost(this.#exitText));
    return this.#exitText;
  }
}

function connectionLost(reason: string): MaestroError {
  const why = reason === '' ? '' : ` (${reason})`;
  return new MaestroError('tmux_unavailable', `The connection to tmux was lost${why}; try again`);
}

function overloaded(): MaestroError {
  return new MaestroError('tmux_unavailable', 'Too much is waiting for tmux; try again when it has caught up');
}
