import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ApiError, KillResult, Salvage, Session, TrustedProject } from '../../src/protocol/index.js';
import { TestHost } from '../support/daemon-process.js';
import { GitRepo } from '../support/git-repo.js';
import { makeReadOnly, mountProblem, SmallDisk } from '../support/small-disk.js';
import { until } from '../support/until.js';

const PROBLEM = mountProblem();
const QUICK = { MAESTRO_SCROLLBACK_FLUSH_INTERVAL: '100ms', MAESTRO_LIVENESS_INTERVAL: '100ms' };

let host: TestHost;
let repo: GitRepo;
let disk: SmallDisk;

beforeEach(async ({ skip }) => {
  if (PROBLEM !== undefined) skip(PROBLEM);
  repo = await GitRepo.create();
  await repo.write('.maestro/config.toml', 'setup = "true"\n');
  await repo.commit('set-up');
});

afterEach(async () => {
  if (PROBLEM !== undefined) return;
  await host[Symbol.asyncDispose]();
  await repo[Symbol.asyncDispose]();
});

/** Worktrees are beside the repository, so that the disk of the state directory holds what Maestro itself notes and nothing else. */
async function started(smallDisk: 'state' | 'repository'): Promise<void> {
  const worktrees = smallDisk === 'state' ? repo.worktreesDir : undefined;
  host = await TestHost.create({ env: { ...repo.env, ...QUICK, ...(worktrees && { MAESTRO_WORKTREES_DIR: worktrees }) } });
  if (smallDisk === 'state') {
    disk = await SmallDisk.mount(host.state, 2048);
    host.defer(() => disk.unmount());
  }
  await host.start();
}

const create = (branch: string) => {
  const worktree = { base_repo: repo.path, branch, setup: 'skip' };
  return host.call<Session & ApiError>('POST', '/api/sessions', { command: 'exec cat', worktree });
};

const branches = () => repo.git('for-each-ref', '--format=%(refname:short)', 'refs/heads');
const worktrees = async () => (await repo.git('worktree', 'list', '--porcelain')).match(/^worktree /gm)?.length;

describe('C3, K2: on a full state directory', () => {
  beforeEach(() => started('state'));

  test('a create with a worktree is refused with the cause and leaves nothing; it works once there is room', async () => {
    await disk.fill();
    const { status, body } = await create('one');
    expect([status, body.error]).toEqual([
      507,
      expect.objectContaining({ code: 'storage_failed', message: expect.stringContaining('no space left') }),
    ]);
    expect([await branches(), await worktrees(), await host.panes(), await host.sessions()]).toEqual(['main', 1, [], []]);
    expect(await readdir(join(host.state, 'worktree-records'))).toEqual([]);
    await disk.free();
    expect((await create('one')).status).toBe(201);
  });

  test('a forced kill saves the work; where it is saved is told at once, and noted once there is room', async () => {
    const { id, cwd } = (await create('one')).body;
    await writeFile(join(cwd, 'work'), 'precious');
    await disk.fill();
    expect((await host.kill(id)).status).toBe(409);
    const { status, body } = await host.kill(id, '?force=true');
    expect([status, body.worktree]).toEqual([200, 'removed']);
    expect(await repo.git('show', `${body.salvage_ref}:work`)).toBe('precious');
    expect((await host.call<Salvage[]>('GET', '/api/salvage')).body).toMatchObject([{ id }]);
    expect(await host.sessions()).toEqual([]);
    await disk.free();
    await until('the salvage to be noted', () => existsSync(join(host.state, 'salvage', `${id}.json`)));
    await host.restart('SIGKILL');
    expect((await host.call<Salvage[]>('GET', '/api/salvage')).body).toMatchObject([{ id, ref: body.salvage_ref }]);
  });

  test('trust, its withdrawal, logins and another token are refused with the cause and are as before; all work once there is room', async () => {
    const { body: setup } = await host.call<{ hash: string }>('GET', `/api/projects/setup?repo=${repo.path}`);
    const code = async () => (await host.call<{ code: string }>('POST', '/api/auth/link')).body.code;
    const steps: readonly (readonly [string, () => Promise<{ status: number; body: unknown }>])[] = [
      ['trust', () => host.call('POST', '/api/projects/trust', { repo: repo.path, hash: setup.hash })],
      ['login', async () => host.call('POST', '/api/auth/login', { code: await code() })],
      ['token', () => host.callLocal('POST', '/api/auth/rotate')],
    ];
    const names = ['trust.json', 'browser-sessions.json', 'token'];
    const kept = () => Promise.all(names.map((name) => readFile(join(host.state, name), 'utf8').catch(() => undefined)));
    const trusted = async () => (await host.call<TrustedProject[]>('GET', '/api/projects/trust')).body.length;
    const before = await kept();
    await disk.fill();
    for (const [what, step] of steps) {
      const { status, body } = await step();
      expect([what, status, (body as ApiError).error]).toMatchObject([what, 507, { code: 'storage_failed' }]);
    }
    expect([await kept(), await trusted()]).toEqual([before, 0]);
    expect((await host.call('GET', '/api/sessions')).status).toBe(200);
    await disk.free();
    for (const [what, step] of steps.slice(0, 2)) expect([what, (await step()).status]).toEqual([what, 200]);
    expect(await trusted()).toBe(1);
    await disk.fill();
    const revoke = () => host.call('DELETE', `/api/projects/trust?repo=${repo.path}`);
    expect([(await revoke()).status, await trusted()]).toEqual([507, 1]);
    await disk.free();
    expect([(await revoke()).status, await trusted()]).toEqual([200, 0]);
  });

  test('L4: a daemon starts although tmux is gone too, and its sessions can be resumed once there is room', async () => {
    const { id } = await host.create({ command: 'exec cat' });
    await disk.fill();
    await host.end('SIGKILL');
    await host.killTmux();
    await host.start();
    expect((await host.session(id)).status).toBe('dormant');
    expect((await host.resume(id)).status).toBe(507);
    await disk.free();
    expect((await host.resume(id)).status).toBe(200);
    await until('tmux to be noted', async () => {
      const noted = JSON.parse(await readFile(join(host.state, 'run', 'tmux.json'), 'utf8')) as { pid: number };
      return noted.pid === (await host.tmuxPid());
    });
  });

  test('a daemon starts although the record of a worktree is lost and cannot be written again', async () => {
    const { id } = (await create('one')).body;
    await host.end('SIGKILL');
    const record = join(host.state, 'worktree-records', `${id}.json`);
    await writeFile(record, '');
    await disk.fill();
    const { warnings } = await host.start();
    expect(warnings.join('\n')).toMatch(/worktrees: .*no space left on device/);
    expect((await host.session(id)).status).toBe('running');
    await disk.free();
    await host.restart('SIGKILL');
    expect((await host.kill(id)).body.worktree).toBe('removed');
  });
});

describe('K2: on the full disk of a repository', () => {
  test('a forced kill that cannot save the work is refused and keeps all of it; once there is room it saves it', async () => {
    await repo[Symbol.asyncDispose]();
    repo = await GitRepo.create();
    disk = await SmallDisk.mount(join(repo.root, 'small'), 1024);
    const path = join(repo.root, 'small', 'repo');
    await repo.git('clone', '--quiet', repo.path, path);
    await started('repository');
    host.defer(() => disk.unmount());
    const worktree = { base_repo: path, branch: 'one' };
    const { id, cwd } = (await host.call<Session>('POST', '/api/sessions', { command: 'exec cat', worktree })).body;
    await writeFile(join(cwd, 'work'), 'precious'.repeat(10_000));
    await disk.fill();
    const refused = await host.call<ApiError>('POST', '/api/sessions', { command: 'exec cat', worktree: { ...worktree, branch: 'two' } });
    expect([refused.status, refused.body.error]).toMatchObject([507, { code: 'storage_failed' }]);
    const killed = await host.kill(id, '?force=true');
    const { error } = killed.body as unknown as ApiError;
    expect([killed.status, error]).toEqual([
      507,
      expect.objectContaining({ code: 'storage_failed', message: expect.stringContaining('is kept') }),
    ]);
    expect(await readFile(join(cwd, 'work'), 'utf8')).toBe('precious'.repeat(10_000));
    expect((await host.session(id)).status).toBe('dead');
    await disk.free();
    const { status, body } = await host.kill(id, '?force=true');
    expect([status, body.worktree]).toEqual([200, 'removed']);
    expect(await repo.gitAt(path, 'show', `${body.salvage_ref}:work`)).toBe('precious'.repeat(10_000));
  });
});

describe('K1: on a state directory that turned read-only', () => {
  test('a kill whose files cannot go is refused with the cause, and is finished by itself once they can', async () => {
    await started('repository');
    const { id } = await host.create({ command: 'exec cat' });
    const restore = await makeReadOnly(join(host.state, 'sessions'));
    let isReadOnly = true;
    const writable = async () => {
      if (isReadOnly) await restore();
      isReadOnly = false;
    };
    host.defer(writable);
    for (let count = 0; count < 2; count += 1) {
      const killed = await host.kill(id);
      expect([killed.status, killed.body]).toMatchObject([
        507,
        { error: { code: 'storage_failed', message: expect.stringContaining('read-only') } },
      ]);
    }
    expect([await host.panes(), await host.sessions()]).toEqual([[], []]);
    await writable();
    await until('the record to be gone', () => !existsSync(join(host.state, 'sessions', `${id}.json`)));
    await until('the session to be gone', async () => (await host.kill(id)).status === 404);
  });

  test('nothing is begun that could not be noted, and all works again once it can be', async () => {
    await started('repository');
    const plain = await host.create({ command: 'exec cat' });
    const ending = await host.create({ command: 'read go; exit 3' });
    const { id, cwd } = (await create('one')).body;
    await writeFile(join(cwd, 'work'), 'precious');
    const restore = await makeReadOnly(host.state);
    let isReadOnly = true;
    const writable = async () => {
      if (isReadOnly) await restore();
      isReadOnly = false;
    };
    host.defer(writable);
    const refused: readonly (readonly [string, () => Promise<{ status: number; body: unknown }>])[] = [
      ['create', () => create('two')],
      ['kill', () => host.kill(plain.id)],
      ['kill by force', () => host.kill(id, '?force=true')],
      ['stop', () => host.call('POST', `/api/sessions/${plain.id}/stop`)],
      ['rename', () => host.call('PATCH', `/api/sessions/${plain.id}`, { metadata: { name: 'x' } })],
    ];
    for (const [what, ask] of refused) {
      const { status, body } = await ask();
      expect([what, status, (body as ApiError).error]).toMatchObject([what, 507, { code: 'storage_failed' }]);
    }
    for (const one of [plain.id, id]) expect((await host.session(one)).status).toBe('running');
    expect(await readFile(join(cwd, 'work'), 'utf8')).toBe('precious');
    await host.call('POST', `/api/sessions/${plain.id}/input`, { keys: ['h', 'i', 'Enter'] });
    await host.shows(plain.id, 'hi\nhi');
    await host.call('POST', `/api/sessions/${ending.id}/input`, { keys: ['Enter'] });
    expect((await host.reaches(ending.id, 'dead')).exit).toMatchObject({ code: 3 });
    await writable();
    await until('the end to be noted', async () => (await host.sidecar(ending.id)).status === 'dead');
    const { status, body } = await host.kill(id, '?force=true');
    expect([status, (body as KillResult).worktree]).toEqual([200, 'removed']);
    expect((await host.kill(plain.id)).status).toBe(200);
    expect((await create('two')).status).toBe(201);
  });
});
