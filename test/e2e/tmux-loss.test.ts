import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { TestHost } from '../support/daemon-process.js';
import { until } from '../support/until.js';

let host: TestHost;
afterEach(() => host[Symbol.asyncDispose]());

const quick = { MAESTRO_SCROLLBACK_FLUSH_INTERVAL: '100ms' };

describe('L3', () => {
  test('a tmux that hangs changes no session, refuses what needs it, and all goes on when it answers', async () => {
    host = await TestHost.started({ env: { MAESTRO_LIVENESS_INTERVAL: '100ms' } });
    const { id } = await host.create({ command: 'exec cat' });
    const pid = await host.tmuxPid();
    process.kill(pid, 'SIGSTOP');
    try {
      const answer = await host.call<{ error: { code: string } }>('POST', `/api/sessions/${id}/input`, { text: 'lost?' });
      expect(answer.status).toBe(503);
      expect(answer.body.error.code).toBe('tmux_unavailable');
      expect((await host.session(id)).status).toBe('running');
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await until(
      'tmux to answer again',
      async () => (await host.call('POST', `/api/sessions/${id}/input`, { text: 'again' })).status === 200,
    );
    await host.shows(id, 'again');
    expect((await host.session(id)).status).toBe('running');
  });

  test('a tmux that is gone makes running sessions dormant, and a resume starts a new one', async () => {
    host = await TestHost.started({ env: quick });
    const first = await host.create({ command: 'echo words; exec sleep 1000' });
    const second = await host.create({ command: 'exec sleep 1000' });
    await until('the words on disk', async () => (await readFile(join(host.state, 'scrollback', `${first.id}.bin`))).includes('words'));
    await host.killTmux();
    for (const { id } of [first, second]) expect((await host.reaches(id, 'dormant')).exit).toMatchObject({ reason: 'lost' });
    expect((await host.resume(first.id)).status).toBe(200);
    await host.shows(first.id, 'words');
    expect((await host.session(second.id)).status).toBe('dormant');
    expect((await host.create({ command: 'exec sleep 1000' })).status).toBe('running');
  });

  test('a deleted tmux socket is put back by the server that lives, and nothing is started twice', async () => {
    host = await TestHost.started();
    const { id } = await host.create({ command: 'exec cat' });
    const pid = await host.tmuxPid();
    await rm(join(host.state, 'run', 'tmux.sock'));
    await host.restart('SIGKILL');
    expect(await host.tmuxPid()).toBe(pid);
    expect((await host.session(id)).status).toBe('running');
  });
});
