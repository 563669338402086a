import { setTimeout as delay } from 'node:timers/promises';
import { MaestroError } from '../../protocol/index.js';
import { NoAnswerError, type Reply, type RunOptions } from './control-request.js';
import { watchDeaths } from './death-watch.js';
import type { TmuxState } from './panes.js';
import type { TmuxControl } from './tmux-control.js';
import type { Command } from './tmux-quote.js';
import type { Connection, TmuxServer } from './tmux-server.js';

export interface TmuxLinkParts {
  readonly server: TmuxServer;
  /** How long tmux may take to answer before it counts as silent, in milliseconds. */
  readonly timeoutMs: number;
  readonly onStateChange: (state: TmuxState) => void;
  /** Called with each new connection before anything else goes through it. */
  readonly onConnected: (control: TmuxControl) => Promise<void>;
  /** Some program may have ended. */
  readonly onDeath: () => void;
}

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 2_000;

/**
 * The connection to the tmux server, kept up while the server lives.
 *
 * A server that does not answer is `silent`: it is waited for, and requests are refused meanwhile, so that nothing piles up in front of it
 * and is carried out when it wakes. It is `gone` only when its process has ended; a new one is started when asked for.
 */
export class TmuxLink implements AsyncDisposable {
  readonly #parts: TmuxLinkParts;
  readonly #ending = new AbortController();
  #state: TmuxState = 'gone';
  #connection: Connection | undefined;
  #seeking: Promise<void> | undefined;
  #trouble = '';

  constructor(parts: TmuxLinkParts) {
    this.#parts = parts;
  }

  /** Connects for the first time, starting a server if there is none. Resolves although the server is silent. */
  async connect(): Promise<void> {
    await this.#seekFor(true);
  }

  get state(): TmuxState {
    return this.#state;
  }

  /** Runs the commands as one line, in the order of the calls. Rejects with `tmux_unavailable` when there is no answer in time. */
  async run(commands: readonly Command[], options: Partial<RunOptions> = {}): Promise<Reply> {
    const { control } = this.#connection !== undefined && this.#state === 'up' ? this.#connection : await this.#reconnected();
    try {
      return await control.run(commands, { timeoutMs: this.#parts.timeoutMs, ...options });
    } catch (error) {
      if (error instanceof NoAnswerError && control === this.#connection?.control && control.busy) this.#enter('silent');
      throw error;
    }
  }

  /** Resolves once the server answers; starts a fresh one if the last has ended. */
  async ensureServer(): Promise<void> {
    await this.#settled();
    if (this.#state === 'gone') await this.#seekFor(true);
    if (this.#state !== 'up') throw this.#unavailable();
  }

  /** Ends the daemon's side only. Idempotent. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    const { control, deaths } = this.#connection ?? {};
    await Promise.all([control?.[Symbol.asyncDispose](), deaths?.[Symbol.asyncDispose](), this.#seeking?.catch(() => {})]);
  }

  async #reconnected(): Promise<Connection> {
    if (this.#state === 'up') await this.#settled();
    if (this.#state !== 'up' || this.#connection === undefined) throw this.#unavailable();
    return this.#connection;
  }

  /** Waits for a search under way, but not for a server that stays silent. */
  async #settled(): Promise<void> {
    if (this.#state !== 'silent' && this.#seeking !== undefined) await this.#seekFor(false);
  }

  async #seekFor(mayStart: boolean): Promise<void> {
    this.#seeking ??= this.#seek(mayStart).finally(() => {
      this.#seeking = undefined;
    });
    const found = this.#seeking.then(() => true);
    const { timeoutMs } = this.#parts;
    if (!(await Promise.race([found, delay(timeoutMs, false, { ref: false })]))) this.#enter('silent');
  }

  async #seek(mayStart: boolean): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !this.#ending.signal.aborted; pauseMs = longer(pauseMs)) {
      const found = await this.#attempt(mayStart).catch((error: Error) => this.#giveUp(error, mayStart));
      if (found !== undefined) return this.#enter(found);
      await delay(pauseMs, undefined, { signal: this.#ending.signal, ref: false }).catch(() => {});
    }
  }

  /** One try to connect; undefined when it is worth another. */
  async #attempt(mayStart: boolean): Promise<'up' | 'gone' | undefined> {
    const { server } = this.#parts;
    const result = await server.connect(this.#ending.signal);
    if (result.kind === 'connected') return (await this.#welcomed(result)) ? 'up' : undefined;
    this.#trouble = result.reason;
    if (result.kind === 'no_session') await server.boot().catch((error: Error) => this.#note(error));
    // A server whose socket was removed, or has something else in its place, makes it again on this signal.
    if (result.kind !== 'no_session' && (await server.signal('SIGUSR1'))) return undefined;
    if (result.kind !== 'no_server') return undefined;
    if (!mayStart) return 'gone';
    await server.boot();
    return undefined;
  }

  async #welcomed(connection: Connection): Promise<boolean> {
    const { control, deaths } = connection;
    try {
      await this.#parts.server.welcome(control, this.#parts.timeoutMs);
      await this.#parts.onConnected(control);
      this.#ending.signal.throwIfAborted();
    } catch (error) {
      this.#note(error as Error);
      control.kill();
      deaths.kill();
      return false;
    }
    this.#connection = connection;
    this.#trouble = '';
    control.onAnswer = () => {
      if (this.#state === 'silent' && this.#connection === connection) this.#enter('up');
    };
    Promise.race([control.closed, deaths.closed])
      .then(() => this.#lost(connection))
      .catch((error: Error) => this.#note(error));
    watchDeaths(deaths, this.#parts.onDeath).catch(() => {});
    return true;
  }

  /** One client does not stay without the other. */
  async #lost(connection: Connection): Promise<void> {
    if (this.#connection !== connection || this.#ending.signal.aborted) return;
    this.#connection = undefined;
    connection.control.kill();
    connection.deaths.kill();
    await this.#seekFor(false);
  }

  /** Who asked for a server is told why there is none; the search for one that lives goes on. */
  #giveUp(error: Error, mayStart: boolean): undefined {
    if (mayStart) throw error;
    this.#note(error);
  }

  #note(error: Error): void {
    this.#trouble = error.message;
  }

  #enter(state: TmuxState): void {
    if (this.#state === state || this.#ending.signal.aborted) return;
    this.#state = state;
    this.#parts.onStateChange(state);
  }

  #unavailable(): MaestroError {
    const trouble = this.#trouble === '' ? '' : ` (${this.#trouble})`;
    const message =
      this.#state === 'gone'
        ? 'The tmux server has ended, and its panes with it; resume the session to start anew'
        : `tmux does not answer${trouble}; sessions are left as they are, try again or see \`maestro doctor\``;
    return new MaestroError('tmux_unavailable', message);
  }
}

function longer(pauseMs: number): number {
  return Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
}
