import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants, openSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { NewPane } from '../../src/daemon/panes/panes.js';
import { TmuxPanes, type TmuxPanesOptions } from '../../src/daemon/panes/tmux-panes.js';
import { until } from './until.js';

const run = promisify(execFile);

/** The reading end of a fifo, opened before anybody writes, as the daemon does it. */
export class FifoReader {
  readonly path: string;
  readonly #socket: Socket;
  readonly #chunks: Buffer[] = [];

  private constructor(path: string, socket: Socket) {
    this.path = path;
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
    socket.on('error', () => {});
  }

  static async open(path: string): Promise<FifoReader> {
    await run('mkfifo', ['-m', '600', path]);
    // Not a FileHandle: the descriptor is the socket's alone, and a handle would close it again when it is collected.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return new FifoReader(path, new Socket({ fd, readable: true, writable: false }));
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  text(): string {
    return this.bytes().toString();
  }

  /** Waits until the output holds `text`. */
  async until(text: string): Promise<string> {
    return until(`${JSON.stringify(text)} in the output`, () => this.text().includes(text) && this.text());
  }

  close(): void {
    this.#socket.destroy();
  }
}

/**
 * A private state directory, HOME and tmux server for one test.
 *
 * Its end kills, by pid, every process that was started with its HOME, the tmux server first of all, and removes the directory.
 */
export class TmuxSandbox implements AsyncDisposable {
  readonly root: string;
  readonly runDir: string;
  readonly fifoDir: string;
  readonly home: string;
  readonly socketPath: string;
  readonly #parent: string;
  readonly #panes: TmuxPanes[] = [];
  readonly #fifos: FifoReader[] = [];

  private constructor(parent: string, name: string) {
    this.#parent = parent;
    const root = join(parent, name);
    this.root = root;
    this.home = join(root, 'home');
    this.runDir = join(root, 'run');
    this.fifoDir = join(root, 'run', 'pty');
    this.socketPath = join(this.runDir, 'tmux.sock');
  }

  /** `name` ends the name of the directory, for tests with hostile ones. */
  static async create(name = ''): Promise<TmuxSandbox> {
    const parent = await realpath(await mkdtemp(join(tmpdir(), 'm-')));
    const sandbox = new TmuxSandbox(parent, name);
    for (const directory of [sandbox.root, sandbox.home, sandbox.runDir, sandbox.fifoDir]) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
    }
    return sandbox;
  }

  options(more: Partial<TmuxPanesOptions> = {}): TmuxPanesOptions {
    const path = process.env.PATH ?? '/usr/bin:/bin';
    return { runDir: this.runDir, tmuxPath: 'tmux', home: this.home, path, leader: 'C-b', ...more };
  }

  /** Connects as a daemon does, and starts the server if need be. */
  async start(more: Partial<TmuxPanesOptions> = {}): Promise<TmuxPanes> {
    const panes = await TmuxPanes.start(this.options(more));
    this.#panes.push(panes);
    return panes;
  }

  /** Runs one tmux command as a process of its own. */
  async tmux(...words: readonly string[]): Promise<string> {
    const env = { PATH: process.env.PATH ?? '', HOME: this.home, LANG: 'C.UTF-8' };
    return (await run('tmux', ['-u', '-N', '-S', this.socketPath, ...words], { env, maxBuffer: 1 << 28 })).stdout;
  }

  async removeSocket(): Promise<void> {
    await rm(this.socketPath);
  }

  async fifo(): Promise<FifoReader> {
    const fifo = await FifoReader.open(join(this.fifoDir, `${randomUUID()}.1.fifo`));
    this.#fifos.push(fifo);
    return fifo;
  }

  /** What to start for a session that runs `command` in the home directory, with its output in `fifo`. */
  spec(command: string, fifo: FifoReader, more: Partial<NewPane> = {}): NewPane {
    const env = { PATH: process.env.PATH ?? '', HOME: this.home, LANG: 'C.UTF-8', ...more.env };
    const size = { cols: 80, rows: 24 };
    return { sessionId: randomUUID(), cwd: this.home, command, size, run: 1, record: '{}', fifo: fifo.path, ...more, env };
  }

  /** The processes that were started with this sandbox's HOME. */
  async processes(): Promise<number[]> {
    const marker = `HOME=${this.home}\0`;
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
    const owned = await Promise.all(pids.map(async (pid) => (await environment(pid)).includes(marker)));
    return pids.filter((pid, index) => owned[index] && pid !== process.pid);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const panes of this.#panes) await panes[Symbol.asyncDispose]();
    await until('every process of the sandbox has ended', async () => {
      const pids = await this.processes();
      for (const pid of pids) kill(pid);
      return pids.length === 0;
    });
    for (const fifo of this.#fifos) fifo.close();
    await rm(this.#parent, { recursive: true, force: true });
  }
}

async function environment(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/environ`, 'utf8').then(
    (text) => `${text}\0`,
    () => '',
  );
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}
