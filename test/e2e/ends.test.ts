import { mkdtemp } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAlive, TestHost } from '../support/daemon-process.js';
import { until } from '../support/until.js';

let host: TestHost;
beforeAll(async () => {
  host = await TestHost.started();
});
afterAll(() => host[Symbol.asyncDispose]());

describe('L2: an end is seen with its code or signal, after its last byte', () => {
  test.each([
    ['exit 7', { code: 7 }],
    ['exit 0', { code: 0 }],
    ['kill -9 $$', { signal: 9 }],
    ['kill -SEGV $$', { signal: 11 }],
    ['sleep 60 & exit 3', { code: 3 }],
    ['nosuchcommand', { code: 127 }],
  ])('%s', async (command, exit) => {
    const { id } = await host.create({ command: `echo last-words; ${command}` });
    const session = await host.reaches(id, 'dead');
    expect(session.exit).toEqual({ ...exit, reason: 'exited', at: expect.any(String) });
    expect((await host.scrollback(id)).toString()).toContain('last-words');
    expect(await host.panes()).not.toContain(id);
    await host.kill(id);
  });

  test('Ctrl-C ends a program as it would in any terminal', async () => {
    const { id } = await host.create({ command: 'echo up; exec sleep 1000' });
    await host.shows(id, 'up');
    await host.call('POST', `/api/sessions/${id}/input`, { keys: ['C-c'] });
    expect((await host.reaches(id, 'dead')).exit).toMatchObject({ signal: 2, reason: 'exited' });
  });

  test('a hundred ends at once are all seen with their own status', async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, async (_, n) => (await host.create({ command: `exit ${n}` })).id));
    for (const [n, id] of ids.entries()) expect((await host.reaches(id, 'dead')).exit).toMatchObject({ code: n });
    await Promise.all(ids.map((id) => host.kill(id)));
  });
});

describe('L2: after a kill the whole process tree is gone', () => {
  test.each([
    ['a nohup child', 'nohup sleep 1000 >/dev/null 2>&1 & echo $! > tree; exec sleep 1000'],
    ['a program that ignores HUP and TERM', 'trap "" HUP TERM; echo $$ > tree; while :; do sleep 0.1; done'],
    ['a child that left the session', 'setsid sh -c "echo \\$\\$ > tree; exec sleep 1000" & exec sleep 1000'],
    [
      'a double fork whose parent is gone',
      '(setsid sh -c "trap \\"\\" HUP; echo \\$\\$ > tree; while :; do sleep 0.1; done" &) & exec sleep 1000',
    ],
    ['a stopped program', 'sh -c "echo \\$\\$ > tree; kill -STOP \\$\\$; exec sleep 1000"; exec sleep 1000'],
  ])('%s', async (_what, command) => {
    const cwd = await mkdtemp(join(host.dir, 'tree-'));
    const { id } = await host.create({ cwd, command });
    const pid = await host.pidFrom(relative(host.dir, join(cwd, 'tree')));
    expect(isAlive(pid)).toBe(true);
    expect((await host.kill(id)).status).toBe(200);
    expect(isAlive(pid)).toBe(false);
    expect(host.processes(id)).toEqual([]);
  });

  test('a process of another session, and one of nobody, are not touched', async () => {
    const other = await host.create({ command: 'exec sleep 1000' });
    const { id } = await host.create({ command: 'exec sleep 1000' });
    await host.kill(id);
    expect((await host.session(other.id)).status).toBe('running');
    expect(host.processes(other.id).length).toBeGreaterThan(0);
    await host.kill(other.id);
  });

  test('a kill that comes from inside the session completes', async () => {
    const node = `${process.execPath} -e 'require("http").request({socketPath: process.env.MAESTRO_SOCKET, path: "/api/sessions/" + process.env.MAESTRO_SESSION_ID, method: "DELETE"}).end()'`;
    const { id } = await host.create({ command: `${node}; exec sleep 1000` });
    await until('the session to be gone', async () => (await host.call('GET', `/api/sessions/${id}`)).status === 404);
    await until('its processes to be gone', () => host.processes(id).length === 0);
    await until('its pane to be gone', async () => !(await host.panes()).includes(id));
  });
});
