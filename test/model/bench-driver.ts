import { isAlive } from '../support/daemon-process.js';
import { GitRepo } from '../support/git-repo.js';
import type { BenchOptions } from '../support/session-bench.js';
import { SessionBench } from '../support/session-bench.js';
import { until } from '../support/until.js';
import type { Calls, Driver } from './driver.js';
import type { HostEvent } from './operation.js';

/** A daemon's sessions in this process. */
export class BenchDriver implements Driver {
  readonly bench: SessionBench;
  readonly remembers = false;
  #repo: GitRepo | undefined;

  private constructor(bench: SessionBench) {
    this.bench = bench;
  }

  static async create(options: BenchOptions = {}): Promise<BenchDriver> {
    return new BenchDriver(await SessionBench.create(options));
  }

  get place(): string {
    return this.bench.dir;
  }

  get state(): string {
    return this.bench.stateDir.root;
  }

  get calls(): Calls {
    const { manager } = this.bench;
    return {
      create: (request) => manager.create(request),
      get: async (id) => manager.get(id),
      list: async () => manager.list(),
      resume: (id) => manager.resume(id),
      stop: (id) => manager.stop(id),
      restart: (id) => manager.restart(id),
      kill: (id, query) => manager.kill(id, query),
      patch: (id, metadata) => manager.patch(id, { metadata }),
      report: (id, request) => manager.report(id, request),
      resize: (id, size) => manager.resize(id, size),
      input: (id, request) => manager.input(id, request),
      scrollback: async (id) => (await manager.scrollback(id)).toString(),
    };
  }

  async repository(): Promise<string> {
    this.#repo ??= await GitRepo.create();
    return this.#repo.path;
  }

  async happen(event: HostEvent): Promise<void> {
    switch (event) {
      case 'flush':
        return this.bench.manager.flush();
      case 'daemon stops':
        await this.bench.manager.close();
        return this.crash();
      case 'daemon crashes':
        return this.crash();
      case 'tmux dies':
        return this.#killTmux();
      case 'both die': {
        const pid = this.#tmuxPid();
        await this.bench.crash();
        if (pid !== undefined) await ended(pid);
        await this.bench.open();
      }
    }
  }

  async crash(): Promise<void> {
    await this.bench.crash();
    await this.bench.open();
  }

  async panes(): Promise<readonly string[]> {
    if (this.bench.tmux.state === 'gone') return [];
    return (await this.bench.tmux.listSessions()).map(({ sessionId, size }) => `${sessionId} ${size.cols}x${size.rows}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.bench[Symbol.asyncDispose]();
    await this.#repo?.[Symbol.asyncDispose]();
  }

  #tmuxPid(): number | undefined {
    return this.bench.tmux.state === 'gone' ? undefined : this.bench.tmux.serverIdentity?.pid;
  }

  async #killTmux(): Promise<void> {
    const pid = this.#tmuxPid();
    if (pid === undefined) return;
    await ended(pid);
    await until('the end of tmux to be noticed', () => this.bench.tmux.state === 'gone');
  }
}

async function ended(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await until('the tmux server to be gone', () => !isAlive(pid));
}
