import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Agent, type Dispatcher, request } from 'undici';
import type { ApiError, CreateSessionRequest, KillResult, Session } from '../../src/protocol/index.js';
import { until } from './until.js';

const run = promisify(execFile);
const MAIN = join(import.meta.dirname, '../../dist/launch/daemon.cjs');

export interface DaemonSettings {
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

export interface Answer<T> {
  readonly status: number;
  readonly body: T;
  readonly headers: Headers;
}

/** What a daemon says on standard output once it listens. */
export interface Ready {
  readonly listen: string;
  readonly socket: string;
  readonly pid: number;
  readonly warnings: readonly string[];
  readonly recovered: { adopted: number; dormant: number; dead: number };
}

/** A host of its own for one test: a home, a state directory, and at most one daemon and one tmux server at a time. */
export class TestHost implements AsyncDisposable {
  readonly dir: string;
  readonly home: string;
  readonly state: string;
  readonly #settings: DaemonSettings;
  #child: ChildProcess | undefined;
  #ready: Ready | undefined;
  #token = '';
  readonly #undoing: (() => unknown)[] = [];
  log = '';

  private constructor(dir: string, settings: DaemonSettings) {
    this.dir = dir;
    this.home = join(dir, 'home');
    this.state = join(dir, 'state');
    this.#settings = settings;
  }

  static async create(settings: DaemonSettings = {}): Promise<TestHost> {
    const host = new TestHost(await mkdtemp(join(tmpdir(), 'm-')), settings);
    await mkdir(host.home);
    return host;
  }

  static async started(settings: DaemonSettings = {}): Promise<TestHost> {
    const host = await TestHost.create(settings);
    try {
      await host.start();
    } catch (error) {
      await host[Symbol.asyncDispose]();
      throw error;
    }
    return host;
  }

  /** Runs `step` at the end, once every process is gone and before the files are. */
  defer(step: () => unknown): void {
    this.#undoing.push(step);
  }

  get env(): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      HOME: this.home,
      SHELL: '/bin/sh',
      LANG: 'C.UTF-8',
      MAESTRO_STATE_DIR: this.state,
      MAESTRO_LISTEN: '127.0.0.1:0',
      ...this.#settings.env,
    };
  }

  get ready(): Ready {
    if (!this.#ready) throw new Error('no daemon was started');
    return this.#ready;
  }

  get token(): string {
    return this.#token;
  }

  /** Starts the daemon as its own process, and resolves when it listens. Rejects with what it says when it refuses to start. */
  async start(settings: DaemonSettings = {}): Promise<Ready> {
    this.#child = this.#launch(settings);
    const answer = await firstAnswer(this.#child);
    if (answer.ready !== true) throw new Error(answer.error?.message ?? `the daemon did not start: ${this.log}`, { cause: answer.error });
    this.#ready = answer as Ready;
    this.#token = (await readFile(join(this.state, 'token'), 'utf8')).trim();
    return this.#ready;
  }

  /** Starts a daemon that is to refuse, beside the one that may be running, and resolves with why it does. */
  async refusal(settings: DaemonSettings = {}): Promise<ApiError['error']> {
    const child = this.#launch(settings);
    const answer = await firstAnswer(child);
    if (!answer.error) {
      child.kill('SIGKILL');
      throw new Error('the daemon did not refuse to start');
    }
    return answer.error;
  }

  #launch(settings: DaemonSettings): ChildProcess {
    const child = spawn(process.execPath, [MAIN, ...(this.#settings.args ?? []), ...(settings.args ?? [])], {
      env: { ...this.env, ...settings.env },
      cwd: this.dir,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.log += text;
    });
    return child;
  }

  /** Ends the daemon and waits until it is gone. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | NodeJS.Signals> {
    const child = this.#child;
    if (!child) return 0;
    this.#child = undefined;
    if (child.exitCode !== null || child.signalCode !== null) return child.signalCode ?? child.exitCode ?? 0;
    const gone = new Promise<number | NodeJS.Signals>((resolve) => child.once('exit', (code, by) => resolve(by ?? code ?? 0)));
    child.kill(signal);
    return gone;
  }

  async restart(signal: NodeJS.Signals = 'SIGKILL'): Promise<Ready> {
    await this.end(signal);
    return this.start();
  }

  signalDaemon(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  async call<T = unknown>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer<T>> {
    const response = await fetch(`http://${this.ready.listen}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('json') === true;
    return { status: response.status, body: (json ? JSON.parse(text) : text) as T, headers: response.headers };
  }

  /** The same over the unix socket, where no token is needed. */
  async callLocal<T = unknown>(method: string, path: string, body?: unknown): Promise<{ status: number; body: T }> {
    const dispatcher = new Agent({ connect: { socketPath: this.ready.socket } });
    try {
      const answer = await request(`http://localhost${path}`, {
        method: method as Dispatcher.HttpMethod,
        dispatcher,
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      return { status: answer.statusCode, body: (await answer.body.json()) as T };
    } finally {
      await dispatcher.close();
    }
  }

  async create(request: Partial<CreateSessionRequest> & { command?: string }): Promise<Session> {
    const { status, body } = await this.call<Session>('POST', '/api/sessions', { cwd: this.dir, ...request });
    if (status !== 201) throw new Error(`create answered ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  async session(id: string): Promise<Session> {
    const { status, body } = await this.call<Session>('GET', `/api/sessions/${id}`);
    if (status !== 200) throw new Error(`get answered ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  async sessions(): Promise<Session[]> {
    return (await this.call<Session[]>('GET', '/api/sessions')).body;
  }

  resume(id: string): Promise<Answer<Session>> {
    return this.call<Session>('POST', `/api/sessions/${id}/resume`);
  }

  /** `query` such as `?force=true`. */
  kill(id: string, query = ''): Promise<Answer<KillResult>> {
    return this.call<KillResult>('DELETE', `/api/sessions/${id}${query}`);
  }

  /** `query` such as `?tail=4096`. */
  async scrollback(id: string, query = ''): Promise<Buffer> {
    const response = await fetch(`http://${this.ready.listen}/api/sessions/${id}/scrollback${query}`, {
      headers: { authorization: `Bearer ${this.#token}` },
    });
    if (!response.ok) throw new Error(`scrollback answered ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  }

  async screen(id: string, query = ''): Promise<string> {
    return (await this.call<string>('GET', `/api/sessions/${id}/screen${query}`)).body;
  }

  /** Waits until the session has the wanted status. */
  reaches(id: string, status: Session['status']): Promise<Session> {
    return until(`session ${id} to be ${status}`, async () => {
      const session = await this.session(id);
      return session.status === status ? session : undefined;
    });
  }

  /** Waits until the session's screen holds the text. */
  shows(id: string, text: string): Promise<string> {
    return until(`the screen to show ${JSON.stringify(text)}`, async () => {
      const screen = await this.screen(id);
      return screen.includes(text) ? screen : undefined;
    });
  }

  /** Resolves once the daemon itself has read `text`, which is a moment after tmux shows it. */
  reads(id: string, text: string): Promise<unknown> {
    return until(`the daemon to have read ${JSON.stringify(text)}`, async () => (await this.scrollback(id)).includes(text));
  }

  async sidecar(id: string): Promise<Record<string, unknown>> {
    return JSON.parse(await readFile(join(this.state, 'sessions', `${id}.json`), 'utf8')) as Record<string, unknown>;
  }

  /** Runs a tmux command against the private server. */
  async tmux(...args: string[]): Promise<string> {
    const { stdout } = await run('tmux', ['-S', join(this.state, 'run', 'tmux.sock'), '-f', '/dev/null', ...args], {
      env: { PATH: this.env.PATH, LANG: 'C.UTF-8' },
    });
    return stdout;
  }

  /** The names of the tmux sessions beside the daemon's own. */
  async panes(): Promise<string[]> {
    const out = await this.tmux('list-sessions', '-F', '#{session_name}').catch(() => '');
    return out.split('\n').filter((name) => name !== '' && name !== 'maestro-ctl');
  }

  async tmuxPid(): Promise<number> {
    return Number((await this.tmux('display-message', '-p', '#{pid}')).trim());
  }

  /** Ends the tmux server with no chance to say goodbye, and waits until it is gone. */
  async killTmux(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const pid = await this.tmuxPid();
    process.kill(pid, signal);
    await until('the tmux server to be gone', () => !isAlive(pid));
  }

  /** The pid that a program wrote into a file of this host, once the whole of it is there. */
  pidFrom(name: string): Promise<number> {
    return until(`a pid in ${name}`, async () => {
      const text = await readFile(join(this.dir, name), 'utf8').catch(() => '');
      return text.endsWith('\n') && Number(text);
    });
  }

  /** Processes that belong to sessions of this host, found by the socket in their environment. */
  processes(sessionId?: string): number[] {
    const id = sessionId === undefined ? [] : [`MAESTRO_SESSION_ID=${sessionId}`];
    return processesWith([`MAESTRO_SOCKET=${join(this.state, 'run', 'maestro.sock')}`, ...id]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.signalDaemon('SIGCONT');
    await this.end('SIGKILL');
    // A daemon that the command started in the background is nobody's child.
    for (const daemon of processesWith([`MAESTRO_STATE_DIR=${this.state}`])) process.kill(daemon, 'SIGKILL');
    const pid = await this.tmuxPid().catch(() => undefined);
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    // The shell of a pipe whose reader never came has no session's environment, but the home of tmux.
    const all = () => [...this.processes(), ...processesWith([`HOME=${this.home}`])];
    await until('every process of the test to be gone', () => {
      for (const left of all()) process.kill(left, 'SIGKILL');
      return (pid === undefined || !isAlive(pid)) && all().length === 0;
    });
    for (const step of this.#undoing.reverse()) await step();
    await rm(this.dir, { recursive: true, force: true });
  }
}

/** Processes, other than this one, whose environment has all of these variables. */
function processesWith(variables: readonly string[]): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && isAlive(pid))
    .filter((pid) => {
      try {
        const env = `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}\0`;
        return variables.every((variable) => env.includes(`\0${variable}\0`));
      } catch {
        return false;
      }
    });
}

/** True while the process runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/\) [ZX] /.test(stat);
  } catch {
    return false;
  }
}

type StartAnswer = Partial<Ready> & Partial<ApiError> & { ready?: boolean };

/** The one line that a daemon prints: that it listens, or why it does not. */
function firstAnswer(child: ChildProcess): Promise<StartAnswer> {
  return new Promise((resolve, reject) => {
    if (!child.stdout) return reject(new Error('the daemon has no standard output'));
    const lines = createInterface({ input: child.stdout });
    lines.once('line', (line) => resolve(JSON.parse(line) as StartAnswer));
    // Not before all that it wrote has been read, as that says why.
    child.once('close', () => resolve({}));
    child.once('error', reject);
  });
}
