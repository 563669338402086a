import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, FakeDaemon, fakeSession } from '../support/fake-daemon.js';
import { fakeInventory, fakeSalvage, fakeSetup, fakeWorktree } from '../support/fake-worktrees.js';
import { type Ran, type RunOptions, runMaestro } from '../support/run-maestro.js';

let fake: FakeDaemon;
beforeEach(async () => {
  fake = await FakeDaemon.start();
});
afterEach(() => fake[Symbol.asyncDispose]());

function maestro(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return runMaestro(words, { ...options, env: { MAESTRO_STATE_DIR: fake.state, ...options.env } });
}

/** Answers by `METHOD /path`, without the query. */
function serve(answers: Readonly<Record<string, Answer>>): void {
  fake.routes = ({ method, path }) => answers[`${method} ${path.replace(/\?.*/, '')}`];
}

const requests = () => fake.asked.map(({ method, path }) => `${method} ${path}`);
const bodies = () => fake.asked.flatMap(({ body }) => (body === undefined ? [] : [body]));
const refusal = (code: string, details: unknown): Answer => ({
  status: code === 'forbidden' ? 403 : 409,
  json: { error: { code, message: `no: ${code}`, details } },
});

describe('new --worktree', () => {
  const worktree = { path: '/w/fix', base_repo: '/srv/app', branch: 'fix', created_branch: true, base_commit: 'c'.repeat(40) };
  const session = fakeSession({ cwd: '/w/fix', worktree, metadata: { name: 'api' } });
  const setup = fakeSetup({ repo: '/srv/my app', setup: 'npm ci\ncurl x\x1b[2J\n', env: { A: '\x07' }, copy: ['.env'], ports: 2 });

  test('asks for a branch of its own, in the repository of this directory', async () => {
    serve({ 'POST /api/sessions': { json: session } });
    const { stdout } = await maestro(['new', '-w', 'fix', '--base', 'main', '--', 'cat'], { cwd: fake.dir });
    expect(bodies()).toEqual([{ command: 'cat', worktree: { base_repo: fake.dir, branch: 'fix', base: 'main' } }]);
    expect(stdout).toMatch(/^started api \([0-9a-f]{8}\) on branch fix in \/w\/fix\n/);
  });

  test('a set-up that nobody trusts is told with what to do, where there is nobody to ask', async () => {
    serve({ 'POST /api/sessions': refusal('forbidden', { setup }) });
    const { code, stderr, stdout } = await maestro(['new', '-w', 'fix', '--base', 'main', '--', 'cat']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^maestro: no: forbidden\n`maestro trust --base main '\/srv\/my app'` .*--skip-setup/);
    expect(JSON.parse((await maestro(['new', '-w', 'fix', '--json', '--', 'cat'])).stdout)).toMatchObject({
      error: { code: 'forbidden', details: { setup: { hash: setup.hash } } },
    });
    expect(fake.asked.map(({ path }) => path)).toEqual(['/api/sessions', '/api/sessions']);
  });

  test('--trust shows it, trusts exactly that and goes on', async () => {
    let trusted = false;
    fake.routes = ({ path }) => {
      if (path === '/api/projects/trust') trusted = true;
      if (path === '/api/projects/trust') return { json: { repo: setup.repo, hashes: [setup.hash], at: session.created_at } };
      return trusted ? { json: session } : refusal('forbidden', { setup });
    };
    const { code, stderr } = await maestro(['new', '-w', 'fix', '--trust', '-q', '--', 'cat']);
    expect({ code, trusted: bodies()[1] }).toEqual({ code: 0, trusted: { repo: setup.repo, hash: setup.hash } });
    expect(requests()).toEqual(['POST /api/sessions', 'POST /api/projects/trust', 'POST /api/sessions']);
    expect(stderr).toBe(
      [
        '/srv/my app wants for each worktree:',
        '  before the program of the session:',
        '    npm ci',
        '    curl x\\x1b[2J',
        '  in the environment:',
        '    A=\\x07',
        '  copied from the main worktree, if ignored there:',
        '    .env',
        '  2 ports for each worktree',
        '',
      ].join('\n'),
    );
  });

  test('another refusal is left as it is', async () => {
    serve({ 'POST /api/sessions': refusal('forbidden', { field: 'x' }) });
    expect(await maestro(['new', '-w', 'fix', '--trust', '--', 'cat'])).toMatchObject({ code: 1, stderr: 'maestro: no: forbidden\n' });
  });
});

describe('kill', () => {
  const session = fakeSession({ metadata: { name: 'api' } });
  const answer = (inventory: unknown): void =>
    serve({ 'GET /api/sessions': { json: [session] }, [`DELETE /api/sessions/${session.id}`]: refusal('worktree_dirty', { inventory }) });

  test('K2: unsaved work is listed with what can be done about it', async () => {
    answer(fakeInventory({ files: [{ path: 'a\x1b[2J', kind: 'untracked', status: 'untracked' }] }));
    expect(await maestro(['kill', 'api'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'maestro: no: worktree_dirty\n  untracked   a\\x1b[2J\n--force saves everything first, --keep-worktree leaves it\n',
    });
    const json = JSON.parse((await maestro(['kill', 'api', '--json'])).stdout);
    expect(json).toMatchObject([
      { error: { code: 'worktree_dirty', message: 'no: worktree_dirty', details: { inventory: { files_total: 1 } } } },
    ]);
  });

  test('K2: what no salvage can hold is not said to be saved', async () => {
    answer(fakeInventory({ nested_repositories: ['lib'] }));
    expect((await maestro(['kill', 'api', '--force'])).stderr).toMatch(/ {4}lib\n--keep-worktree leaves it\n$/);
  });

  test('a refusal whose inventory is not understood is told as it came', async () => {
    answer({ later: 'version' });
    expect((await maestro(['kill', 'api'])).stderr).toBe('maestro: no: worktree_dirty\n');
  });

  test('warnings of what went wrong on the way are told', async () => {
    const result = { removed: true, worktree: 'removed', warnings: ['teardown failed:\n\x07exit 1'] };
    serve({ 'GET /api/sessions': { json: [session] }, [`DELETE /api/sessions/${session.id}`]: { json: result } });
    expect(await maestro(['kill', 'api'])).toEqual({
      code: 0,
      stdout: 'killed api; its worktree was removed\n',
      stderr: 'warning: api: teardown failed:\n\\x07exit 1\n',
    });
  });
});

describe('worktree', () => {
  const free = fakeWorktree({ branch: 'free', path: '/w/\x1b[2Jfree' });
  const held = fakeWorktree({
    branch: 'held',
    removable: false,
    inventory: fakeInventory({ files: [{ path: 'a', kind: 'modified', status: 'modified' }] }),
    reason: 'it holds 1 file',
  });
  const owned = fakeWorktree({
    branch: 'owned',
    removable: false,
    state: 'owned',
    session: { id: fakeSession().id, name: 'api', status: 'running' },
    reason: 'its session is there',
  });
  const nested = fakeWorktree({
    branch: 'nested',
    removable: false,
    inventory: fakeInventory({ nested_repositories: ['lib'] }),
    reason: 'it holds a repository',
  });
  const all = [free, held, owned, nested];

  function serveAll(entries = all): void {
    fake.routes = ({ method, path }) => {
      if (method === 'GET') return { json: entries };
      const entry = entries.find(({ id }) => path.includes(id));
      const salvage_ref = path.includes('force') ? { salvage_ref: `refs/maestro/salvage/${entry?.id}` } : {};
      return { json: { path: entry?.path, branch_kept: entry?.branch, ...salvage_ref } };
    };
  }

  test('ls says of each what it holds and what is to become of it', async () => {
    serveAll();
    const { stdout } = await maestro(['worktree', 'ls']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^ID +BRANCH +STATE +SESSION +HOLDS +REASON +PATH$/);
    expect(lines[1]).toMatch(/ free +left +- +nothing +its session is gone and it holds nothing +\/w\/\\x1b\[2Jfree$/);
    expect(lines[3]).toMatch(/ owned +owned +api +nothing +its session is there /);
    expect(JSON.parse((await maestro(['worktree', 'ls', '--json'])).stdout)).toEqual(all);
    serveAll([]);
    expect(await maestro(['worktree', 'ls'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('cleanup removes nothing where nobody can confirm it, and says what could go and what stays', async () => {
    serveAll();
    const { code, stdout, stderr } = await maestro(['worktree', 'cleanup']);
    expect(code).toBe(1);
    expect(stdout).toBe(
      [
        'Can go:',
        '  free  /w/\\x1b[2Jfree: its session is gone and it holds nothing',
        'Stays:',
        '  held  /srv/worktrees/held: it holds 1 file; --force saves it first',
        '  owned  /srv/worktrees/owned: its session is there',
        '  nested  /srv/worktrees/nested: it holds a repository',
        '',
      ].join('\n'),
    );
    expect(stderr).toContain('give --yes to remove 1 worktree');
    const json = await maestro(['worktree', 'cleanup', '--json']);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ removable: [{ id: free.id }], salvaged: [], outcomes: [] });
    expect(requests()).toEqual(['GET /api/worktrees', 'GET /api/worktrees']);
  });

  test('cleanup with nothing to remove is done', async () => {
    serveAll([owned]);
    expect(await maestro(['worktree', 'cleanup'])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^Nothing can go:/),
    });
    serveAll([]);
    expect(await maestro(['worktree', 'cleanup', '-y'])).toEqual({ code: 0, stdout: 'there are no worktrees\n', stderr: '' });
  });

  test('K2: cleanup --force saves what it can and leaves what no salvage can hold', async () => {
    serveAll();
    const { code, stdout } = await maestro(['worktree', 'cleanup', '-y', '--force']);
    expect(code).toBe(0);
    expect(requests().slice(1)).toEqual([`DELETE /api/worktrees/${free.id}`, `DELETE /api/worktrees/${held.id}?force=true`]);
    const shortId = held.id.slice(0, 8);
    expect(stdout).toContain('Can go after a salvage:\n  held  /srv/worktrees/held: holds 1 file\nStays:\n  owned');
    expect(stdout).toContain('removed /w/\\x1b[2Jfree; branch free was kept\nremoved /srv/worktrees/held; branch held was kept; ');
    expect(stdout).toContain(`saved as refs/maestro/salvage/${held.id}; maestro salvage restore ${shortId} brings it back\n`);
  });

  test('cleanup of named ones fails for one that stays, and knows no others', async () => {
    serveAll();
    expect((await maestro(['worktree', 'cleanup', '-y', free.id.slice(0, 8)])).code).toBe(0);
    expect((await maestro(['worktree', 'cleanup', '-y', 'api'])).code).toBe(1);
    expect(await maestro(['worktree', 'cleanup', '-y', 'nope', free.id])).toMatchObject({
      code: 4,
      stderr: 'maestro: no worktree is called nope; maestro worktree ls shows all\n',
    });
    expect(requests().filter((line) => line.startsWith('DELETE'))).toEqual([`DELETE /api/worktrees/${free.id}`]);
  });

  test('cleanup tells of one that could not be removed and goes on', async () => {
    const other = fakeWorktree({ branch: 'other' });
    fake.routes = ({ method, path }) => {
      if (method === 'GET') return { json: [free, other] };
      return path.includes(free.id) ? refusal('worktree_dirty', {}) : { json: { path: other.path } };
    };
    const { code, stdout, stderr } = await maestro(['worktree', 'cleanup', '-y', '--json']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'maestro: no: worktree_dirty\n' });
    expect(JSON.parse(stdout)).toMatchObject({
      outcomes: [
        { target: free.id, ok: false },
        { id: other.id, ok: true },
      ],
    });
  });
});

describe('salvage', () => {
  const salvage = fakeSalvage({ name: 'api\x07', expires_at: '2026-03-02T03:04:05.000Z' });
  const gone = fakeSalvage({ id: 'bbbb1111-0000-4000-8000-000000000000', name: 'old', missing: true });
  const list = { 'GET /api/salvage': { json: [salvage, gone] } };

  test('ls lists what is kept, and what is gone', async () => {
    serve(list);
    const [heading, first, second] = (await maestro(['salvage', 'ls'])).stdout.split('\n');
    expect(heading).toMatch(/^ID +NAME +BRANCH +FILES +SIZE +AGE +KEPT FOR +REPOSITORY$/);
    expect(first).toMatch(/^aaaa1111 {2}api\\x07 +fix +2 +2\.0 KB +\d+\w +\d+\w +\/srv\/app$/);
    expect(second).toMatch(/^bbbb1111 {2}old .* gone +\/srv\/app$/);
    expect(JSON.parse((await maestro(['salvage', 'ls', '--json'])).stdout)).toEqual([salvage, gone]);
  });

  test('show lists files and commits; with a path it prints what changed there', async () => {
    const files = [{ path: 'a\x1b', kind: 'ignored', status: 'untracked', bytes: 5 }];
    const commits = [{ id: 'd'.repeat(40), subject: 'S', author: 'A', at: salvage.created_at }];
    const hunks = [{ old_start: 0, old_lines: 0, new_start: 1, new_lines: 1, lines: ['+x'] }];
    serve({
      ...list,
      [`GET /api/salvage/${salvage.id}`]: { json: { ...salvage, files, commits } },
      [`GET /api/salvage/${salvage.id}/diff`]: { json: { path: 'n', status: 'added', binary: false, hunks } },
    });
    const { stdout } = await maestro(['salvage', 'show', 'aaaa']);
    expect(stdout).toContain('api\\x07 (aaaa1111, 2 files), 2.0 KB\n  repository  /srv/app\n  branch      fix\n');
    expect(stdout).toContain('  ignored     a\\x1b (5 B)\n  1 commit that nothing else holds:\n    dddddddd  S\n');
    expect((await maestro(['salvage', 'show', 'aaaa', 'n'])).stdout).toBe(
      'diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,1 @@\n+x\n',
    );
    expect(requests().at(-1)).toBe(`GET /api/salvage/${salvage.id}/diff?path=n`);
  });

  test('restore tells where it is and that it stays saved', async () => {
    serve({ ...list, [`POST /api/salvage/${gone.id}/restore`]: { json: { path: '/w/old', branch: 'fix-2', created_branch: true } } });
    expect((await maestro(['salvage', 'restore', 'old', '--to', 'sub'], { cwd: fake.dir })).stdout).toBe(
      'restored old (bbbb1111, 2 files) in /w/old, on the new branch fix-2\nit stays saved until maestro salvage drop bbbb1111\n',
    );
    expect(bodies()).toEqual([{ path: join(fake.dir, 'sub') }]);
    expect((await maestro(['salvage', 'restore', 'nope'])).code).toBe(4);
  });

  test('drop asks, so that without a terminal it needs --yes', async () => {
    serve({ ...list, [`DELETE /api/salvage/${gone.id}`]: { json: { dropped: true } } });
    expect(await maestro(['salvage', 'drop', 'old'])).toMatchObject({ code: 2, stderr: expect.stringContaining('give --yes') });
    expect(requests()).toEqual(['GET /api/salvage']);
    expect((await maestro(['salvage', 'drop', '-y', 'old', 'bbbb1'])).stdout).toBe('dropped old (bbbb1111, 2 files)\n');
    expect((await maestro(['salvage', 'drop', '-y', 'nope'])).code).toBe(4);
  });
});

test('projects lists repositories, or their paths alone', async () => {
  const commit = { id: 'e'.repeat(40), subject: 'Fix\x1b it', author: 'A', at: '2026-01-02T03:04:05.000Z' };
  const app = { path: '/srv/app', name: 'app', bare: false, branch: 'main', commit, sessions: [fakeSession().id] };
  const bare = { path: '/srv/b.git', name: 'b', bare: true, sessions: [] };
  serve({ 'GET /api/projects': { json: [app, bare] } });
  const [heading, first, second] = (await maestro(['projects'])).stdout.split('\n');
  expect(heading).toMatch(/^NAME +BRANCH +LAST COMMIT +SESSIONS +PATH$/);
  expect(first).toMatch(/^app +main +\d+\w Fix\\x1b it +1 +\/srv\/app$/);
  expect(second).toMatch(/^b +- +- +- +\/srv\/b\.git$/);
  expect((await maestro(['projects', '-q'])).stdout).toBe('/srv/app\n/srv/b.git\n');
  expect(JSON.parse((await maestro(['projects', '--json'])).stdout)).toEqual([app, bare]);
});

test('projects --branches lists the branches of a repository, or their names alone', async () => {
  const commit = { id: 'e'.repeat(40), subject: 'Fix\x1b it', author: 'A', at: '2026-01-02T03:04:05.000Z' };
  const list = {
    branches: [
      { name: 'main', remote: false, commit, worktree: '/srv/app' },
      { name: 'origin/next', remote: true, commit },
    ],
    truncated: true,
  };
  serve({ 'GET /api/projects/branches': { json: list } });
  const { stdout, stderr } = await maestro(['projects', '--branches', 'sub'], { cwd: fake.dir });
  expect(requests()).toEqual([`GET /api/projects/branches?${new URLSearchParams({ repo: join(fake.dir, 'sub') })}`]);
  const [heading, first, second] = stdout.split('\n');
  expect(heading).toMatch(/^BRANCH +LAST COMMIT +CHECKED OUT IN$/);
  expect(first).toMatch(/^main +\d+\w Fix\\x1b it +\/srv\/app$/);
  expect(second).toMatch(/^origin\/next +\d+\w Fix\\x1b it +-$/);
  expect(stderr).toContain('only the 2 with the newest commits are listed');
  expect((await maestro(['projects', '-q', '--branches', '/srv/app'])).stdout).toBe('main\norigin/next\n');
  expect(JSON.parse((await maestro(['projects', '--json', '--branches', '/srv/app'])).stdout)).toEqual(list);
});

describe('trust', () => {
  const setup = fakeSetup({ teardown: 'docker compose down' });
  const trusted = { repo: setup.repo, hashes: [setup.hash], at: '2026-01-02T03:04:05.000Z' };
  const routes = { 'GET /api/projects/setup': { json: setup }, 'POST /api/projects/trust': { json: trusted } };

  test('shows what would run; without a terminal only --yes trusts it, by its hash', async () => {
    serve(routes);
    const shown = await maestro(['trust', 'sub', '--base', 'main'], { cwd: fake.dir });
    expect(shown).toMatchObject({ code: 1, stdout: '' });
    expect(shown.stderr).toContain(
      '  before the program of the session:\n    npm ci\n  before the worktree is removed:\n    docker compose down\n',
    );
    expect(requests()).toEqual([`GET /api/projects/setup?${new URLSearchParams({ repo: join(fake.dir, 'sub'), base: 'main' })}`]);
    const done = await maestro(['trust', '-y', '/srv/app']);
    expect(done).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('/srv/app is trusted'),
      stderr: expect.stringContaining('npm ci'),
    });
    expect(bodies()).toEqual([{ repo: '/srv/app', hash: setup.hash }]);
  });

  test('has nothing to do where nothing would run or it is trusted already', async () => {
    const { hash: _hash, setup: _setup, ...nothing } = fakeSetup({ trusted: true, copy: ['.env'] });
    serve({ 'GET /api/projects/setup': { json: nothing } });
    expect((await maestro(['trust'])).stdout).toMatch(/^nothing of \/srv\/app would run.*\n.*copied.*\n {4}\.env\n$/);
    serve({ 'GET /api/projects/setup': { json: { ...setup, trusted: true } } });
    expect((await maestro(['trust'])).stdout).toMatch(/^\/srv\/app is trusted to do this for each worktree:\n/);
  });

  test('is listed and taken back', async () => {
    let revoked = true;
    fake.routes = ({ method }) => ({ json: method === 'DELETE' ? { revoked } : [trusted] });
    expect((await maestro(['trust', '--list'])).stdout).toMatch(/^REPOSITORY +SET-UPS +SINCE\n\/srv\/app +1 +\d+\w\n$/);
    expect(await maestro(['trust', '--revoke', '/srv/app'])).toMatchObject({ code: 0, stdout: '/srv/app is not trusted any more\n' });
    revoked = false;
    expect(await maestro(['trust', '--revoke', '/srv/app'])).toMatchObject({ code: 1, stderr: expect.stringContaining('was not trusted') });
    expect(requests().at(-1)).toBe('DELETE /api/projects/trust?repo=%2Fsrv%2Fapp');
  });
});
