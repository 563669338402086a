import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ApiError, KillResult, Salvage, Session, WorktreeEntry, WorktreeRequest } from '../../src/protocol/index.js';
import { TestHost } from '../support/daemon-process.js';
import { GitRepo } from '../support/git-repo.js';
import { until } from '../support/until.js';

let host: TestHost;
let repo: GitRepo;
beforeAll(async () => {
  host = await TestHost.started({ env: { GIT_CONFIG_NOSYSTEM: '1' } });
});
afterAll(() => host[Symbol.asyncDispose]());
beforeEach(async () => {
  repo = await GitRepo.create();
  await repo.write('kept.txt', 'first\n');
  await repo.write('.gitignore', 'node_modules/\n*.log\n');
  await repo.commit('Begin');
});
afterEach(async () => {
  for (const { id } of await host.sessions()) await host.kill(id, '?keep_worktree=true');
  for (const { id } of await listed()) await host.call('DELETE', `/api/worktrees/${id}?force=true`);
  await repo[Symbol.asyncDispose]();
});

type Refused = KillResult & ApiError;

function make(worktree: Partial<WorktreeRequest> = {}, more: { command?: string; env?: Record<string, string> } = {}): Promise<Session> {
  const request = { base_repo: repo.path, branch: 'feat/one', create_branch: true, ...worktree };
  return host.create({ command: 'exec sleep 1000', worktree: request, ...more });
}

async function refused(worktree: Partial<WorktreeRequest>, command = 'true'): Promise<{ status: number; error: ApiError['error'] }> {
  const request = { base_repo: repo.path, branch: 'feat/one', create_branch: true, ...worktree };
  const { status, body } = await host.call<ApiError>('POST', '/api/sessions', { cwd: host.dir, command, worktree: request });
  return { status, error: body.error };
}

function pathOf({ worktree }: Session): string {
  if (worktree === undefined) throw new Error('the session has no worktree');
  return worktree.path;
}

/** What the repository has beside its files. */
async function traces(): Promise<string> {
  const [branches, worktrees] = [await repo.git('for-each-ref'), await repo.git('worktree', 'list', '--porcelain')];
  return `${branches}\n${worktrees}`;
}

/** The worktrees of this test's repository. */
async function listed(): Promise<WorktreeEntry[]> {
  const { body } = await host.call<WorktreeEntry[]>('GET', '/api/worktrees');
  return body.filter(({ base_repo }) => base_repo === repo.path);
}

async function salvages(): Promise<Salvage[]> {
  const { body } = await host.call<Salvage[]>('GET', '/api/salvage');
  return body.filter(({ base_repo }) => base_repo === repo.path);
}

async function kill(id: string, query = ''): Promise<{ status: number; body: Refused }> {
  return host.call<Refused>('DELETE', `/api/sessions/${id}${query}`);
}

describe('R2: a session in a worktree of its own', () => {
  test('begins in it, comes back in it, and is still cleaned up by a kill after that', async () => {
    const before = await traces();
    const head = await repo.git('rev-parse', 'HEAD');
    const session = await make({}, { command: 'pwd; git branch --show-current; exec sleep 1000' });
    const path = pathOf(session);
    expect(session).toMatchObject({
      cwd: path,
      worktree: { base_repo: repo.path, branch: 'feat/one', created_branch: true, base_commit: head, base: 'main' },
    });
    expect(path).toMatch(/\/worktrees\/repo\/feat-one-[0-9a-f]{8}$/);
    await host.shows(session.id, 'feat/one');
    await host.killTmux();
    await host.reaches(session.id, 'dormant');
    await host.restart();
    const { status, body } = await host.resume(session.id);
    expect([status, body.cwd, body.worktree]).toEqual([200, path, session.worktree]);
    await until('the program to say where it is', async () => (await host.screen(session.id)).includes('feat-one-'));
    expect((await kill(session.id)).body).toEqual({ removed: true, worktree: 'removed' });
    expect(existsSync(path)).toBe(false);
    expect(await traces()).toBe(before);
  });

  test('is refused on resume while its worktree is gone, and stays as it was', async () => {
    const session = await make({}, { command: 'true' });
    await host.reaches(session.id, 'dead');
    await rm(pathOf(session), { recursive: true });
    const { status, body } = await host.call<ApiError>('POST', `/api/sessions/${session.id}/resume`);
    expect([status, body.error.code]).toEqual([409, 'cwd_missing']);
    expect((await host.session(session.id)).status).toBe('dead');
    expect((await kill(session.id)).body).toMatchObject({ removed: true, worktree: 'removed' });
    expect(await repo.git('worktree', 'list')).not.toContain('feat-one');
  });
});

describe('a worktree is made from', () => {
  test('a tag, a commit, a remote branch, a fetched ref, and the HEAD of another worktree', async () => {
    const first = await repo.git('rev-parse', 'HEAD');
    await repo.git('tag', '-a', 'v1', '-m', 'one');
    await repo.write('kept.txt', 'second\n');
    const second = await repo.commit('Go on');
    await repo.git('update-ref', 'refs/remotes/origin/topic', first);
    await repo.git('update-ref', 'refs/pull/7/head', first);
    const cases: [string, string][] = [
      ['v1', first],
      [first.slice(0, 10), first],
      ['origin/topic', first],
      ['refs/pull/7/head', first],
      ['main', second],
    ];
    for (const [at, [base, commit]] of cases.entries()) {
      const session = await make({ branch: `from-${at}`, base });
      expect([base, session.worktree?.base_commit]).toEqual([base, commit]);
    }
    const parent = await make({ branch: 'parent', base: 'v1' });
    const child = await make({ base_repo: pathOf(parent), branch: 'child' });
    expect(child.worktree).toMatchObject({ base_repo: repo.path, base_commit: first });
  });

  test('an existing branch, which a kill then leaves', async () => {
    await repo.git('branch', 'old');
    const session = await make({ branch: 'old', create_branch: false });
    expect(session.worktree?.created_branch).toBe(false);
    expect((await kill(session.id)).body).toEqual({ removed: true, worktree: 'removed', branch_kept: 'old' });
    expect(await repo.git('branch', '--list', 'old')).toContain('old');
  });

  test.each(['with space', "it's", 'semi;colon', 'dollar$HOME', 'quo"te', 'été', 'new\nline', 'hash#{session_name}', '-dash'])(
    'a repository in a directory named %j',
    async (name) => {
      await using odd = await GitRepo.create({ name });
      const session = await make({ base_repo: odd.path }, { command: 'pwd; exec sleep 1000' });
      const path = pathOf(session);
      expect(await odd.git('worktree', 'list', '--porcelain', '-z')).toContain(path);
      expect((await kill(session.id)).body).toEqual({ removed: true, worktree: 'removed' });
      expect(existsSync(path)).toBe(false);
    },
  );

  test('one repository by eight creates at once, each with a branch and a directory of its own', async () => {
    await repo.git('config', 'branch.autoSetupMerge', 'always');
    const sessions = await Promise.all(Array.from({ length: 8 }, (_, at) => make({ branch: `feat/parallel-${at}` })));
    expect(new Set(sessions.map(pathOf)).size).toBe(8);
    expect(new Set(sessions.map((session) => session.worktree?.port)).size).toBe(8);
    expect((await repo.git('worktree', 'list')).split('\n')).toHaveLength(9);
  });
});

describe('C3, C4: a create with a worktree that is refused leaves nothing', () => {
  test.each<[string, Partial<WorktreeRequest>, number, string]>([
    ['an option for a branch', { branch: '--detach' }, 400, 'invalid_request'],
    ['a name that git does not allow', { branch: 'a..b' }, 400, 'invalid_request'],
    ['a name that git would expand', { branch: '@{-1}' }, 400, 'invalid_request'],
    ['a branch that exists', { branch: 'main' }, 409, 'branch_conflict'],
    ['a branch beside one that is a part of its name', { branch: 'main/next' }, 409, 'branch_conflict'],
    ['an existing branch that does not exist', { create_branch: false }, 400, 'invalid_request'],
    ['an existing branch that is checked out', { branch: 'main', create_branch: false }, 409, 'branch_conflict'],
    ['a base that names nothing', { base: 'no-such-thing' }, 400, 'invalid_request'],
    ['an option for a base', { base: '--all' }, 400, 'invalid_request'],
    ['a directory that is no repository', { base_repo: '/' }, 400, 'invalid_request'],
    ['a directory that is not there', { base_repo: '/no/such/place' }, 400, 'invalid_request'],
  ])('%s', async (_what, worktree, status, code) => {
    const before = await traces();
    const answer = await refused(worktree);
    expect([answer.status, answer.error.code]).toEqual([status, code]);
    expect(await traces()).toBe(before);
    expect(await host.sessions()).toEqual([]);
    expect(await listed()).toEqual([]);
  });

  test('a repository without commits is told to make one', async () => {
    await using empty = await GitRepo.create({ commits: 0 });
    const { status, error } = await refused({ base_repo: empty.path });
    expect([status, error.code]).toEqual([400, 'invalid_request']);
    expect(error.message).toContain('first commit');
  });
});

describe('K2: a kill that would lose work is refused, and the session runs on', () => {
  const dirty: [string, (path: string) => Promise<unknown>, object][] = [
    ['a modified file', (path) => writeFile(join(path, 'kept.txt'), 'changed\n'), { files: [{ path: 'kept.txt', kind: 'modified' }] }],
    [
      'a staged file',
      async (path) => {
        await writeFile(join(path, 'new.txt'), 'new\n');
        await repo.gitAt(path, 'add', 'new.txt');
      },
      { files: [{ path: 'new.txt', kind: 'staged' }] },
    ],
    ['an untracked file', (path) => writeFile(join(path, 'new.txt'), 'new\n'), { files: [{ path: 'new.txt', kind: 'untracked' }] }],
    ['an ignored file', (path) => writeFile(join(path, 'run.log'), 'new\n'), { files: [{ path: 'run.log', kind: 'ignored' }] }],
    [
      'a commit on a detached HEAD',
      async (path) => {
        await repo.gitAt(path, 'checkout', '--quiet', '--detach');
        await repo.gitAt(path, 'commit', '--quiet', '--allow-empty', '-m', 'Nowhere else');
      },
      { detached_commits: [{ subject: 'Nowhere else' }] },
    ],
    ['a nested repository', (path) => repo.gitAt(path, 'init', '--quiet', 'inner'), { nested_repositories: ['inner'] }],
  ];

  test.each(dirty)('%s', async (_what, work, inventory) => {
    const session = await make();
    const path = pathOf(session);
    await work(path);
    const before = await traces();
    const { status, body } = await kill(session.id);
    expect([status, body.error.code]).toEqual([409, 'worktree_dirty']);
    expect(body.error.details).toMatchObject({ id: session.id, path, ended: false, inventory: { clean: false, ...inventory } });
    expect((await host.session(session.id)).status).toBe('running');
    expect(await traces()).toBe(before);
    expect(await host.panes()).toContain(session.id);
  });

  test('what can be made again does not count', async () => {
    const session = await make();
    const path = pathOf(session);
    await mkdir(join(path, 'node_modules', 'left-pad'), { recursive: true });
    await writeFile(join(path, 'node_modules', 'left-pad', 'index.js'), 'module.exports = 1;\n');
    expect((await kill(session.id)).body).toEqual({ removed: true, worktree: 'removed' });
    expect(existsSync(path)).toBe(false);
  });

  test('commits on the branch do not hold it up: the branch is kept and named', async () => {
    const session = await make();
    await writeFile(join(pathOf(session), 'kept.txt'), 'changed\n');
    await repo.gitAt(pathOf(session), 'commit', '--quiet', '-am', 'Work');
    expect((await kill(session.id)).body).toEqual({ removed: true, worktree: 'removed', branch_kept: 'feat/one' });
    expect(await repo.git('log', '-1', '--format=%s', 'feat/one')).toBe('Work');
  });

  test('what a program writes while it is ended is found: the session is dead and its worktree kept', async () => {
    const command = 'trap "echo late > late.txt; exit 0" HUP; echo up; while :; do sleep 0.05; done';
    const session = await make({}, { command });
    await host.shows(session.id, 'up');
    const { status, body } = await kill(session.id);
    expect([status, body.error.code]).toEqual([409, 'worktree_dirty']);
    expect(body.error.details).toMatchObject({ ended: true, inventory: { files: [{ path: 'late.txt', kind: 'untracked' }] } });
    const dead = await host.session(session.id);
    expect([dead.status, dead.exit?.reason]).toEqual(['dead', 'killed']);
    expect(await readFile(join(pathOf(session), 'late.txt'), 'utf8')).toBe('late\n');
    expect((await host.scrollback(session.id)).toString()).toContain('up');
    expect((await host.resume(session.id)).status).toBe(200);
  });

  test('by force all of it is saved first, and can be brought back', async () => {
    const session = await make();
    const path = pathOf(session);
    await writeFile(join(path, 'kept.txt'), 'changed\n');
    await writeFile(join(path, 'new.txt'), 'new\r\n');
    await writeFile(join(path, 'run.log'), Buffer.from([0, 255, 10]));
    await writeFile(join(path, 'staged.txt'), 'staged\n');
    await repo.gitAt(path, 'add', 'staged.txt');
    const { status, body } = await kill(session.id, '?force=true');
    const ref = `refs/maestro/salvage/${session.id}`;
    expect([status, body]).toEqual([200, { removed: true, worktree: 'removed', salvage_ref: ref }]);
    expect(existsSync(path)).toBe(false);
    expect(await salvages()).toMatchObject([{ id: session.id, ref, branch: 'feat/one', files_total: 4 }]);
    const restored = (await host.call<{ path: string; branch: string }>('POST', `/api/salvage/${session.id}/restore`, {})).body;
    expect(await repo.gitAt(restored.path, 'status', '--porcelain', '--ignored')).toBe(
      ' M kept.txt\nA  staged.txt\n?? new.txt\n!! run.log',
    );
    expect(await readFile(join(restored.path, 'run.log'))).toEqual(Buffer.from([0, 255, 10]));
    expect(await readFile(join(restored.path, 'new.txt'), 'utf8')).toBe('new\r\n');
    expect((await host.call('DELETE', `/api/salvage/${session.id}`)).status).toBe(200);
    expect(await salvages()).toEqual([]);
    expect(await repo.git('for-each-ref', 'refs/maestro')).toBe('');
  });

  test('a nested repository is refused even by force, with nothing touched', async () => {
    const session = await make();
    await repo.gitAt(pathOf(session), 'init', '--quiet', 'inner');
    const { status, body } = await kill(session.id, '?force=true');
    expect([status, body.error.code]).toEqual([409, 'worktree_dirty']);
    expect((await host.session(session.id)).status).toBe('running');
  });

  test('keep_worktree leaves the worktree, which is then listed as left and can be removed', async () => {
    const session = await make();
    const path = pathOf(session);
    await writeFile(join(path, 'new.txt'), 'new\n');
    expect((await kill(session.id, '?keep_worktree=true')).body).toEqual({ removed: true, worktree: 'kept' });
    const left = await listed();
    expect(left).toMatchObject([{ id: session.id, path, state: 'left', removable: false, inventory: { files_total: 1 } }]);
    const dirtyRemoval = await host.call<ApiError>('DELETE', `/api/worktrees/${session.id}`);
    expect([dirtyRemoval.status, dirtyRemoval.body.error.code]).toEqual([409, 'worktree_dirty']);
    await rm(join(path, 'new.txt'));
    expect((await host.call('DELETE', `/api/worktrees/${session.id}`)).body).toEqual({ path });
    expect(existsSync(path)).toBe(false);
    expect(await listed()).toEqual([]);
  });
});

describe('K1, K3: a kill removes what the session made and nothing else', () => {
  test('a kill from inside the session comes to its end', async () => {
    const command = `exec ${process.execPath} -e "
      const { request } = require('node:http');
      request({ socketPath: process.env.MAESTRO_SOCKET, method: 'DELETE', path: '/api/sessions/' + process.env.MAESTRO_SESSION_ID }).end();
      setInterval(() => {}, 1000);"`;
    const session = await make({}, { command });
    await until('the session to be gone', async () => (await host.sessions()).length === 0);
    expect(existsSync(pathOf(session))).toBe(false);
    expect(host.processes(session.id)).toEqual([]);
  });

  test('a worktree that git has locked is left, and the kill can be asked for again', async () => {
    const session = await make();
    await repo.git('worktree', 'lock', '--reason', 'on a stick', pathOf(session));
    const { status, body } = await kill(session.id);
    expect(status).toBe(409);
    expect(body.error.message).toContain('on a stick');
    await repo.git('worktree', 'unlock', pathOf(session));
    expect((await kill(session.id)).body).toEqual({ removed: true, worktree: 'removed' });
  });

  test('other worktrees of the repository that are broken are neither touched nor in the way', async () => {
    const broken = await make({ branch: 'broken' });
    await rm(join(pathOf(broken), '.git'));
    await repo.git('worktree', 'add', '--quiet', join(repo.root, 'by-hand'));
    await rm(join(repo.root, 'by-hand'), { recursive: true });
    const session = await make({ branch: 'whole' });
    expect((await kill(session.id)).body).toEqual({ removed: true, worktree: 'removed' });
    const list = await listed();
    expect(list).toMatchObject([{ id: broken.id, state: 'broken', removable: false }]);
    expect(await repo.git('worktree', 'list')).toContain('by-hand');
    const { status, body } = await kill(broken.id);
    expect([status, body.error.code]).toEqual([409, 'worktree_dirty']);
    expect(existsSync(join(pathOf(broken), 'kept.txt'))).toBe(true);
  });

  test('the main worktree, what lies in it and its branch are as before', async () => {
    await repo.write('untracked.txt', 'mine\n');
    const before = await traces();
    const session = await make();
    await kill(session.id, '?force=true');
    expect(await traces()).toBe(before);
    expect(await readFile(join(repo.path, 'untracked.txt'), 'utf8')).toBe('mine\n');
  });

  test('a session in a worktree that was there before has none of its own, and a kill leaves it, also by force', async () => {
    await using bare = await GitRepo.create({ bare: true });
    const main = join(bare.root, 'main');
    await bare.git('worktree', 'add', '--quiet', main, 'main');
    const session = await host.create({ cwd: main, command: 'exec sleep 1000' });
    expect(session.worktree).toBeUndefined();
    expect((await kill(session.id, '?force=true')).body).toEqual({ removed: true, worktree: 'none' });
    expect(await bare.git('worktree', 'list')).toContain(main);
    expect(await bare.git('branch', '--list', 'main')).toContain('main');
  });

  test('in a bare repository a worktree and a branch come and go, and its default branch stays', async () => {
    await using bare = await GitRepo.create({ bare: true });
    const branch = await make({ base_repo: bare.path, branch: 'feat' });
    const main = await make({ base_repo: bare.path, branch: 'main', create_branch: false });
    expect((await kill(branch.id)).body).toEqual({ removed: true, worktree: 'removed' });
    expect((await kill(main.id)).body).toEqual({ removed: true, worktree: 'removed', branch_kept: 'main' });
    expect(await bare.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
  });

  test('what was stashed in the worktree stays in the repository', async () => {
    const session = await make();
    await writeFile(join(pathOf(session), 'kept.txt'), 'stashed\n');
    await repo.gitAt(pathOf(session), 'stash', '--quiet');
    expect((await kill(session.id)).body).toEqual({ removed: true, worktree: 'removed' });
    expect(await repo.git('show', 'stash@{0}:kept.txt')).toBe('stashed');
  });

  test('a worktree with a submodule is removed without force while nothing in it has changed, and kept when something has', async () => {
    await using library = await GitRepo.create({ name: 'library' });
    await library.write('lib.txt', 'one\n');
    await library.commit('Begin');
    await repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.path, 'library');
    await repo.commit('Take the library in');
    for (const isDirty of [false, true]) {
      const session = await make({ branch: `with-library-${isDirty}` });
      await repo.gitAt(pathOf(session), '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init');
      if (isDirty) await writeFile(join(pathOf(session), 'library', 'lib.txt'), 'two\n');
      const { status, body } = await kill(session.id);
      if (isDirty) expect(body.error.details).toMatchObject({ inventory: { dirty_submodules: ['library'] } });
      else expect([status, body]).toEqual([200, { removed: true, worktree: 'removed' }]);
      expect(existsSync(pathOf(session))).toBe(isDirty);
    }
  });

  test('a directory that is in the way is never touched', async () => {
    const session = await make();
    const renamed = `${pathOf(session).slice(0, -8)}00000000`;
    await mkdir(renamed);
    await writeFile(join(renamed, 'mine.txt'), 'mine\n');
    await repo.gitAt(pathOf(session), 'branch', '-m', 'another');
    const second = await make();
    expect(pathOf(second)).not.toBe(pathOf(session));
    for (const { id } of [session, second]) await kill(id, '?force=true');
    expect(await readFile(join(renamed, 'mine.txt'), 'utf8')).toBe('mine\n');
    await rm(renamed, { recursive: true });
  });

  test('branches that differ in a slash, a dash or case have directories of their own', async () => {
    const branches = ['feat/a-b', 'feat-a/b', 'feat/a_b', 'Feat/a-b'];
    const sessions: Session[] = [];
    for (const branch of branches) sessions.push(await make({ branch }));
    expect(new Set(sessions.map(pathOf)).size).toBe(branches.length);
    for (const [at, session] of sessions.entries()) {
      expect(await repo.gitAt(pathOf(session), 'branch', '--show-current')).toBe(branches[at]);
    }
  });
});
