import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ApiError, Session } from '../../src/protocol/index.js';
import { isAlive, TestHost } from '../support/daemon-process.js';
import { until } from '../support/until.js';

let host: TestHost;
let bin: string;
beforeAll(async () => {
  host = await TestHost.create({ env: { MAESTRO_CONFIG: '', MAESTRO_RESUME_CONFIRM: '1s' } });
  bin = join(host.home, '.local', 'bin');
  await mkdir(bin, { recursive: true });
  await mkdir(join(host.home, '.config', 'maestro'), { recursive: true });
  await writeFile(
    join(host.home, '.config', 'maestro', 'config.toml'),
    '[[presets]]\nid = "fake"\ncommand = "fake-agent"\nresume_command = "fake-agent --resume {agent_session}"\nexecutable = "fake-agent"\n',
  );
  await agent('echo "argv:$*"; exec sleep 1000');
  await host.start();
});
afterAll(() => host[Symbol.asyncDispose]());
afterEach(async () => {
  for (const session of await host.sessions()) await host.kill(session.id);
});

/** What the fake agent does when it is started. */
async function agent(script: string): Promise<void> {
  await writeFile(join(bin, 'fake-agent'), `#!/bin/sh\n${script}\n`);
  await chmod(join(bin, 'fake-agent'), 0o755);
}

async function stopped(request: Parameters<TestHost['create']>[0]): Promise<Session> {
  const session = await host.create(request);
  expect((await host.call('POST', `/api/sessions/${session.id}/stop`)).status).toBe(200);
  return session;
}

const report = (id: string, body: unknown) => host.call<Session>('POST', `/api/sessions/${id}/activity`, body);

describe('R1', () => {
  test('a dead session comes back under its own id, with what it was made of', async () => {
    const request = {
      command: 'echo "run:$MAESTRO_RUN:$MINE"; exec sleep 1000',
      env: { MINE: 'a b' },
      metadata: { name: 'one', deep: { x: [1] } },
      size: { cols: 100, rows: 30 },
    };
    const before = await stopped(request);
    const { status, body } = await host.resume(before.id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...request, id: before.id, status: 'running', created_at: before.created_at, cwd: before.cwd });
    expect(body).not.toHaveProperty('exit');
    await host.shows(before.id, 'run:2:a b');
    expect(await host.panes()).toEqual([before.id]);
    expect(await host.sidecar(before.id)).toMatchObject({ status: 'running', run: 2 });
    expect((await host.tmux('display-message', '-p', '-t', `=${before.id}:`, '#{window_width}x#{window_height}')).trim()).toBe('100x30');
  });

  test('a resume needs no body and no content type, and takes an empty JSON one', async () => {
    const { id } = await stopped({ command: 'sleep 1000' });
    expect((await host.call('POST', `/api/sessions/${id}/resume`, '', { 'content-type': 'application/json' })).status).toBe(200);
  });
});

describe('R3', () => {
  test("the preset's resume command runs with the conversation that was reported last", async () => {
    const { id } = await host.create({ preset: 'fake' } as never);
    await report(id, { state: 'working', agent_session: 'c1', run: 1 });
    await report(id, { state: 'idle', agent_session: 'c2' });
    await host.call('POST', `/api/sessions/${id}/stop`);
    expect((await host.session(id)).command).toBe('fake-agent');
    await host.resume(id);
    await host.shows(id, 'argv:--resume c2');
    expect((await host.session(id)).command).toBe('fake-agent');
  });

  test('a conversation reported after the program had ended, and a restart of the daemon, are not forgotten', async () => {
    const { id } = await stopped({ preset: 'fake' } as never);
    expect((await report(id, { state: 'idle', agent_session: 'late' })).status).toBe(200);
    await host.restart();
    expect((await host.session(id)).agent_session).toBe('late');
    await host.resume(id);
    await host.shows(id, 'argv:--resume late');
  });

  test('a preset is found by an equal command too, and without a conversation the command itself runs', async () => {
    const { id } = await stopped({ command: 'fake-agent' });
    await host.resume(id);
    await host.shows(id, 'argv:');
    expect(await host.screen(id)).not.toContain('resume');
    await host.call('POST', `/api/sessions/${id}/stop`);
    await report(id, { state: 'idle', agent_session: 'c9' });
    await host.resume(id);
    await host.shows(id, 'argv:--resume c9');
  });

  test('two sessions in one directory each resume their own conversation', async () => {
    const ids = await Promise.all(
      ['c1', 'c2'].map(async (conversation) => {
        const { id } = await host.create({ preset: 'fake' } as never);
        await report(id, { state: 'idle', agent_session: conversation });
        await host.call('POST', `/api/sessions/${id}/stop`);
        return id;
      }),
    );
    await Promise.all(ids.map((id) => host.resume(id)));
    await host.shows(ids[0] ?? '', '--resume c1');
    await host.shows(ids[1] ?? '', '--resume c2');
  });

  test('what an older run says does not replace what a newer one said', async () => {
    const { id } = await stopped({ command: 'sleep 1000' });
    await host.resume(id);
    await report(id, { state: 'working', agent_session: 'new', run: '2' });
    const answer = await report(id, { state: 'idle', agent_session: 'old', run: '1' });
    expect(answer.body).toMatchObject({ agent_session: 'new', activity: { state: 'working' } });
  });
});

describe('R5', () => {
  test('an unknown id is not_found, a running session already_running and untouched', async () => {
    expect((await host.call<ApiError>('POST', '/api/sessions/11111111-1111-4111-8111-111111111111/resume')).body.error.code).toBe(
      'not_found',
    );
    const { id } = await host.create({ command: 'exec sleep 1000' });
    const answer = await host.call<ApiError>('POST', `/api/sessions/${id}/resume`);
    expect(answer.status).toBe(409);
    expect(answer.body.error.code).toBe('already_running');
    expect(await host.sidecar(id)).toMatchObject({ status: 'running', run: 1 });
  });

  test('a directory that is gone refuses the resume and changes nothing; once it is back, it works (R8)', async () => {
    const cwd = join(host.dir, 'gone');
    await mkdir(cwd);
    const { id } = await stopped({ cwd, command: 'echo hello; exec sleep 1000' });
    await report(id, { state: 'idle', agent_session: 'c1' });
    const before = await host.session(id);
    const words = (await host.scrollback(id)).toString();
    await rm(cwd, { recursive: true });
    for (const replace of [async () => undefined, () => writeFile(cwd, '')]) {
      await replace();
      const answer = await host.call<ApiError>('POST', `/api/sessions/${id}/resume`);
      expect(answer.status).toBe(409);
      expect(answer.body.error).toMatchObject({ code: 'cwd_missing', message: expect.stringContaining(cwd) });
      expect(await host.session(id)).toEqual(before);
      expect(await host.panes()).toEqual([]);
    }
    expect((await host.scrollback(id)).toString()).toBe(words);
    await rm(cwd);
    await mkdir(cwd);
    expect((await host.resume(id)).status).toBe(200);
  });

  test('a session that rests has no screen and takes no input, and its scrollback can be read', async () => {
    const { id } = await stopped({ command: 'echo old-words; exec sleep 1000' });
    for (const [method, action, body] of [
      ['GET', 'screen', undefined],
      ['POST', 'input', { text: 'x' }],
      ['POST', 'stop', undefined],
    ] as const) {
      const answer = await host.call<ApiError>(method, `/api/sessions/${id}/${action}`, body);
      expect(answer.body.error.code).toBe('not_running');
      expect(answer.status).toBe(409);
    }
    expect((await host.scrollback(id)).toString()).toContain('old-words');
  });
});

describe('R6', () => {
  test('of twenty resumes at once one wins, the others are refused, and there is one pane', async () => {
    const { id } = await stopped({ command: 'exec sleep 1000' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => host.call<ApiError>('POST', `/api/sessions/${id}/resume`)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    for (const answer of answers.filter((one) => one.status !== 200)) expect(answer.body.error.code).toBe('already_running');
    expect(await host.panes()).toEqual([id]);
    expect(await host.sidecar(id)).toMatchObject({ run: 2 });
  });
});

describe('R9', () => {
  test('a resumed program that fails at once leaves the session dormant, with its words and its former conversation', async () => {
    await agent('case "$1" in --resume) echo "No conversation found"; exit 1;; *) echo started; exec sleep 1000;; esac');
    const { id } = await host.create({ preset: 'fake' } as never);
    await report(id, { state: 'idle', agent_session: 'c1' });
    await host.shows(id, 'started');
    await host.call('POST', `/api/sessions/${id}/stop`);
    expect((await host.resume(id)).status).toBe(200);
    const after = await host.reaches(id, 'dormant');
    expect(after).toMatchObject({ agent_session: 'c1', exit: { code: 1, reason: 'resume_failed' } });
    const words = (await host.scrollback(id)).toString();
    expect(words).toContain('started');
    expect(words).toContain('No conversation found');
    await agent('echo "argv:$*"; exec sleep 1000');
    await host.resume(id);
    await host.shows(id, 'argv:--resume c1');
  });

  test('a resumed program that ends with 0 is dead, and one that outlives resume_confirm is confirmed', async () => {
    await agent('case "$1" in --resume) exit 0;; *) exec sleep 1000;; esac');
    const { id } = await host.create({ preset: 'fake' } as never);
    await report(id, { state: 'idle', agent_session: 'c1' });
    await host.call('POST', `/api/sessions/${id}/stop`);
    await host.resume(id);
    expect((await host.reaches(id, 'dead')).exit).toMatchObject({ code: 0, reason: 'exited' });
    await agent('trap "exit 7" USR1; echo $$ > pid; while :; do sleep 0.05; done');
    await host.resume(id);
    await until('the resume to be confirmed', async () => (await host.sidecar(id)).intent === undefined);
    process.kill(await host.pidFrom('pid'), 'SIGUSR1');
    expect((await host.reaches(id, 'dead')).exit).toMatchObject({ code: 7, reason: 'exited' });
  });

  test('the intent survives the daemon: a program that fails while none runs is still a failed resume', async () => {
    await agent('case "$1" in --resume) while [ ! -e fail ]; do sleep 0.02; done; exit 1;; *) exec sleep 1000;; esac');
    const { id } = await host.create({ preset: 'fake' } as never);
    await report(id, { state: 'idle', agent_session: 'c1' });
    await host.call('POST', `/api/sessions/${id}/stop`);
    await host.resume(id);
    await host.end('SIGKILL');
    await writeFile(join(host.dir, 'fail'), '');
    await until('the program to have failed', async () => (await host.tmux('list-panes', '-a', '-F', '#{pane_dead}')).includes('1'));
    await host.start();
    expect(await host.session(id)).toMatchObject({ status: 'dormant', agent_session: 'c1', exit: { code: 1, reason: 'resume_failed' } });
    await rm(join(host.dir, 'fail'));
  });
});

describe('R10', () => {
  test("processes of a session's former life are ended before the new one starts", async () => {
    const command =
      '(trap "" HUP TERM; setsid sh -c \'echo $$ > writer; exec sleep 1000\') & while [ ! -s writer ]; do sleep 0.02; done; exit 0';
    const { id } = await host.create({ command });
    await host.reaches(id, 'dead');
    const writer = await host.pidFrom('writer');
    expect(isAlive(writer)).toBe(true);
    await host.resume(id);
    expect(isAlive(writer)).toBe(false);
  });
});

describe('an agent that is not installed', () => {
  test('is agent_not_found on create and on resume, naming what was looked for and where', async () => {
    const { id } = await stopped({ preset: 'fake' } as never);
    await rm(join(bin, 'fake-agent'));
    const created = await host.call<ApiError>('POST', '/api/sessions', { cwd: host.dir, preset: 'fake' });
    expect(created.status).toBe(422);
    expect(created.body.error).toMatchObject({ code: 'agent_not_found', message: expect.stringMatching(/fake-agent.*\.local\/bin/s) });
    expect((await host.resume(id)).status).toBe(422);
    expect((await host.session(id)).status).toBe('dead');
    await agent('exec sleep 1000');
    expect((await host.resume(id)).status).toBe(200);
  });

  test('GET /api/presets says which agents are installed, and where', async () => {
    await agent('exec sleep 1000');
    const presets = (await host.call<{ id: string; installed: boolean; path?: string }[]>('GET', '/api/presets')).body;
    expect(presets.map((preset) => preset.id)).toEqual(
      expect.arrayContaining(['claude', 'codex', 'gemini', 'opencode', 'aider', 'shell', 'fake']),
    );
    expect(presets.find((preset) => preset.id === 'fake')).toMatchObject({ installed: true, path: join(bin, 'fake-agent') });
    expect(presets.find((preset) => preset.id === 'shell')?.installed).toBe(true);
  });
});

test('restart ends the program and starts it again under the same id', async () => {
  const { id } = await host.create({ command: 'echo $$ >> pids; exec sleep 1000' });
  await host.pidFrom('pids');
  const { status, body } = await host.call<Session>('POST', `/api/sessions/${id}/restart`);
  expect(status).toBe(200);
  expect(body.status).toBe('running');
  const [first, second] = await until('the second', async () => {
    const pids = (await readFile(join(host.dir, 'pids'), 'utf8')).trim().split('\n').map(Number);
    return pids.length === 2 ? pids : undefined;
  });
  expect(isAlive(first ?? 0)).toBe(false);
  expect(isAlive(second ?? 0)).toBe(true);
  expect(await host.panes()).toEqual([id]);
});
