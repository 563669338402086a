import { existsSync } from 'node:fs';
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

/** Starts the daemon in a scope below the service, as others make them for what they start. */
function inScope(name: string): string[] {
  const enter = `d=/sys/fs/cgroup$$(sed -n s/^0:://p /proc/self/cgroup)/${name} && mkdir -p $$d && echo $$$$ > $$d/cgroup.procs`;
  return ['Delegate=yes', 'ExecStart=', `ExecStart=/bin/sh -c '${enter} && exec ${process.execPath} ${DAEMON}'`];
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

  test('says so where it ends with the last login of a user, who can have it kept', async ({ skip }) => {
    const systemd = host(skip);
    // As a terminal of a desktop is started, whose programs are the user's own manager's.
    const service = await Service.start(systemd, 'user@0', inScope('vte-spawn-1.scope'));
    expect((await service.isReady(1)).warnings).toEqual([expect.stringMatching(/^when you log out, .*loginctl enable-linger$/)]);
    await systemd.run('install', '-D', '/dev/null', '/var/lib/systemd/linger/root');
    await service.systemctl('restart');
    expect((await service.isReady(2)).warnings).toEqual([]);
  });

  test('says so where it ends with the login that it was started from', async ({ skip }) => {
    const systemd = host(skip);
    if (!existsSync('/usr/bin/dbus-daemon') || !existsSync('/lib/systemd/systemd-logind')) skip('no message bus or logind is installed');
    const settings = async (...lines: string[]) => {
      await systemd.write('/etc/systemd/logind.conf.d/test.conf', ['[Login]', 'NAutoVTs=0', 'ReserveVT=0', ...lines]);
      await systemd.run('systemctl', 'restart', 'login.service');
      await until('logind to be on the bus', () => systemd.run('busctl', 'status', 'org.freedesktop.login1').then(() => true));
    };
    await systemd.service('bus.service', [
      'ExecStartPre=mkdir -p /run/dbus',
      'ExecStart=/usr/bin/dbus-daemon --system --nofork --nopidfile',
    ]);
    await systemd.service('login.service', ['ExecStart=/lib/systemd/systemd-logind']);
    await settings();
    const service = await Service.start(systemd, 'shell', inScope('session-1.scope'));
    expect((await service.isReady(1)).warnings).toEqual([]);
    await settings('KillUserProcesses=yes', 'KillExcludeUsers=');
    await service.systemctl('restart');
    expect((await service.isReady(2)).warnings).toEqual([expect.stringMatching(/^when you log out, .*KillUserProcesses=yes/)]);
    await settings('KillUserProcesses=yes', 'KillExcludeUsers=root');
    await service.systemctl('restart');
    expect((await service.isReady(3)).warnings).toEqual([]);
  });
});
