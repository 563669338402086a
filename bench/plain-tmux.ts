import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PTY_PACKAGE } from './floors.js';

const run = promisify(execFile);

interface Pty {
  onData(listener: (text: string) => void): void;
  kill(signal: string): void;
}

interface PtyModule {
  spawn(file: string, args: readonly string[], options: { cols: number; rows: number; env: NodeJS.ProcessEnv }): Pty;
}

/** tmux as anybody would run it, with the history and window size of Maestro's. */
export class PlainTmux implements AsyncDisposable {
  readonly #dir: string;
  readonly #pty = createRequire(PTY_PACKAGE)('node-pty') as PtyModule;
  readonly #env: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: '/', LANG: 'C.UTF-8', TERM: 'xterm-256color' };

  private constructor(dir: string) {
    this.#dir = dir;
    process.prependOnceListener('exit', this.#abandon); // before the directory around it goes, and its socket with it
  }

  /** The bench is cut off. */
  readonly #abandon = (): void => {
    spawnSync('tmux', [...this.#global, 'kill-server']);
  };

  static async started(parent: string): Promise<PlainTmux> {
    const tmux = new PlainTmux(await mkdtemp(join(parent, 't-')));
    await tmux.run('new-session', '-d', 'sleep 100000');
    await tmux.run('set-option', '-g', 'history-limit', '5000');
    return tmux;
  }

  async run(...args: readonly string[]): Promise<string> {
    return (await run('tmux', [...this.#global, ...args], { env: this.#env })).stdout;
  }

  /** Milliseconds from the start of `tmux new-session`, in a terminal, to the first output of its program. */
  async create(): Promise<number> {
    const start = performance.now();
    const args = [...this.#global, 'new-session', 'printf ready; exec cat'];
    const pty = this.#pty.spawn('tmux', args, { cols: 120, rows: 40, env: this.#env });
    let seen = '';
    const elapsed = await new Promise<number>((resolve) => {
      pty.onData((text) => {
        seen += text;
        if (seen.includes('ready')) resolve(performance.now() - start);
      });
    });
    return elapsed;
  }

  /** Ends all sessions but the one that keeps the server. */
  async clear(): Promise<void> {
    await this.run('kill-session', '-a', '-t', '$0');
  }

  /** Milliseconds in which a pane that nobody looks at takes in the file. */
  async parse(file: string): Promise<number> {
    const fifo = join(this.#dir, 'time');
    await run('mkfifo', [fifo]);
    const reader = spawn('cat', [fifo], { stdio: ['ignore', 'pipe', 'inherit'] });
    const timed = `stty raw; s=$(date +%s%N); cat '${file}'; e=$(date +%s%N); echo $((e - s)) >'${fifo}'`;
    await this.run('new-session', '-d', '-x', '120', '-y', '40', '/bin/sh', '-c', timed);
    const [ns] = (await once(reader.stdout, 'data')) as [Buffer];
    await rm(fifo);
    return Number(ns) / 1e6;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    process.off('exit', this.#abandon);
    await this.run('kill-server').catch(() => undefined);
    await rm(this.#dir, { recursive: true, force: true });
  }

  get #global(): string[] {
    return ['-S', join(this.#dir, 's'), '-f', '/dev/null'];
  }
}
