import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { signalName } from '../signal-name.js';

export interface TmuxTarget {
  /** tmux's socket. */
  readonly socket: string;
  readonly sessionId: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Why tmux's client ended.
 *
 * - `detached`: the user asked for it
 * - `exited`: the tmux session is gone
 * - `terminated`: this program told it to end
 * - `broken`: tmux's server or client died, or tmux refused; `text` says what
 */
export interface TmuxEnd {
  readonly why: 'detached' | 'exited' | 'terminated' | 'broken';
  readonly text: string;
}

/** A terminal type that tmux and about every terminal knows. */
const FALLBACK_TERM = 'xterm-256color';
const UNSUITABLE = /missing or unsuitable terminal|open terminal failed/;
/** A client that was told to end and has not. */
const KILL_AFTER_MS = 2000;
const LET_GO_WITHIN_MS = 1000;

/** A real tmux client on the user's terminal, attached to one session. */
export class TmuxClient {
  readonly ended: Promise<TmuxEnd>;
  readonly #target: TmuxTarget;
  #child: ChildProcess | undefined;
  #terminated: boolean = false;

  constructor(target: TmuxTarget) {
    this.#target = target;
    this.ended = this.#run();
  }

  /** Ends the client; the session is not touched. */
  terminate(): void {
    this.#terminated = true;
    this.#child?.kill('SIGTERM');
    setTimeout(() => this.#child?.kill('SIGKILL'), KILL_AFTER_MS).unref();
  }

  /** When the user last typed into this client, in seconds since 1970. Undefined when tmux does not say. */
  lastUsed(): Promise<number | undefined> {
    const { socket, sessionId } = this.#target;
    const words = ['-S', socket, '-f', '/dev/null', 'list-clients', '-t', `=${sessionId}`, '-F', '#{client_pid} #{client_activity}'];
    return new Promise((resolve) => {
      execFile('tmux', words, { timeout: 5000 }, (_error, stdout) => {
        const own = stdout.split('\n').find((line) => line.startsWith(`${this.#child?.pid} `));
        resolve(own === undefined ? undefined : Number(own.split(' ')[1]));
      });
    });
  }

  /** A terminal type that tmux cannot use is tried again under one that it can. */
  async #run(): Promise<TmuxEnd> {
    const first = await this.#attempt(this.#target.env.TERM);
    const retry = first.why === 'broken' && UNSUITABLE.test(first.text) && this.#target.env.TERM !== FALLBACK_TERM;
    return retry ? this.#attempt(FALLBACK_TERM) : first;
  }

  #attempt(term: string | undefined): Promise<TmuxEnd> {
    const { socket, sessionId, env } = this.#target;
    const words = ['-S', socket, '-f', '/dev/null', '-u', 'attach-session', '-E', '-t', `=${sessionId}`];
    // tmux draws through its standard input; what it writes to the other two is only the reason of its end.
    const child = spawn('tmux', words, { stdio: ['inherit', 'pipe', 'pipe'], env: clientEnv(env, term) });
    this.#child = child;
    return new Promise((resolve) => {
      let text = '';
      const collect = (chunk: Buffer) => {
        text = (text + chunk.toString('utf8')).slice(0, 4096);
      };
      child.stdout.on('data', collect);
      child.stderr.on('data', collect);
      child.once('error', (error) => resolve({ why: 'broken', text: `tmux cannot be run: ${error.message}` }));
      child.once('close', (code, signal) => void this.#letGo(signal).then(() => resolve(this.#endOf(text.trim(), { code, signal }))));
    });
  }

  /** Of a client that was killed, tmux's server puts the terminal back, a moment later: what is written before would be overwritten. */
  async #letGo(signal: NodeJS.Signals | null): Promise<void> {
    if (signal === null) return;
    const deadline = Date.now() + LET_GO_WITHIN_MS;
    while (Date.now() < deadline && (await this.lastUsed()) !== undefined) await delay(10);
  }

  #endOf(text: string, { code, signal }: { code: number | null; signal: NodeJS.Signals | null }): TmuxEnd {
    if (this.#terminated) return { why: 'terminated', text };
    if (signal !== null) return { why: 'broken', text: `its tmux client was ended by ${signalName(constants.signals[signal])}` };
    if (/^\[detached/.test(text)) return { why: 'detached', text };
    if (text === '[exited]') return { why: 'exited', text };
    return { why: 'broken', text: text === '' ? `tmux ended with code ${code}` : `tmux says: ${text}` };
  }
}

/** Without the marks of a tmux around this terminal, which would make the client refuse. */
function clientEnv(env: TmuxTarget['env'], term: string | undefined): NodeJS.ProcessEnv {
  const { TMUX: _tmux, TMUX_PANE: _pane, ...rest } = env;
  return { ...rest, ...(term === undefined ? {} : { TERM: term }) };
}
