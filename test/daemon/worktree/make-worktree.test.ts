import { chmod, mkdir, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Git } from '../../../src/daemon/git.js';
import { makeWorktree } from '../../../src/daemon/worktree/make-worktree.js';
import { checkLink } from '../../../src/daemon/worktree/worktree-link.js';
import { mountProblem, SmallDisk } from '../../support/small-disk.js';
import { until } from '../../support/until.js';
import { failureOf } from '../store/failures.js';
import { exists, MakingBench } from './making-bench.js';

test('a worktree is made with its branch at the base, linked to the repository, and written with the umask of the user', async () => {
  await using bench = await MakingBench.create();
  await bench.repo.write('dir/file', 'text');
  await bench.repo.commit('file');
  const umask = process.umask(0o077);
  const record = await bench.make({ branch: 'topic' }).finally(() => process.umask(umask));
  expect(record).toMatchObject({
    state: 'made',
    admin_dir: join(bench.repo.path, '.git', 'worktrees', record.path.split('/').at(-1) ?? ''),
  });
  expect(await bench.repo.gitAt(record.path, 'branch', '--show-current')).toBe('topic');
  expect(await bench.repo.gitAt(record.path, 'rev-parse', 'HEAD')).toBe(record.base_commit);
  expect(await bench.repo.gitAt(record.path, 'status', '--porcelain', '--ignored')).toBe('');
  expect((await stat(join(record.path, 'dir', 'file'))).mode & 0o777).toBe(0o644);
  expect((await stat(join(record.path, 'dir'))).mode & 0o777).toBe(0o755);
  expect(await checkLink(record)).toBeUndefined();
});

test.each(['foo bar', "it's", 'a;b', 'a$HOME', 'a"b', 'été', 'line\nend', '#{pid}'])(
  'a worktree is made and undone in %j',
  async (name) => {
    await using bench = await MakingBench.create({ name });
    const before = await bench.traces();
    const record = await bench.make({ branch: name.replace(/[ \n]/g, '-').replace(/^#\{/, '#{') });
    expect(await checkLink(record)).toBeUndefined();
    expect(await bench.undo(record)).toBe('undone');
    expect(await bench.traces()).toEqual({ ...before, directories: [expect.any(String)] });
  },
);

test('bare, shallow, an empty tree, a detached HEAD, a subdirectory and a linked worktree all work', async () => {
  await using bench = await MakingBench.create({ commits: 2 });
  const { repo } = bench;
  const shallow = join(repo.root, 'shallow');
  await repo.git('clone', '--quiet', '--depth=1', `file://${repo.path}`, shallow);
  await using bare = await MakingBench.create({ bare: true });
  const linked = await bench.make({ branch: 'linked' });
  await mkdir(join(repo.path, 'sub'));
  for (const base_repo of [shallow, linked.path, join(repo.path, 'sub')]) {
    const record = await bench.make({ base_repo, branch: `from-${base_repo.length}` });
    expect(await repo.gitAt(record.path, 'rev-parse', 'HEAD')).toBe(record.base_commit);
  }
  await repo.git('checkout', '--quiet', '--detach');
  const detached = await bench.make({ branch: 'from-detached' });
  expect(detached.base).toBeUndefined();
  expect(await exists((await bare.make({ branch: 'from-bare' })).path)).toBe(true);
});

test('worktrees may be kept inside the repository, and be made from inside one another', async () => {
  await using bench = await MakingBench.create();
  const { repo, queue, git } = bench;
  const plan = await bench.plan({ branch: 'nested' });
  const outer = await makeWorktree({ git, queue }, { ...plan, path: join(repo.path, '.worktrees', 'nested') });
  const inner = { ...(await bench.plan({ base_repo: outer.path, branch: 'inner' })), path: join(outer.path, 'deep', 'inner') };
  const made = await makeWorktree({ git, queue }, inner);
  expect(made.base_repo).toBe(repo.path);
  expect(await checkLink(made)).toBeUndefined();
});

test('a worktree below a symbolic link keeps the path that was asked for', async () => {
  await using bench = await MakingBench.create();
  const real = join(bench.repo.root, 'real');
  await mkdir(real);
  await symlink(real, bench.repo.worktreesDir);
  const record = await bench.make({ branch: 'topic' });
  expect(record.path.startsWith(bench.repo.worktreesDir)).toBe(true);
  expect(await realpath(record.path)).not.toBe(record.path);
  expect(await checkLink(record)).toBeUndefined();
  expect(await bench.undo(record)).toBe('undone');
  expect(await exists(record.path)).toBe(false);
});

test('a branch named like a tag is the one that is checked out', async () => {
  await using bench = await MakingBench.create({ commits: 2 });
  await bench.repo.git('tag', 'v1', 'HEAD~1');
  await bench.repo.git('branch', 'v1', 'HEAD');
  const record = await bench.make({ branch: 'v1', create_branch: false });
  expect(await bench.repo.gitAt(record.path, 'rev-parse', 'HEAD')).toBe(await bench.repo.git('rev-parse', 'refs/heads/v1'));
});

describe('tracking', () => {
  async function withOrigin(): Promise<MakingBench> {
    const bench = await MakingBench.create();
    const origin = join(bench.repo.root, 'origin.git');
    await bench.repo.git('clone', '--quiet', '--bare', bench.repo.path, origin);
    await bench.repo.git('remote', 'add', 'origin', origin);
    await bench.repo.git('push', '--quiet', 'origin', 'main:refs/heads/feat/x');
    await bench.repo.git('fetch', '--quiet', 'origin');
    return bench;
  }

  test('a branch from the remote branch of its name tracks it, and undoing takes that back', async () => {
    await using bench = await withOrigin();
    await bench.repo.git('config', 'branch.autoSetupRebase', 'always');
    const before = await bench.traces();
    const record = await bench.make({ branch: 'feat/x', base: 'origin/feat/x' });
    expect(await bench.repo.gitAt(record.path, 'rev-parse', '--abbrev-ref', '@{upstream}')).toBe('origin/feat/x');
    expect(await bench.undo(record)).toBe('undone');
    expect(await bench.traces()).toEqual({ ...before, directories: ['repo'] });
  });

  test('any other branch tracks nothing, whatever branch.autoSetupMerge says', async () => {
    await using bench = await withOrigin();
    await bench.repo.git('config', 'branch.autoSetupMerge', 'always');
    const { config } = await bench.traces();
    await bench.make({ branch: 'one', base: 'origin/feat/x' });
    await bench.make({ branch: 'two' });
    expect(await bench.traces()).toMatchObject({ config });
  });

  test('a config file that another git holds for a moment is waited for', async () => {
    await using bench = await withOrigin();
    const lock = join(bench.repo.path, '.git', 'config.lock');
    await writeFile(lock, '');
    const making = bench.make({ branch: 'feat/x', base: 'origin/feat/x' });
    const path = await waitForWorktree(bench);
    await rm(lock);
    expect((await making).path).toBe(path);
  });

  test('one that is held for good fails the make, and nothing of it is left', async () => {
    await using bench = await withOrigin();
    const before = await bench.traces();
    await writeFile(join(bench.repo.path, '.git', 'config.lock'), '');
    const error = await failureOf(bench.make({ branch: 'feat/x', base: 'origin/feat/x' }));
    expect(error.message).toContain('could not lock config file');
    expect(await bench.traces()).toEqual(before);
  });

  function waitForWorktree({ repo }: MakingBench): Promise<string> {
    return until('the directory', async () => {
      const [name] = await readdir(join(repo.worktreesDir, 'repo'));
      return name !== undefined && join(repo.worktreesDir, 'repo', name);
    });
  }
});

test('eight made at once in one repository all succeed, whatever their base', async () => {
  await using bench = await MakingBench.create({ commits: 3 });
  const { repo } = bench;
  await repo.git('config', 'branch.autoSetupMerge', 'always');
  await repo.git('tag', '-a', 'v1', '-m', 'annotated', 'HEAD~1');
  await repo.git('remote', 'add', 'origin', repo.path);
  await repo.git('fetch', '--quiet', 'origin');
  await repo.git('branch', 'there');
  const bases = ['main', 'v1', 'origin/main', 'HEAD~2', await repo.git('rev-parse', 'HEAD'), undefined, 'there'];
  const made = await Promise.all([
    ...bases.map((base, number) => bench.make({ branch: `feat/${number}`, ...(base === undefined ? {} : { base }) })),
    bench.make({ branch: 'there', create_branch: false }),
  ]);
  expect(new Set(made.map(({ admin_dir }) => admin_dir)).size).toBe(8);
  for (const { path, base_commit, branch } of made) {
    expect(await repo.gitAt(path, 'rev-parse', 'HEAD')).toBe(base_commit);
    expect(await repo.gitAt(path, 'branch', '--show-current')).toBe(branch);
  }
});

test('of two that want one branch at once, one is made and the other is a conflict', async () => {
  await using bench = await MakingBench.create();
  const results = await Promise.allSettled([bench.make({ branch: 'topic' }), bench.make({ branch: 'topic' })]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'branch_conflict' } });
  expect(await readdir(join(bench.repo.worktreesDir, 'repo'))).toHaveLength(1);
});

describe('C3: when a step fails nothing is left', () => {
  test('a hook that fails, with what it said, and what it wrote', async () => {
    await using bench = await MakingBench.create();
    const hook = join(bench.repo.path, '.git', 'hooks', 'post-checkout');
    await writeFile(hook, '#!/bin/sh\necho left > by-hook\necho no way >&2\nexit 3\n');
    await chmod(hook, 0o755);
    const before = await bench.traces();
    expect((await failureOf(bench.make({ branch: 'topic' }))).message).toContain('no way');
    expect(await bench.traces()).toEqual(before);
  });

  test('objects that are missing', async () => {
    await using bench = await MakingBench.create();
    const file = await bench.repo.write('file', 'text');
    await bench.repo.commit('file');
    const blob = await bench.repo.git('hash-object', file);
    await rm(join(bench.repo.path, '.git', 'objects', blob.slice(0, 2), blob.slice(2)));
    const before = await bench.traces();
    expect((await failureOf(bench.make({ branch: 'a/topic' }))).code).toBe('internal');
    expect(await bench.traces()).toEqual(before);
  });

  test('a branch that somebody else made or took meanwhile: theirs stays', async () => {
    await using bench = await MakingBench.create();
    const planned = await bench.plan({ branch: 'topic' });
    await bench.repo.git('branch', 'topic');
    const before = await bench.traces();
    expect(await failureOf(makeWorktree(bench, planned))).toMatchObject({ code: 'branch_conflict', details: { branch: 'topic' } });
    expect(await bench.traces()).toEqual(before);
    const existing = await bench.plan({ branch: 'topic', create_branch: false });
    await bench.repo.git('checkout', '--quiet', 'topic');
    const checkedOut = await bench.traces();
    expect(await failureOf(makeWorktree(bench, existing))).toMatchObject({ code: 'branch_conflict', details: { path: bench.repo.path } });
    expect(await bench.traces()).toEqual(checkedOut);
  });

  test('a directory that appeared meanwhile is not touched', async () => {
    await using bench = await MakingBench.create();
    const planned = await bench.plan({ branch: 'topic' });
    await mkdir(planned.path, { recursive: true });
    const before = await bench.traces();
    expect(await failureOf(makeWorktree(bench, planned))).toMatchObject({ code: 'storage_failed', details: { path: planned.path } });
    expect(await bench.traces()).toEqual(before);
  });

  test.skipIf(mountProblem() !== undefined)('a full disk', async () => {
    await using bench = await MakingBench.create();
    await bench.repo.write('big', Buffer.alloc(512 * 1024, 'x'));
    await bench.repo.commit('big');
    const disk = await SmallDisk.mount(bench.repo.worktreesDir, 64);
    try {
      const before = await bench.traces();
      const error = await failureOf(bench.make({ branch: 'topic' }));
      expect(error).toMatchObject({ code: 'storage_failed', message: expect.stringMatching(/is full/) });
      expect(await bench.traces()).toEqual(before);
    } finally {
      await disk.unmount();
    }
  });

  test('a git that cannot be started', async () => {
    await using bench = await MakingBench.create();
    const planned = await bench.plan({ branch: 'topic' });
    const before = await bench.traces();
    const git = new Git({ env: { ...bench.repo.env, PATH: '/nowhere' }, umask: 0o022 });
    await expect(makeWorktree({ git, queue: bench.queue }, planned)).rejects.toThrow();
    expect(await bench.traces()).toEqual(before);
  });
});

test('hooks named relative to the main worktree run, in the new one', async () => {
  await using bench = await MakingBench.create();
  await bench.repo.git('config', 'core.hooksPath', '.hooks');
  await chmod(await bench.repo.write('.hooks/post-checkout', `#!/bin/sh\npwd > "${bench.repo.root}/hooked"\n`), 0o755);
  const { path } = await bench.make({ branch: 'topic' });
  expect(await readFile(join(bench.repo.root, 'hooked'), 'utf8')).toBe(`${path}\n`);
});

test('a sparse checkout is kept in a new worktree', async () => {
  await using bench = await MakingBench.create();
  for (const name of ['in/file', 'out/file']) await bench.repo.write(name, name);
  await bench.repo.commit('files');
  await bench.repo.git('sparse-checkout', 'set', 'in');
  const { path } = await bench.make({ branch: 'topic' });
  expect([await exists(join(path, 'in', 'file')), await exists(join(path, 'out'))]).toEqual([true, false]);
  expect(await bench.repo.gitAt(path, 'status', '--porcelain')).toBe('');
});

test('submodules are left for the user to initialise', async () => {
  await using bench = await MakingBench.create();
  await using inner = await MakingBench.create();
  await bench.repo.git('submodule', '--quiet', 'add', inner.repo.path, 'inner');
  await bench.repo.commit('submodule');
  const record = await bench.make({ branch: 'topic' });
  expect(await readdir(join(record.path, 'inner'))).toEqual([]);
  expect(await bench.undo(record)).toBe('undone');
  const module = await bench.make({ base_repo: join(bench.repo.path, 'inner'), branch: 'in-module' });
  expect(module.base_repo).toBe(join(bench.repo.path, 'inner'));
  expect(await checkLink(module)).toBeUndefined();
});
