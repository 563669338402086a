import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiError, Session } from '../../src/protocol/index.js';
import { isAlive, TestHost } from '../support/daemon-process.js';
import { until } from '../support/until.js';

let host: TestHost;
beforeAll(async () => {
  host = await TestHost.started();
});
afterAll(() => host[Symbol.asyncDispose]());

const stop = (id: string) => host.call<Session & ApiError>('POST', `/api/sessions/${id}/stop`);

describe('stop', () => {
  test('ends the program, keeps everything, and is told as a stop', async () => {
    const { id } = await host.create({ command: 'echo $$ > stopped; echo words; exec sleep 1000', metadata: { name: 'keep' } });
    const pid = await host.pidFrom('stopped');
    const { status, body } = await stop(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'dead', exit: { reason: 'stopped' }, metadata: { name: 'keep' } });
    expect(isAlive(pid)).toBe(false);
    expect((await host.scrollback(id)).toString()).toContain('words');
    expect((await stop(id)).body.error.code).toBe('not_running');
    expect((await host.resume(id)).status).toBe(200);
    await host.kill(id);
  });

  test('asked twice at once it stops once and answers both', async () => {
    const { id } = await host.create({ command: 'trap "" HUP; exec sleep 1000' });
    const answers = await Promise.all([stop(id), stop(id)]);
    expect(answers.map((answer) => answer.body.status)).toEqual(['dead', 'dead']);
    await host.kill(id);
  });

  test('a stop that a crash cut off is finished by the next daemon', async () => {
    const { id } = await host.create({ command: 'trap "" HUP TERM; echo up; while :; do sleep 0.1; done' });
    await host.shows(id, 'up');
    const stopping = stop(id).catch(() => undefined);
    await until('the intent', async () => (await host.sidecar(id)).intent !== undefined);
    await host.restart('SIGKILL');
    await stopping;
    expect((await host.reaches(id, 'dead')).exit).toMatchObject({ reason: 'stopped' });
    await host.kill(id);
  });
});

describe('K1: kill', () => {
  test('removes pane, sidecar, scrollback and fifo, and leaves a tombstone', async () => {
    const { id } = await host.create({ command: 'echo words; exec sleep 1000' });
    await host.shows(id, 'words');
    const answer = await host.kill(id);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ removed: true, worktree: 'none' });
    expect(await host.panes()).not.toContain(id);
    expect(host.processes(id)).toEqual([]);
    const left = await Promise.all(['sessions', 'scrollback', 'run/pty', 'trash'].map((dir) => readdir(join(host.state, dir))));
    expect(
      left
        .slice(0, 3)
        .flat()
        .filter((name) => name.includes(id)),
    ).toEqual([]);
    expect(left[3]).toContain(id);
    expect((await host.kill(id)).status).toBe(404);
    await host.restart('SIGKILL');
    expect((await host.call('GET', `/api/sessions/${id}`)).status).toBe(404);
  });

  test('removes a session that rests too', async () => {
    const { id } = await host.create({ command: 'true' });
    await host.reaches(id, 'dead');
    expect((await host.kill(id)).body.removed).toBe(true);
    expect(existsSync(join(host.state, 'scrollback', `${id}.bin`))).toBe(false);
  });

  test('asked twice at once it kills once and answers both alike', async () => {
    const { id } = await host.create({ command: 'trap "" HUP; echo up; exec sleep 1000' });
    await host.shows(id, 'up');
    const answers = await Promise.all([host.kill(id), host.kill(id)]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
  });
});

describe('graceful end of the daemon', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s flushes the scrollback, leaves the programs running and exits with 0', async (signal) => {
    const { id } = await host.create({ command: 'echo unflushed; exec sleep 1000' });
    await host.reads(id, 'unflushed');
    expect(await host.end(signal)).toBe(0);
    expect((await readFile(join(host.state, 'scrollback', `${id}.bin`))).toString('latin1')).toContain('unflushed');
    expect(host.processes(id).length).toBeGreaterThan(0);
    expect(existsSync(join(host.state, 'run', 'maestro.sock'))).toBe(false);
    await host.start();
    expect((await host.session(id)).status).toBe('running');
    await host.kill(id);
  });
});
