import type { Session } from '../../src/protocol/index.js';
import { TestHost } from '../support/daemon-process.js';
import { GitRepo } from '../support/git-repo.js';
import { until } from '../support/until.js';
import type { Calls, Driver } from './driver.js';
import type { HostEvent } from './operation.js';

/** A real daemon, called over HTTP. */
export class DaemonDriver implements Driver {
  readonly #host: TestHost;
  readonly remembers = true;
  #repo: GitRepo | undefined;

  private constructor(host: TestHost) {
    this.#host = host;
  }

  static async create(): Promise<DaemonDriver> {
    return new DaemonDriver(await TestHost.started());
  }

  get place(): string {
    return this.#host.dir;
  }

  get state(): string {
    return this.#host.state;
  }

  get calls(): Calls {
    const on = (id: string, action = '') => `/api/sessions/${id}${action === '' ? '' : `/${action}`}`;
    return {
      create: (request) => this.#call<Session>('POST', '/api/sessions', request),
      get: (id) => this.#call<Session>('GET', on(id)),
      list: () => this.#call<Session[]>('GET', '/api/sessions'),
      resume: (id) => this.#call('POST', on(id, 'resume')),
      stop: (id) => this.#call('POST', on(id, 'stop')),
      restart: (id) => this.#call('POST', on(id, 'restart')),
      kill: (id, { force }) => this.#call('DELETE', `${on(id)}${force === true ? '?force=true' : ''}`),
      patch: (id, metadata) => this.#call('PATCH', on(id), { metadata }),
      report: (id, request) => this.#call('POST', on(id, 'activity'), request),
      resize: (id, size) => this.#call('POST', on(id, 'size'), size),
      input: (id, request) => this.#call('POST', on(id, 'input'), request),
      scrollback: async (id) => (await this.#host.scrollback(id)).toString(),
    };
  }

  async repository(): Promise<string> {
    this.#repo ??= await GitRepo.create();
    return this.#repo.path;
  }

  async happen(event: HostEvent): Promise<void> {
    switch (event) {
      case 'flush':
        // A daemon flushes by itself, as late as it may.
        return;
      case 'daemon stops':
        await this.#host.restart('SIGTERM');
        return;
      case 'daemon crashes':
        return this.crash();
      case 'tmux dies':
        return this.#killTmux();
      case 'both die': {
        await this.#host.end('SIGKILL');
        await this.#killTmux();
        await this.#host.start();
      }
    }
  }

  async crash(): Promise<void> {
    await this.#host.restart('SIGKILL');
  }

  async panes(): Promise<readonly string[]> {
    if ((await this.#host.panes()).length === 0) return [];
    const listed = await this.#host.tmux('list-panes', '-a', '-F', '#{session_name} #{window_width}x#{window_height}');
    return listed.split('\n').filter((line) => line !== '' && !line.startsWith('maestro-ctl '));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host[Symbol.asyncDispose]();
    await this.#repo?.[Symbol.asyncDispose]();
  }

  async #killTmux(): Promise<void> {
    const pid = await this.#host.tmuxPid().catch(() => undefined);
    if (pid !== undefined) await this.#host.killTmux();
    await until('the tmux server to be gone', async () => (await this.#host.panes()).length === 0);
  }

  async #call<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.#host.call<T & { error?: { code: string; message: string } }>(method, path, body);
    if (answer.status < 300) return answer.body;
    throw Object.assign(new Error(answer.body.error?.message ?? `answered ${answer.status}`), { code: answer.body.error?.code });
  }
}
