import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { isAlive, TestHost } from '../support/daemon-process.js';
import { until } from '../support/until.js';

let host: TestHost;
afterEach(() => host[Symbol.asyncDispose]());

describe('L5: a reboot is not an exit', () => {
  const agent = { command: 'echo $$ >> pids; exec sleep 1000' };

  async function agentsDie(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const pids = (await readFile(join(host.dir, 'pids'), 'utf8')).trim().split('\n').map(Number);
    for (const pid of pids) process.kill(pid, signal);
    await until('the agents to be gone', () => pids.every((pid) => !isAlive(pid)));
  }

  const steps: Record<string, () => Promise<unknown>> = {
    agents: () => agentsDie(),
    tmux: () => host.killTmux(),
    daemon: () => host.end('SIGKILL'),
    'daemon politely': () => host.end('SIGTERM'),
  };
  const orders = [
    ['agents', 'tmux', 'daemon'],
    ['agents', 'daemon', 'tmux'],
    ['daemon', 'agents', 'tmux'],
    ['daemon', 'tmux', 'agents'],
    ['tmux', 'agents', 'daemon'],
    ['tmux', 'daemon', 'agents'],
    ['agents', 'daemon politely', 'tmux'],
    ['daemon politely', 'agents', 'tmux'],
  ];

  test.each(orders)('when %s, then %s, then %s go down, every session is dormant and lost', async (...order) => {
    host = await TestHost.started();
    const ids = [(await host.create(agent)).id, (await host.create(agent)).id];
    await until('the agents', async () => (await readFile(join(host.dir, 'pids'), 'utf8')).trim().split('\n').length === 2);
    for (const step of order) {
      await steps[step]?.();
      if (step === 'agents' && order.indexOf('agents') < order.findIndex((one) => one.startsWith('daemon'))) {
        for (const id of ids) await until('the daemon to have seen it', async () => (await host.session(id)).status !== 'running');
      }
      // tmux takes programs with it that do not ignore SIGHUP.
      if (step === 'tmux') await until('the agents to be gone', () => host.processes().length === 0);
    }
    await host.start();
    for (const id of ids) {
      expect(await host.session(id)).toMatchObject({ status: 'dormant', exit: { reason: 'lost' } });
      expect((await host.resume(id)).status).toBe(200);
    }
  });

  test('a program that exits by itself stays dead when only the daemon goes down after it', async () => {
    host = await TestHost.started();
    const { id } = await host.create({ command: 'exit 4' });
    await host.create({ command: 'exec sleep 1000' });
    await host.reaches(id, 'dead');
    await host.restart('SIGKILL');
    expect(await host.session(id)).toMatchObject({ status: 'dead', exit: { code: 4, reason: 'exited' } });
  });

  test('a stop that was asked for stays a stop', async () => {
    host = await TestHost.started();
    const { id } = await host.create({ command: 'exec sleep 1000' });
    await host.call('POST', `/api/sessions/${id}/stop`);
    await host.killTmux();
    await host.restart('SIGKILL');
    expect(await host.session(id)).toMatchObject({ status: 'dead', exit: { reason: 'stopped' } });
  });
});

describe('resume_on_start', () => {
  test.each([
    ['never', []],
    ['agents', ['agent']],
    ['all', ['agent', 'plain']],
  ])('%s resumes what was lost accordingly, and nothing that had ended', async (policy, resumed) => {
    host = await TestHost.create();
    await mkdir(join(host.home, '.config', 'maestro'), { recursive: true });
    await writeFile(
      join(host.home, '.config', 'maestro', 'config.toml'),
      '[[presets]]\nid = "fake"\ncommand = "exec sleep 1000"\nresume_command = "exec sleep 2000"\n',
    );
    await host.start();
    const agent = await host.create({ preset: 'fake', metadata: { name: 'agent' } } as never);
    await host.create({ command: 'exec sleep 1001', metadata: { name: 'plain' } });
    const over = await host.create({ command: 'exit 0', metadata: { name: 'over' } });
    await host.reaches(over.id, 'dead');
    // So long ago that it cannot belong to the host's going down.
    await host.end('SIGKILL');
    const exit = { reason: 'exited', code: 0, at: '2020-01-01T00:00:00.000Z' };
    await writeFile(join(host.state, 'sessions', `${over.id}.json`), JSON.stringify({ ...(await host.sidecar(over.id)), exit }));
    await host.killTmux();
    await host.start({ env: { MAESTRO_RESUME_ON_START: policy, MAESTRO_DEAD_RETENTION: '3650d' } });
    const running = async () =>
      (await host.sessions()).filter((session) => session.status === 'running').map((session) => session.metadata.name);
    await until('the resumes', async () => (await running()).length === resumed.length);
    expect(new Set(await running())).toEqual(new Set(resumed));
    expect((await host.session(over.id)).status).toBe('dead');
    expect(await host.session(agent.id)).toBeDefined();
  });
});
