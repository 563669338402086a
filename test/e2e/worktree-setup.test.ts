import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ApiError, KillResult, ProjectSetup, Session, TrustedProject, WorktreeEntry } from '../../src/protocol/index.js';
import { TestHost } from '../support/daemon-process.js';
import { GitRepo } from '../support/git-repo.js';

let host: TestHost;
let repo: GitRepo;
beforeAll(async () => {
  host = await TestHost.started({ env: { GIT_CONFIG_NOSYSTEM: '1' } });
});
afterAll(() => host[Symbol.asyncDispose]());
beforeEach(async () => {
  repo = await GitRepo.create();
});
afterEach(async () => {
  for (const { id } of await host.sessions()) await host.kill(id, '?keep_worktree=true');
  for (const { id } of (await host.call<WorktreeEntry[]>('GET', '/api/worktrees')).body)
    await host.call('DELETE', `/api/worktrees/${id}?force=true`);
  await repo[Symbol.asyncDispose]();
});

async function configure(toml: string): Promise<void> {
  await repo.write('.maestro/config.toml', toml);
  await repo.commit('Say what a worktree needs');
}

async function trust(): Promise<void> {
  const setup = (await host.call<ProjectSetup>('GET', `/api/projects/setup?repo=${encodeURIComponent(repo.path)}`)).body;
  const { status } = await host.call('POST', '/api/projects/trust', { repo: repo.path, hash: setup.hash });
  expect(status).toBe(200);
}

function request(command: string, more: object = {}) {
  return { cwd: host.dir, command, worktree: { base_repo: repo.path, branch: 'feat', create_branch: true, ...more } };
}

const make = (command: string, more: object = {}) => host.create(request(command, more));
const pathOf = (session: Session): string => session.worktree?.path ?? '';

describe("a repository's set-up", () => {
  test('runs only once it was trusted, and is asked for again when its content has changed', async () => {
    await configure('setup = "touch made-by-setup"\n');
    const untrusted = await host.call<ApiError>('POST', '/api/sessions', request('true'));
    expect([untrusted.status, untrusted.body.error.code]).toEqual([403, 'forbidden']);
    expect(untrusted.body.error.details).toMatchObject({ setup: { setup: 'touch made-by-setup', trusted: false } });
    expect(await repo.git('worktree', 'list')).not.toContain('feat');
    await trust();
    const session = await make('ls; exec sleep 1000');
    await host.shows(session.id, 'made-by-setup');
    await configure('setup = "touch something-else"\n');
    const changed = await host.call<ApiError>('POST', '/api/sessions', request('true', { branch: 'other' }));
    expect(changed.status).toBe(403);
    const trusted = (await host.call<TrustedProject[]>('GET', '/api/projects/trust')).body;
    expect(trusted).toMatchObject([{ repo: repo.path }]);
    const query = `?repo=${encodeURIComponent(repo.path)}`;
    expect((await host.call('DELETE', `/api/projects/trust${query}`)).body).toEqual({ revoked: true });
  });

  test('can be skipped', async () => {
    await configure('setup = "exit 1"\n[env]\nFROM_PROJECT = "yes"\n');
    const session = await make('echo "got[$FROM_PROJECT]"; exec sleep 1000', { setup: 'skip' });
    await host.shows(session.id, 'got[]');
  });

  test('is part of the stream, runs once, and its environment and ports are there at every start', async () => {
    await configure('setup = ["echo one", "echo $MAESTRO_PORT > port"]\nports = 3\n[env]\nURL = "http://localhost:{port+1}"\n');
    await trust();
    const session = await make('echo "url $URL of $MAESTRO_PORT_COUNT"; cat port; exec sleep 1000');
    const port = session.worktree?.port ?? 0;
    await host.shows(session.id, `url http://localhost:${port + 1} of 3`);
    const screen = await host.screen(session.id);
    expect(screen).toContain('maestro: setting up this worktree');
    expect(screen).toContain(String(port));
    await host.call('POST', `/api/sessions/${session.id}/restart`);
    await host.shows(session.id, 'url http');
    expect(await host.screen(session.id)).not.toContain('setting up');
    expect((await host.session(session.id)).worktree?.port).toBe(port);
  });

  test('that fails is shown, ends the session with its status, keeps the worktree, and is tried again on resume', async () => {
    await configure('setup = "test -e repaired || { echo cannot; exit 5; }"\n');
    await trust();
    const session = await make('echo started; exec sleep 1000');
    expect((await host.reaches(session.id, 'dead')).exit).toMatchObject({ code: 5 });
    expect((await host.scrollback(session.id)).toString()).toMatch(/cannot[\s\S]*the set-up failed with status 5/);
    await writeFile(join(pathOf(session), 'repaired'), '');
    expect((await host.resume(session.id)).status).toBe(200);
    await host.shows(session.id, 'started');
  });

  test('copies the ignored files that it names from the main worktree, and they hold up no kill', async () => {
    await repo.write('.gitignore', '.env\nsecret/\n');
    await repo.write('.worktreeinclude', 'secret/*.key\n');
    await configure('copy = [".env"]\n');
    await repo.write('.env', 'TOKEN=1\n');
    await repo.write('secret/a.key', 'key');
    await repo.write('secret/a.txt', 'text');
    const session = await make('exec sleep 1000');
    const path = pathOf(session);
    expect(await readFile(join(path, '.env'), 'utf8')).toBe('TOKEN=1\n');
    expect(await readFile(join(path, 'secret/a.key'), 'utf8')).toBe('key');
    expect(existsSync(join(path, 'secret/a.txt'))).toBe(false);
    expect((await host.kill(session.id)).body).toEqual({ removed: true, worktree: 'removed' });
  });

  test('is undone by its teardown before the worktree is removed; one that fails is told and holds nothing up', async () => {
    await configure(`teardown = ["pwd > '${repo.root}/torn-down'", "sleep 1000 &", "echo sorry", "exit 4"]\n`);
    await trust();
    const session = await make('exec sleep 1000');
    const { body } = await host.call<KillResult>('DELETE', `/api/sessions/${session.id}`);
    expect(body).toMatchObject({ removed: true, worktree: 'removed', warnings: [expect.stringMatching(/failed with status 4: sorry/)] });
    expect(await readFile(join(repo.root, 'torn-down'), 'utf8')).toBe(`${pathOf(session)}\n`);
    expect(host.processes(session.id)).toEqual([]);
  });

  test('with a mistake in it is refused with the file, the key and what was expected', async () => {
    await configure('setpu = "make"\n');
    const { status, body } = await host.call<ApiError>('POST', '/api/sessions', request('true'));
    expect(status).toBe(400);
    expect(body.error.message).toMatch(/\.maestro\/config\.toml.*setpu/);
  });
});
