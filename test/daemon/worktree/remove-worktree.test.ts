import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asideOf } from '../../../src/daemon/worktree/removal-aside.js';
import { removeWorktree } from '../../../src/daemon/worktree/remove-worktree.js';
import { RepositoryQueue } from '../../../src/daemon/worktree/repository-queue.js';
import { applySalvage } from '../../../src/daemon/worktree/salvage-apply.js';
import { dropSalvage, readSalvage } from '../../../src/daemon/worktree/salvage-read.js';
import { MaestroError } from '../../../src/protocol/index.js';
import { GitRepo } from '../../support/git-repo.js';
import { addWorktree, WorktreeBench } from './worktree-bench.js';

const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'dir/c.txt': 'c\n', '.gitignore': '*.log\nnode_modules/\n' };

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function refusal(work: Promise<unknown>): Promise<MaestroError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof MaestroError)) throw new Error('it was not refused', { cause: error });
  return error;
}

async function branches(bench: WorktreeBench): Promise<string[]> {
  return (await bench.repo.git('for-each-ref', '--format=%(refname)')).split('\n');
}

describe('a clean worktree', () => {
  test('K1: its directory, its entry and its branch go, and the directory of its repository with the last one', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    await bench.write('node_modules/x/y.js', 'x');
    await bench.repo.git('config', 'branch.work.remote', 'origin');
    expect(await bench.remove()).toEqual({});
    expect(await branches(bench)).toEqual(['refs/heads/main']);
    expect(await readdir(bench.repo.worktreesDir)).toEqual([]);
    expect(await isThere(join(bench.repo.path, '.git/worktrees'))).toBe(false);
    expect(await bench.repo.git('config', '--local', '--list')).not.toContain('branch.work');
    expect(await bench.repo.git('status', '--porcelain')).toBe('');
  });

  test('a branch with commits of its own is kept and named, and so is a stash', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    const id = await bench.commit('mine');
    await bench.write('a.txt', 'A\n');
    await bench.run('stash');
    expect(await bench.remove()).toEqual({ branch_kept: 'work' });
    expect(await bench.repo.git('rev-parse', 'work')).toBe(id);
    expect(await bench.repo.git('stash', 'list')).toContain('work');
  });

  test('another branch that it was on is named', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    await bench.run('checkout', '--quiet', '-b', 'other');
    await bench.commit('mine');
    expect(await bench.remove()).toEqual({ branch_kept: 'other' });
    expect(await branches(bench)).toEqual(['refs/heads/main', 'refs/heads/other']);
  });

  test('what was amended away is kept under the salvage ref', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    await bench.write('a.txt', 'first\n');
    const first = await bench.commit('first');
    await bench.run('reset', '--quiet', '--hard', 'HEAD~1');
    const { salvage, branch_kept } = await bench.remove();
    expect(branch_kept).toBeUndefined();
    expect(salvage).toMatchObject({ ref: `refs/maestro/salvage/${bench.record.id}`, files_total: 0 });
    expect(await bench.repo.git('show', `${first}:a.txt`)).toBe('first');
    expect(await bench.repo.git('merge-base', first, salvage?.commit ?? '')).toBe(first);
    expect((await readSalvage(bench.git, bench.record))?.commits.map(({ id }) => id)).toEqual([first]);
  });

  test('names that are not UTF-8, read-only directories and links out of it are deleted as they are', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    const outside = join(bench.repo.root, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'precious'), 'x');
    await bench.write('node_modules/x', 'x');
    await writeFile(Buffer.concat([Buffer.from(`${bench.path}/node_modules/`), Buffer.from([0xff, 0x0a])]), 'x');
    await symlink(outside, join(bench.path, 'node_modules/link'));
    await chmod(join(bench.path, 'node_modules'), 0o500);
    await bench.remove();
    expect(await isThere(bench.path)).toBe(false);
    expect(await readdir(outside)).toEqual(['precious']);
  });
});

describe('a worktree with work', () => {
  test('it is refused with the inventory and nothing is touched', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    await bench.write('a.txt', 'A\n');
    await bench.write('b.txt', 'B\n');
    await bench.run('add', 'b.txt');
    await bench.write('new', 'new');
    const before = await bench.run('status', '--porcelain');
    const error = await refusal(bench.remove());
    expect(error).toMatchObject({ code: 'worktree_dirty', status: 409 });
    expect(error.details).toMatchObject({ id: bench.record.id, path: bench.path, inventory: { files_total: 3, clean: false } });
    expect(await bench.run('status', '--porcelain')).toBe(before);
    expect(await readdir(dirname(bench.path))).toEqual(['work']);
    expect(await branches(bench)).not.toContain(`refs/maestro/salvage/${bench.record.id}`);
  });

  test('while a program keeps writing it is never removed without force', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    const log = join(bench.path, 'out.txt');
    let written = 0;
    const writer = setInterval(() => appendFileSync(log, `${written++}\n`), 1);
    try {
      expect((await refusal(bench.remove())).code).toBe('worktree_dirty');
      expect((await refusal(bench.remove({ salvage: true }))).message).toMatch(/still being written|written to all the time/);
    } finally {
      clearInterval(writer);
    }
    expect((await readFile(log, 'utf8')).trimEnd().split('\n')).toHaveLength(written);
    expect(await readdir(dirname(bench.path))).toEqual(['work']);
  });

  test('K2: force saves files, index, conflicts and commits, and all of it can be brought back', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    await bench.write('a.txt', 'staged\n');
    await bench.run('add', 'a.txt');
    await bench.write('a.txt', 'changed\r\n');
    await rm(join(bench.path, 'b.txt'));
    await bench.write('deep/new', Buffer.from([0, 255, 10]));
    await bench.write('debug.log', 'ignored');
    await bench.write('tool', '#!/bin/sh\n');
    await chmod(join(bench.path, 'tool'), 0o700);
    await symlink('../nowhere', join(bench.path, 'link'));
    await writeFile(Buffer.concat([Buffer.from(`${bench.path}/`), Buffer.from([0x66, 0xff])]), 'odd');
    const status = await bench.run('status', '--porcelain', '-z', '--ignored');
    const { salvage } = await bench.remove({ salvage: true });
    expect(salvage).toMatchObject({ branch: 'work', files_total: 8 });
    expect(await isThere(bench.path)).toBe(false);
    const content = await readSalvage(bench.git, bench.record);
    expect(content).toMatchObject({ head: bench.record.base_commit, branch: 'work', created_at: '2026-01-02T00:00:00.000Z' });
    expect(content?.files.map(({ path, kind }) => `${kind} ${path}`)).toContain('ignored debug.log');

    const again = await addWorktree(bench.repo, 'again', { base: content?.head ?? '' });
    if (content !== undefined) await applySalvage(bench.git, again, content);
    expect(await bench.repo.gitAt(again.path, 'status', '--porcelain', '-z', '--ignored')).toBe(status);
    expect(await readFile(join(again.path, 'deep/new'))).toEqual(Buffer.from([0, 255, 10]));
    expect(await readFile(join(again.path, 'a.txt'), 'utf8')).toBe('changed\r\n');
    expect((await lstat(join(again.path, 'tool'))).mode & 0o777).toBe(0o700);
    expect(await bench.repo.gitAt(again.path, 'show', ':a.txt')).toBe('staged');
  });

  test('K2: a conflict comes back with its sides', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    await bench.run('checkout', '--quiet', '-b', 'other');
    await bench.write('a.txt', 'theirs\n');
    await bench.commit('theirs');
    await bench.run('checkout', '--quiet', 'work');
    await bench.write('a.txt', 'ours\n');
    await bench.commit('ours');
    await bench.run('merge', 'other').catch(() => undefined);
    const stages = await bench.run('ls-files', '-u');
    expect(stages).not.toBe('');
    expect((await bench.remove({ salvage: true })).branch_kept).toBe('work');
    const content = await readSalvage(bench.git, bench.record);
    const again = await addWorktree(bench.repo, 'work', { create: false });
    if (content !== undefined) await applySalvage(bench.git, again, content);
    expect(await bench.repo.gitAt(again.path, 'ls-files', '-u')).toBe(stages);
    expect(await readFile(join(again.path, 'a.txt'), 'utf8')).toContain('<<<<<<<');
  });

  test('K2: filters and line ends change nothing of what is saved', async () => {
    const attributes = { '.gitattributes': '*.crlf text eol=crlf\n*.low filter=low\n' };
    await using bench = await WorktreeBench.create({ files: { ...attributes, 'x.crlf': 'one\ntwo\n', 'y.low': 'y\n' } });
    await bench.repo.git('config', 'filter.low.clean', 'tr A-Z a-z');
    await bench.repo.git('config', 'core.autocrlf', 'input');
    await bench.write('x.crlf', 'one\ntwo\r\nTHREE\n');
    await bench.write('y.low', 'LOUD\n');
    const { salvage } = await bench.remove({ salvage: true });
    expect(await bench.repo.git('cat-file', 'blob', `${salvage?.commit}:x.crlf`)).toBe('one\ntwo\r\nTHREE');
    expect(await bench.repo.git('cat-file', 'blob', `${salvage?.commit}:y.low`)).toBe('LOUD');
  });

  test('K2: commits of a detached HEAD are saved', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    await bench.run('checkout', '--quiet', '--detach');
    const id = await bench.commit('on no branch');
    expect((await refusal(bench.remove())).details).toMatchObject({ inventory: { detached_commits_total: 1 } });
    const { salvage } = await bench.remove({ salvage: true });
    expect(salvage?.branch).toBeUndefined();
    expect(await bench.repo.git('merge-base', id, salvage?.commit ?? '')).toBe(id);
    expect((await readSalvage(bench.git, bench.record))?.commits.map(({ subject }) => subject)).toEqual(['on no branch']);
    expect(await branches(bench)).not.toContain('refs/heads/work');
  });

  test('K2: a worktree before the first commit of its branch is saved', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    await bench.run('checkout', '--quiet', '--orphan', 'fresh');
    await bench.write('new', 'new');
    await bench.remove({ salvage: true });
    const content = await readSalvage(bench.git, bench.record);
    const again = await addWorktree(bench.repo, 'again', { base: content?.head ?? '' });
    if (content !== undefined) await applySalvage(bench.git, again, content);
    expect(await readFile(join(again.path, 'new'), 'utf8')).toBe('new');
    expect(await bench.repo.gitAt(again.path, 'ls-files')).toBe('.gitignore\na.txt\nb.txt\ndir/c.txt');
  });

  test('K2: what no commit can hold is refused even with force', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    await mkdir(join(bench.path, 'inner'));
    await bench.repo.gitAt(join(bench.path, 'inner'), 'init', '--quiet');
    const error = await refusal(bench.remove({ salvage: true }));
    expect(error.code).toBe('worktree_dirty');
    expect(error.message).toMatch(/repository inner of its own.*keep_worktree/);
    expect(await isThere(join(bench.path, 'inner/.git'))).toBe(true);
  });

  test('K2: a repository with SHA-256 object ids is no different', async () => {
    await using repo = await GitRepo.create({ commits: 0 });
    await rm(join(repo.path, '.git'), { recursive: true });
    await repo.git('init', '--quiet', '--object-format=sha256');
    await repo.write('a.txt', 'a\n');
    await repo.commit('a');
    const record = await addWorktree(repo, 'work');
    await writeFile(join(record.path, 'new'), 'new');
    await rm(join(record.path, 'a.txt'));
    const git = repo.runner();
    const { salvage } = await removeWorktree({ git, queue: new RepositoryQueue() }, record, { salvage: true, now: 0 });
    expect(salvage).toMatchObject({ files_total: 2, commit: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(await repo.git('ls-tree', '--name-only', salvage?.commit ?? '')).toBe('new');
  });

  test('a salvage is dropped only if it is the one that is meant', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    await bench.write('new', 'x');
    const { salvage } = await bench.remove({ salvage: true });
    const { id, git_dir } = bench.record;
    await expect(dropSalvage(bench.git, { id, git_dir, commit: bench.record.base_commit })).rejects.toThrow(/drop the salvage/);
    await dropSalvage(bench.git, { id, git_dir, commit: salvage?.commit ?? '' });
    await dropSalvage(bench.git, { id, git_dir, commit: salvage?.commit ?? '' });
    expect(await readSalvage(bench.git, bench.record)).toBeUndefined();
  });
});

describe('what is not to be removed', () => {
  test('the default branch of a bare repository stays, with a worktree on it', async () => {
    await using bench = await WorktreeBench.create({ bare: true });
    const record = { ...(await addWorktree(bench.repo, 'main', { create: false })), created_branch: true };
    expect(await bench.remove({ record })).toEqual({ branch_kept: 'main' });
    expect(await branches(bench)).toContain('refs/heads/main');
  });

  test('what a remote calls its default branch stays', async () => {
    await using bench = await WorktreeBench.create();
    await bench.repo.git('update-ref', 'refs/remotes/origin/work', 'HEAD');
    await bench.repo.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/work');
    expect(await bench.remove()).toEqual({ branch_kept: 'work' });
  });

  test('K3: a branch that was there before, or that is in use elsewhere, stays', async () => {
    await using bench = await WorktreeBench.create();
    expect(await bench.remove({ record: { ...bench.record, created_branch: false } })).toEqual({ branch_kept: 'work' });
    const used = await addWorktree(bench.repo, 'used');
    await bench.repo.git('worktree', 'add', '--quiet', '--force', join(bench.repo.root, 'by-hand'), 'used');
    expect(await bench.remove({ record: used })).toEqual({ branch_kept: 'used' });
  });

  test('K3: a branch that alone holds the commit that it began at stays', async () => {
    await using bench = await WorktreeBench.create();
    const base = await bench.repo.commit('soon on no branch');
    const record = await addWorktree(bench.repo, 'holder');
    await bench.repo.git('reset', '--quiet', '--hard', 'HEAD~1');
    expect(await bench.remove({ record })).toEqual({ branch_kept: 'holder' });
    expect(await bench.repo.git('rev-parse', 'holder')).toBe(base);
  });

  test('K3: the main worktree is never removed', async () => {
    await using bench = await WorktreeBench.create();
    await expect(bench.remove({ record: { ...bench.record, path: bench.repo.path } })).rejects.toThrow(/main worktree/);
    const { admin_dir: _, ...record } = { ...bench.record, base_repo: '/nowhere', path: bench.repo.path };
    await expect(bench.remove({ record })).rejects.toThrow(/broken/);
    expect(await isThere(join(bench.repo.path, '.git'))).toBe(true);
  });

  test("another worktree that has come to the record's path is left alone", async () => {
    await using bench = await WorktreeBench.create();
    await bench.run('branch', '--quiet', '-m', 'renamed');
    await rename(bench.path, `${bench.path}-moved`);
    await bench.repo.git('worktree', 'repair', `${bench.path}-moved`);
    const second = await addWorktree(bench.repo, 'work');
    expect((await refusal(bench.remove({ salvage: true }))).message).toContain('is broken');
    expect(await isThere(join(second.path, '.git'))).toBe(true);
    expect(await isThere(join(`${bench.path}-moved`, '.git'))).toBe(true);
  });
});

describe('a removal that cannot be', () => {
  test('one that is locked is refused with the reason; unlocked it goes', async () => {
    await using bench = await WorktreeBench.create();
    await bench.repo.git('worktree', 'lock', '--reason', 'on a stick', bench.path);
    const error = await refusal(bench.remove());
    expect(error).toMatchObject({ code: 'worktree_dirty', message: expect.stringMatching(/on a stick.*git worktree unlock/) });
    await bench.repo.git('worktree', 'unlock', bench.path);
    expect(await bench.remove()).toEqual({});
  });

  test('a process that has its working directory there does not keep it', async () => {
    await using bench = await WorktreeBench.create();
    const child = spawn('sleep', ['60'], { cwd: bench.path });
    try {
      await once(child, 'spawn');
      expect(await bench.remove()).toEqual({});
      expect(await isThere(bench.path)).toBe(false);
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  });

  test('a directory that cannot be moved is left whole, and a second call finishes', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    const { checked } = asideOf(bench.record);
    await mkdir(join(checked, 'in-the-way'), { recursive: true });
    const error = await refusal(bench.remove());
    expect(error).toMatchObject({ code: 'storage_failed', message: expect.stringContaining(bench.path) });
    expect((await bench.inventory()).clean).toBe(true);
    await rm(checked, { recursive: true });
    expect(await bench.remove()).toEqual({});
  });

  test('one without its link is refused, and the others go on', async () => {
    await using bench = await WorktreeBench.create();
    const other = await addWorktree(bench.repo, 'other');
    await rm(join(bench.path, '.git'));
    const error = await refusal(bench.remove({ salvage: true }));
    expect(error.details).toMatchObject({ inventory: { broken: expect.stringContaining('.git file is gone') } });
    expect(await bench.remove({ record: other })).toEqual({});
    expect(await isThere(bench.path)).toBe(true);
  });
});

describe('a directory that is gone', () => {
  test("git's entry and the branch go, and nobody else's entry", async () => {
    await using bench = await WorktreeBench.create();
    const other = await addWorktree(bench.repo, 'other');
    await rm(bench.path, { recursive: true });
    await rm(other.path, { recursive: true });
    expect(await bench.remove()).toEqual({});
    expect(await readdir(join(bench.repo.path, '.git/worktrees'))).toEqual(['other']);
    expect(await bench.remove()).toEqual({});
  });

  test('what was staged in it, and commits of its detached HEAD, are saved', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    await bench.run('checkout', '--quiet', '--detach');
    const id = await bench.commit('on no branch');
    await bench.write('a.txt', 'staged\n');
    await bench.run('add', 'a.txt');
    await rm(bench.path, { recursive: true });
    const { salvage } = await bench.remove();
    const content = await readSalvage(bench.git, bench.record);
    expect(await bench.repo.git('show', `${content?.manifest.index}:a.txt`)).toBe('staged');
    expect(await bench.repo.git('merge-base', id, salvage?.commit ?? '')).toBe(id);
  });

  test('one whose repository is gone too leaves nothing to do', async () => {
    await using bench = await WorktreeBench.create();
    await rm(bench.repo.root, { recursive: true });
    expect(await bench.remove()).toEqual({});
  });
});

describe('a removal that was cut off', () => {
  test('after the directory was moved aside, it is looked at again', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    await rename(bench.path, asideOf(bench.record).checked);
    await writeFile(join(asideOf(bench.record).checked, 'came-later'), 'x');
    expect(await bench.inventory()).toMatchObject({ clean: false, files: [{ path: 'came-later' }] });
    expect((await refusal(bench.remove())).code).toBe('worktree_dirty');
    expect(await readFile(join(bench.path, 'came-later'), 'utf8')).toBe('x');
    await rm(join(bench.path, 'came-later'));
    expect(await bench.remove()).toEqual({});
  });

  test.for(['half deleted', 'emptied', 'without its entry', 'without its branch'])('when it was %s it is finished', async (point) => {
    await using bench = await WorktreeBench.create({ files: FILES });
    const { doomed } = asideOf(bench.record);
    await rename(bench.path, doomed);
    await rm(join(doomed, 'a.txt'));
    if (point !== 'half deleted') await rm(doomed, { recursive: true }).then(() => mkdir(doomed));
    if (point === 'without its entry' || point === 'without its branch') await rm(bench.record.admin_dir ?? '', { recursive: true });
    if (point === 'without its branch') await bench.repo.git('branch', '-D', 'work');
    expect((await bench.inventory()).clean).toBe(true);
    expect(await bench.remove()).toEqual({});
    expect(await branches(bench)).toEqual(['refs/heads/main']);
    expect(await readdir(bench.repo.worktreesDir)).toEqual([]);
  });

  test('what it had saved is told by the call that finishes it', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    await bench.write('new', 'new');
    const first = await bench.remove({ salvage: true });
    expect(await bench.remove({ salvage: true })).toEqual(first);
    expect(first.salvage?.bytes).toBe(3);
  });
});

test('clean submodules go without force, with what is changed in them it is refused', async () => {
  await using library = await WorktreeBench.create({ files: { 'lib.c': 'int x;\n' } });
  await using bench = await WorktreeBench.create({ files: FILES });
  await bench.run('submodule', '--quiet', 'add', library.repo.path, 'sub');
  await bench.commit('with a submodule');
  await bench.write('sub/lib.c', 'int y;\n');
  expect((await refusal(bench.remove({ salvage: true }))).details).toMatchObject({ inventory: { dirty_submodules: ['sub'] } });
  await bench.run('-C', 'sub', 'checkout', '--quiet', '--', 'lib.c');
  expect(await bench.remove()).toEqual({ branch_kept: 'work' });
  expect(await isThere(bench.path)).toBe(false);
});

test('worktrees of one repository can be removed at the same time', async () => {
  await using bench = await WorktreeBench.create({ files: FILES });
  const records = [];
  for (const name of ['one', 'two', 'three', 'four']) records.push(await addWorktree(bench.repo, name));
  const parts = { git: bench.git, queue: new RepositoryQueue(), directory: bench.repo.worktreesDir };
  const removals = await Promise.all(records.map((record) => removeWorktree(parts, record, { salvage: false, now: 0 })));
  expect(removals).toEqual([{}, {}, {}, {}]);
  expect(await branches(bench)).toEqual(['refs/heads/main', 'refs/heads/work']);
});
