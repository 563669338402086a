import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Child } from './child.js';
import { until } from './until.js';
import { Viewer } from './viewer.js';

const run = promisify(execFile);
const MAIN = join(import.meta.dirname, '../launch/daemon.cjs');

interface Ready {
  readonly listen: string;
  readonly recovered: { readonly adopted: number; readonly dormant: number; readonly dead: number };
}

export interface SessionView {
  readonly id: string;
  readonly status: string;
}

/** What the daemon is started with beside what every one is. */
export interface DaemonOptions {
  readonly nodeArgs?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A host of its own: home, state directory, one daemon and one tmux server. */
export class Host implements AsyncDisposable {
  readonly dir: string;
  readonly #options: DaemonOptions;
  #daemon: Child<Ready> | undefined;
  #token: string | undefined;
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(dir: string, options: DaemonOptions) {
    this.dir = dir;
    this.#options = options;
    process.once('exit', this.#abandon);
  }

  /** The bench is cut off: nothing is left behind but what a moment is too short for. */
  readonly #abandon = (): void => {
    this.#daemon?.kill('SIGKILL');
    // Not kill-server, which waits for control clients that nobody reads any more.
    const { stdout } = spawnSync('tmux', ['-S', this.#tmuxSocket, 'display-message', '-p', '#{pid}'], { encoding: 'utf8' });
    if (stdout !== '') process.kill(Number(stdout), 'SIGKILL');
    rmSync(this.dir, { recursive: true, force: true });
  };

  static async started(options: DaemonOptions = {}): Promise<Host> {
    const host = new Host(await mkdtemp(join(tmpdir(), 'mb-')), options);
    await mkdir(join(host.dir, 'home'));
    await host.start();
    return host;
  }

  /** Resolves when the daemon listens. */
  async start(): Promise<Ready> {
    const env = {
      PATH: process.env.PATH,
      HOME: join(this.dir, 'home'),
      SHELL: '/bin/sh',
      LANG: 'C.UTF-8',
      MAESTRO_STATE_DIR: join(this.dir, 'state'),
      MAESTRO_LISTEN: '127.0.0.1:0',
      MAESTRO_LOG_LEVEL: 'error',
      ...this.#options.env,
    };
    this.#daemon = await Child.start<Ready>([...(this.#options.nodeArgs ?? []), MAIN], { env, cwd: this.dir });
    return this.#daemon.ready;
  }

  get daemon(): Child<Ready> {
    if (this.#daemon === undefined) throw new Error('no daemon was started');
    return this.#daemon;
  }

  get token(): string {
    this.#token ??= readFileSync(join(this.dir, 'state', 'token'), 'utf8').trim();
    return this.#token;
  }

  ptyUrl(id: string): string {
    return `ws://${this.daemon.ready.listen}/api/sessions/${id}/pty`;
  }

  /** A viewer that is yet to be connected. */
  connect(id: string): Viewer {
    return Viewer.connect(this.ptyUrl(id), this.token);
  }

  open(id: string): Promise<Viewer> {
    return Viewer.open(this.ptyUrl(id), this.token);
  }

  create(command: string): Promise<SessionView> {
    return this.call<SessionView>('POST', '/api/sessions', { cwd: this.dir, command, size: { cols: 120, rows: 40 } });
  }

  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const [host, port] = this.daemon.ready.listen.split(':');
    const headers = { authorization: `Bearer ${this.token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const sent = request({ host, port, path, method, headers, agent: this.#agent });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const answer = Buffer.concat(await response.toArray()).toString();
    if ((response.statusCode ?? 500) >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${answer}`);
    return JSON.parse(answer || 'null') as T;
  }

  async reaches(id: string, status: string): Promise<void> {
    await until(`${id} to be ${status}`, async () => (await this.call<SessionView>('GET', `/api/sessions/${id}`)).status === status);
  }

  async tmuxPid(): Promise<number> {
    return Number((await run('tmux', ['-S', this.#tmuxSocket, 'display-message', '-p', '#{pid}'])).stdout);
  }

  /** The daemon is gone at once, its sessions live on. */
  async crash(): Promise<void> {
    await this.daemon.end('SIGKILL');
  }

  async killTmux(): Promise<void> {
    const pid = await this.tmuxPid();
    process.kill(pid, 'SIGKILL');
    await until('tmux to be gone', () => !isAlive(pid));
  }

  get #tmuxSocket(): string {
    return join(this.dir, 'state', 'run', 'tmux.sock');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    process.off('exit', this.#abandon);
    this.#agent.destroy();
    await this.#daemon?.end();
    await this.killTmux().catch(() => undefined);
    await rm(this.dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
