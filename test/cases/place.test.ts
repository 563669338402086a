import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ApiError, KillResult } from '../../src/protocol/index.js';
import { TestHost } from '../support/daemon-process.js';
import { GitRepo } from '../support/git-repo.js';
import { until } from '../support/until.js';

let host: TestHost;
beforeAll(async () => {
  host = await TestHost.started({ env: { GIT_CONFIG_NOSYSTEM: '1' } });
});
afterAll(() => host[Symbol.asyncDispose]());
afterEach(async () => {
  await Promise.all((await host.sessions()).map(({ id }) => host.kill(id, '?force=true')));
});

const written = (path: string) => until(path, async () => existsSync(path) && (await readFile(path, 'utf8')));

/** Names of repositories, and of branches in them. */
const NAMES: readonly (readonly [string, string])[] = [
  ['foo bar', 'a-b'],
  ["it's; touch PWNED", "it's;touch"],
  ['a"b$HOME`touch PWNED`', `x$(touch$\{IFS}PWNED)`],
  ['new\nline', 'x;id'],
  ['#{session_name} #(touch PWNED) ##', 'x#(touch)'],
  ['%H%M été', '%H/été'],
  ['-rf', 'a--force'],
  ['back\\slash\\', 'x|y&z'],
];

test('C4: a repository and a branch of any name have a worktree session that runs inside and goes without a trace', async () => {
  await Promise.all(
    NAMES.map(async ([name, branch]) => {
      await using repo = await GitRepo.create({ name });
      const { id, cwd, worktree } = await host.create({
        command: 'printf "%s\\n%s" "$PWD" "$(git branch --show-current)" > told; exec sleep 100',
        worktree: { base_repo: repo.path, branch },
      });
      expect(worktree).toMatchObject({ base_repo: repo.path, branch });
      await until('the program', async () => (await readFile(join(cwd, 'told'), 'utf8')) === `${cwd}\n${branch}`);
      await rm(join(cwd, 'told'));
      expect((await host.kill(id)).body).toMatchObject({ removed: true, worktree: 'removed' });
      expect(existsSync(cwd)).toBe(false);
      expect(await repo.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
      expect([...(await readdir(repo.root)), ...(await readdir(repo.path))]).not.toContain('PWNED');
    }),
  );
});

describe('C2: a directory', () => {
  test.each<[string, (dir: string) => string]>([
    ['a slash at its end', (dir) => `${dir}/`],
    ['slashes and dots on the way', (dir) => `${dir}//./x/../`],
  ])('with %s is the same directory', async (_what, spelled) => {
    const dir = join(host.dir, 'spelled');
    await mkdir(join(dir, 'x'), { recursive: true });
    const { id } = await host.create({ cwd: spelled(dir), command: 'pwd -P > here; exec sleep 100' });
    expect(await written(join(dir, 'here'))).toBe(`${await realpath(dir)}\n`);
    await host.kill(id);
    await rm(dir, { recursive: true });
  });

  test.each<[string, string]>([
    ['a name longer than any file system takes', `/tmp/${'x'.repeat(300)}`],
    ['more than any path may have', `/tmp/${'x/'.repeat(5000)}`],
    ['a file on the way', '/etc/passwd/x'],
    ['the directory of a process that is none', '/proc/0/cwd'],
    ['a device', '/dev/null'],
  ])('with %s is refused, and nothing is made', async (_what, cwd) => {
    const { status, body } = await host.call<ApiError>('POST', '/api/sessions', { cwd, command: 'true' });
    expect([400, 409]).toContain(status);
    expect(['cwd_missing', 'invalid_request']).toContain(body.error.code);
    expect(await host.sessions()).toEqual([]);
  });

  test('that a file or another directory took the place of is what a resume finds there', async () => {
    const dir = join(host.dir, 'replaced');
    await mkdir(dir);
    const { id } = await host.create({ cwd: dir, command: 'echo printed; pwd -P > here; exec sleep 100' });
    await written(join(dir, 'here'));
    await host.call('POST', `/api/sessions/${id}/stop`);
    const before = await host.session(id);
    await rm(dir, { recursive: true });
    await writeFile(dir, '');
    const refused = await host.call<ApiError>('POST', `/api/sessions/${id}/resume`);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'cwd_missing']);
    expect(refused.body.error.message).toContain(dir);
    expect(await host.session(id)).toEqual(before);
    expect((await host.scrollback(id)).toString()).toContain('printed');
    await rm(dir);
    await mkdir(join(host.dir, 'target'));
    await symlink(join(host.dir, 'target'), dir);
    expect((await host.resume(id)).status).toBe(200);
    expect(await written(join(host.dir, 'target', 'here'))).toBe(`${await realpath(join(host.dir, 'target'))}\n`);
    expect((await host.session(id)).cwd).toBe(dir);
  });
});

describe('R2: a worktree that is not what it was', () => {
  test('is never replaced by the main checkout: moved away, emptied, or a plain directory, the session stays as it is', async () => {
    await using repo = await GitRepo.create();
    const { id, cwd } = await host.create({
      command: 'git rev-parse --show-toplevel >> "$OUT"; exec sleep 100',
      env: { OUT: join(host.dir, 'tops') },
      worktree: { base_repo: repo.path, branch: 'feat/mine' },
    });
    await until('the first run', async () => (await readFile(join(host.dir, 'tops'), 'utf8').catch(() => '')) === `${cwd}\n`);
    await host.call('POST', `/api/sessions/${id}/stop`);
    await rename(cwd, `${cwd}.away`);
    const attempts = [
      async () => undefined,
      async () => mkdir(cwd),
      async () => {
        await repo.gitAt(cwd, 'init', '--quiet');
      },
    ];
    for (const change of attempts) {
      await change();
      const refused = await host.call<ApiError>('POST', `/api/sessions/${id}/resume`);
      expect([refused.status, refused.body.error.code]).toEqual([409, 'cwd_missing']);
      expect(refused.body.error.message).toContain(cwd);
      expect((await host.session(id)).status).toBe('dead');
    }
    await rm(cwd, { recursive: true });
    await rename(`${cwd}.away`, cwd);
    expect((await host.resume(id)).status).toBe(200);
    await until('the second run', async () => (await readFile(join(host.dir, 'tops'), 'utf8')) === `${cwd}\n${cwd}\n`);
  });

  test('whose program changed to another branch keeps that one, and a kill leaves both branches that have commits', async () => {
    await using repo = await GitRepo.create();
    const { id, cwd } = await host.create({ command: 'exec sleep 100', worktree: { base_repo: repo.path, branch: 'feat/first' } });
    await repo.gitAt(cwd, 'commit', '--quiet', '--allow-empty', '-m', 'one');
    await repo.gitAt(cwd, 'checkout', '--quiet', '-b', 'feat/second');
    await repo.gitAt(cwd, 'commit', '--quiet', '--allow-empty', '-m', 'two');
    await host.call('POST', `/api/sessions/${id}/restart`);
    expect(await repo.gitAt(cwd, 'branch', '--show-current')).toBe('feat/second');
    const killed = await host.call<KillResult>('DELETE', `/api/sessions/${id}`);
    expect(killed.body).toMatchObject({ removed: true, worktree: 'removed' });
    expect(await repo.git('for-each-ref', '--format=%(refname:short)', 'refs/heads')).toBe('feat/first\nfeat/second\nmain');
  });
});
