import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MaestroError } from '../../protocol/index.js';
import { identify, isAlive, isSame, type ProcessIdentity } from '../process-identity.js';
import { endControlClients } from './control-clients.js';
import { readIdentity, writeIdentity } from './server-identity.js';
import { ALLOCATION, CONTROL_SESSION, leaderProblem, optionalSettings, requiredSettings, type ServerSettings } from './server-settings.js';
import { socketPathProblem } from './socket-path.js';
import { scopeWords } from './systemd-unit.js';
import { terminalName } from './terminal-name.js';
import { TmuxControl } from './tmux-control.js';
import { bodiesOf, isDuplicate, type Refusal, refusal } from './tmux-failure.js';
import { type TmuxProgram, tmuxOnce } from './tmux-program.js';
import { command } from './tmux-quote.js';
import { tmuxVersion } from './tmux-version.js';

export interface TmuxServerOptions {
  /** An existing private directory, for `tmux.sock`, `tmux.json` and `paste/`. */
  readonly runDir: string;
  /** The tmux to run: a path, or a name that is looked for in `path`. */
  readonly tmuxPath: string;
  readonly home: string;
  /** The server's own PATH. Programs in panes get theirs from their session. */
  readonly path: string;
  /** The key, in tmux's words, that an attached terminal's commands start with. */
  readonly leader: string;
}

interface ServerParts {
  readonly options: TmuxServerOptions;
  readonly program: TmuxProgram;
  readonly version: string;
  readonly terminal: string;
}

/** The two clients of a daemon: one for commands, one that waits for programs to end. */
export interface Connection {
  readonly control: TmuxControl;
  readonly deaths: TmuxControl;
}

export type ConnectResult = ({ readonly kind: 'connected' } & Connection) | Refusal;

const START_TIMEOUT_MS = 10_000;

/**
 * Maestro's own tmux server: where it is, who it is, how it is started and put right.
 *
 * `tmux.json` names its process, so that a server that was there before the daemon is known again. While that process lives no second
 * server is started, whatever became of the socket; no other process is ever signalled.
 */
export class TmuxServer {
  readonly version: string;
  readonly socketPath: string;
  readonly pasteDir: string;
  readonly #runDir: string;
  readonly #settings: ServerSettings;
  readonly #program: TmuxProgram;
  #identity: ProcessIdentity | undefined;
  /** `tmux.json` says who the server is. */
  #isNoted = true;

  private constructor({ options, program, version, terminal }: ServerParts) {
    this.version = version;
    this.socketPath = program.socketPath;
    this.pasteDir = join(options.runDir, 'paste');
    this.#runDir = options.runDir;
    this.#program = program;
    this.#settings = { leader: options.leader, terminal, pasteDir: this.pasteDir };
  }

  /** Checks what a server needs and reads who it was last. Starts nothing. */
  static async open(options: TmuxServerOptions): Promise<TmuxServer> {
    const { runDir, tmuxPath, path, home, leader } = options;
    const socketPath = join(runDir, 'tmux.sock');
    const problem = socketPathProblem(socketPath) ?? leaderProblem(leader);
    if (problem !== undefined) throw new MaestroError('invalid_request', problem);
    // What the server's process gets: nothing of the user's shell, as every pane would inherit it.
    const env = { PATH: path, HOME: home, LANG: 'C.UTF-8', SHELL: '/bin/sh', ...ALLOCATION };
    const [version, terminal, launcher] = await Promise.all([
      tmuxVersion(tmuxPath, env),
      terminalName(env),
      scopeWords('tmux of Maestro, with its sessions'),
    ]);
    const server = new TmuxServer({ options, program: { tmuxPath, socketPath, env, launcher }, version, terminal });
    server.#identity = await readIdentity(runDir);
    await rm(server.pasteDir, { recursive: true, force: true });
    await mkdir(server.pasteDir, { mode: 0o700 });
    return server;
  }

  /** The server's process, as last seen. */
  get identity(): ProcessIdentity | undefined {
    return this.#identity;
  }

  /** True while the process that was last seen as the server runs, whether it answers or not. */
  async lives(): Promise<boolean> {
    return this.#identity !== undefined && (await isAlive(this.#identity));
  }

  /** Signals the server's process; false when it does not run any more. */
  async signal(signal: 'SIGUSR1' | 'SIGCHLD'): Promise<boolean> {
    if (this.#identity === undefined || !(await this.lives())) return false;
    try {
      return process.kill(this.#identity.pid, signal);
    } catch {
      return false;
    }
  }

  /**
   * Attaches a daemon's clients. Waits as long as a silent server lives, or until `signal` aborts.
   *
   * tmux 3.3a crashes, with every session, when it tells its control clients of a session that is made, renamed or ended, or of a client
   * that leaves, while another control client is half attached. So the clients of before are ended first and waited for, and callers send
   * no command meanwhile.
   */
  async connect(signal: AbortSignal): Promise<ConnectResult> {
    try {
      await endControlClients((...words) => tmuxOnce(this.#program, words, { signal }));
    } catch (error) {
      return refusal((error as Error).message);
    }
    const options = { program: this.#program, session: CONTROL_SESSION, signal };
    const first = await TmuxControl.attach(options);
    if (first.kind !== 'attached') return first;
    const second = await TmuxControl.attach(options);
    if (second.kind === 'attached') return { kind: 'connected', control: first.control, deaths: second.control };
    first.control.kill();
    return second;
  }

  /** Starts the server with its control session; on a server that runs, only makes that session. */
  async boot(): Promise<void> {
    const words = [
      ...['start-server', ';', 'set-option', '-s', 'exit-empty', 'off', ';'],
      ...['new-session', '-d', '-s', CONTROL_SESSION, '-x', '80', '-y', '24', '-c', '/', '/bin/sh', '-c', 'exec sleep 2147483647'],
    ];
    try {
      await tmuxOnce(this.#program, words, { start: true, timeoutMs: START_TIMEOUT_MS });
    } catch (error) {
      const { message } = error as Error;
      if (isDuplicate(message)) return;
      throw new MaestroError('tmux_unavailable', `The tmux server at ${this.socketPath} could not be started: ${message}`, {
        cause: error,
      });
    }
  }

  /** Makes the server behind a new client Maestro's: notes who it is and sets it up. */
  async welcome(control: TmuxControl, timeoutMs: number): Promise<void> {
    const [pid] = bodiesOf(await control.run([command('display-message', '-p', '#{pid}')], { timeoutMs }), CONTROL_SESSION);
    await this.#remember(Number(pid));
    const required = control.run(requiredSettings(this.#settings), { timeoutMs });
    const optional = optionalSettings(this.#settings).map((setting) => control.run([setting], { timeoutMs }));
    const [first] = await Promise.all([required, ...optional]);
    bodiesOf(first, CONTROL_SESSION);
  }

  async #remember(pid: number): Promise<void> {
    const identity = await identify(pid);
    if (identity === undefined) throw new MaestroError('tmux_unavailable', 'The tmux server ended just now; try again');
    if (!isSame(this.#identity, identity)) this.#isNoted = false;
    this.#identity = identity;
    await this.note();
  }

  /** Has the server make its socket again, and notes who it is again: somebody has deleted the directory. */
  async restoreSocket(): Promise<void> {
    this.#isNoted = false;
    await this.note();
    // On this signal tmux makes it anew.
    await this.signal('SIGUSR1');
  }

  /**
   * Writes down who the server is, unless that is done. On a full disk it is tried again with the next look at the panes: a server that
   * could not be noted is a server all the same, and until it is noted only the socket tells of it.
   */
  async note(): Promise<void> {
    const identity = this.#identity;
    if (this.#isNoted || identity === undefined) return;
    this.#isNoted = await writeIdentity(this.#runDir, identity).then(
      () => isSame(identity, this.#identity),
      () => false,
    );
  }
}
