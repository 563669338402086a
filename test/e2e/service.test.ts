import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SystemdHost } from '../support/systemd-host.js';
import { until } from '../support/until.js';

const ROOT = join(import.meta.dirname, '../..');
const DAEMON = join(ROOT, 'dist/launch/daemon.cjs');
const COMMAND = join(ROOT, 'bin/maestro.js');

let systemd: SystemdHost | undefined;
beforeAll(async () => {
  systemd = await SystemdHost.start();
});
afterAll(() => systemd?.[Symbol.asyncDispose]());

function host(skip: (why: string) => never): SystemdHost {
  return systemd ?? skip('no systemd may be run here');
}

/** A daemon as a service of this name, used through the command. */
class Service {
  readonly #host: SystemdHost;
  readonly #name: string;
  readonly #state: string;

  private constructor(systemd: SystemdHost, name: string) {
    this.#host = systemd;
    this.#name = `${name}.service`;
    this.#state = `/tmp/${name}/state`;
  }

  static async start(systemd: SystemdHost, name: string, lines: readonly string[] = []): Promise<Service> {
    const service = new Service(systemd, name);
    const home = `/tmp/${name}`;
    await systemd.run('install', '-d', '-o', lines.includes('User=daemon') ? 'daemon' : 'root', home);
    const env = [
      `HOME=${home}`,
      `PATH=${process.env.PATH}`,
      `MAESTRO_STATE_DIR=${service.#state}`,
      'MAESTRO_LISTEN=127.0.0.1:0',
      'SHELL=/bin/sh',
    ];
    const out = ['StandardError=null', `StandardOutput=append:${home}/out`];
    await systemd.service(service.#name, [`Environment=${env.join(' ')}`, `ExecStart=${process.execPath} ${DAEMON}`, ...out, ...lines]);
    await service.isReady(1);
    return service;
  }

  /** What it said when it started, the last time of so many. */
  isReady(starts: number): Promise<{ readonly warnings: readonly string[] }> {
    return until('the daemon to listen', async () => {
      const lines = (await this.#host.run('cat', `/tmp/${this.#name.replace('.service', '')}/out`)).trim().split('\n');
      return lines.length === starts && JSON.parse(lines.at(-1) ?? '');
    });
  }

  maestro(...words: readonly string[]): Promise<string> {
    return this.#host.run('env', `MAESTRO_STATE_DIR=${this.#state}`, process.execPath, COMMAND, ...words);
  }

  async states(): Promise<Record<string, string>> {
    const sessions = JSON.parse(await this.maestro('ls', '--json')) as { status: string; metadata: { name: string } }[];
    return Object.fromEntries(sessions.map(({ status, metadata }) => [metadata.name, status]));
  }

  async tmuxGroup(): Promise<string> {
    const pid = await this.#host.run('tmux', '-S', `${this.#state}/run/tmux.sock`, 'display-message', '-p', '#{pid}');
    return this.#host.run('cat', `/proc/${pid.trim()}/cgroup`);
  }

  systemctl(verb: string): Promise<string> {
    return this.#host.run('systemctl', verb, this.#name);
  }
}

describe('a daemon that is a service', () => {
  test('leaves every program alone when it is restarted, and ends one of them alone', async ({ skip }) => {
    const service = await Service.start(host(skip), 'one');
    for (const name of ['first', 'second']) await service.maestro('new', '--name', name, '--', 'sleep', '1000');
    expect(await service.tmuxGroup()).toMatch(/^0::\/system\.slice\/run-\w+\.scope$/m);
    await service.systemctl('restart');
    expect((await service.isReady(2)).warnings).toEqual([]);
    expect(await service.states()).toEqual({ first: 'running', second: 'running' });
    await service.maestro('stop', 'first');
    expect(await service.states()).toEqual({ first: 'dead', second: 'running' });
  });

  test('says so where systemd lets it start nothing beside the service', async ({ skip }) => {
    const service = await Service.start(host(skip), 'two', ['User=daemon']);
    const [warning] = (await service.isReady(1)).warnings;
    expect(warning).toMatch(/^when two\.service stops or restarts, systemd ends every session with it.*KillMode=process/);
  });
});
