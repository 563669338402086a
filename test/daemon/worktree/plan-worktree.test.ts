import { mkdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { failureOf } from '../store/failures.js';
import { exists, MakingBench } from './making-bench.js';

const ID = '12345678-9abc-4def-8123-456789abcdef';

test('a plan makes nothing and says all that is to be made', async () => {
  await using bench = await MakingBench.create();
  const before = await bench.traces();
  const record = await bench.plan({ branch: 'feat/x' }, ID);
  expect(record).toMatchObject({
    version: 1,
    id: ID,
    path: join(bench.repo.worktreesDir, 'repo', 'feat-x-12345678'),
    base_repo: bench.repo.path,
    git_dir: join(bench.repo.path, '.git'),
    branch: 'feat/x',
    created_branch: true,
    base_commit: await bench.repo.git('rev-parse', 'HEAD'),
    base: 'main',
    state: 'making',
  });
  expect(await bench.traces()).toEqual(before);
});

test('branches whose names look alike have directories of their own', async () => {
  await using bench = await MakingBench.create();
  const paths: string[] = [];
  for (const branch of ['feat/a-b', 'feat-a/b', 'feat/a_b', 'Feat/a-b']) paths.push((await bench.make({ branch })).path);
  expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(4);
  for (const path of paths) expect(await exists(join(path, '.git'))).toBe(true);
});

test.each([
  ['feat', 'feat/x'],
  ['feat/x', 'feat'],
  ['feat/x/y', 'feat/x'],
  ['feat/x', 'feat/x/y/z'],
])('%s cannot be created beside %s: branch_conflict, and nothing is left', async (branch, present) => {
  await using bench = await MakingBench.create();
  await bench.repo.git('branch', present);
  const before = await bench.traces();
  const error = await failureOf(bench.make({ branch }));
  expect(error).toMatchObject({ code: 'branch_conflict', details: { branch } });
  expect(error.message).toContain(present);
  expect(await bench.traces()).toEqual(before);
});

test('a branch that exists is not created again', async () => {
  await using bench = await MakingBench.create();
  await bench.repo.git('branch', 'topic');
  const error = await failureOf(bench.plan({ branch: 'topic' }));
  expect(error).toMatchObject({ code: 'branch_conflict', details: { branch: 'topic' } });
  expect(error.message).toContain('use the existing branch');
});

test('a branch that is checked out is a conflict that names the worktree, also the main one', async () => {
  await using bench = await MakingBench.create();
  const { path } = await bench.make({ branch: 'topic' });
  for (const create_branch of [true, false]) {
    expect(await failureOf(bench.plan({ branch: 'topic', create_branch }))).toMatchObject({ code: 'branch_conflict', details: { path } });
    expect(await failureOf(bench.plan({ branch: 'main', create_branch }))).toMatchObject({ details: { path: bench.repo.path } });
  }
});

test('a branch that is being rebased or bisected elsewhere is in use there, though HEAD is detached', async () => {
  await using bench = await MakingBench.create({ commits: 3 });
  const rebased = await bench.make({ branch: 'rebased' });
  await bench.repo.gitAt(rebased.path, 'rebase', '--quiet', '--exec', 'false', 'HEAD~1').catch(() => undefined);
  const bisected = await bench.make({ branch: 'bisected' });
  await bench.repo.gitAt(bisected.path, 'bisect', 'start', 'HEAD', 'HEAD~2');
  for (const { branch, path } of [rebased, bisected]) {
    expect((await bench.repo.gitAt(path, 'branch', '--show-current')) === branch).toBe(false);
    const error = await failureOf(bench.plan({ branch, create_branch: false }));
    expect(error).toMatchObject({ code: 'branch_conflict', details: { branch, path } });
  }
});

test('a branch of a worktree whose directory is gone is in use until git is made to forget it', async () => {
  await using bench = await MakingBench.create();
  const { path } = await bench.make({ branch: 'topic' });
  await rm(path, { recursive: true });
  const error = await failureOf(bench.plan({ branch: 'topic', create_branch: false }));
  expect(error).toMatchObject({ code: 'branch_conflict', details: { path } });
  expect(error.message).toContain('git worktree prune');
  await bench.make({ branch: 'other' });
  await bench.repo.git('worktree', 'prune');
  expect(await bench.plan({ branch: 'topic', create_branch: false })).toMatchObject({ created_branch: false });
});

test('the branch that HEAD of a bare repository names is free', async () => {
  await using bench = await MakingBench.create({ bare: true });
  const { path } = await bench.make({ branch: 'main', create_branch: false });
  expect(await bench.repo.gitAt(path, 'branch', '--show-current')).toBe('main');
});

test('an existing branch that is not there suggests the remote branches of that name', async () => {
  await using bench = await MakingBench.create();
  await bench.repo.git('update-ref', 'refs/remotes/origin/feat/x', 'HEAD');
  const error = await failureOf(bench.plan({ branch: 'feat/x', create_branch: false }));
  expect(error).toMatchObject({ code: 'invalid_request', details: { field: 'worktree.branch', remote_branches: ['origin/feat/x'] } });
  expect(error.message).toContain('create it with base "origin/feat/x"');
});

test('a repository without commits is refused with what to do, and nothing is made', async () => {
  await using bench = await MakingBench.create({ commits: 0 });
  const before = await bench.traces();
  const error = await failureOf(bench.make({ branch: 'topic' }));
  expect(error).toMatchObject({ code: 'invalid_request', details: { field: 'worktree.base_repo' } });
  expect(error.message).toContain('make a first commit');
  expect(await bench.traces()).toEqual(before);
});

test.each([
  ['repo', 'été/ünï', 'été-ünï'],
  ['repo', 'e\u0301te\u0301', 'été'],
  ['repo', 'it\'s;a$HOME"b', 'it-s-a-HOME-b'],
  ['repo', '🚀', '-'],
  ['repo', '+.-x', '+.-x'],
  ['repo', 'é'.repeat(100), 'é'.repeat(40)],
  ['tool.git', 'a', 'a'],
  ['.bare', 'a', 'a'],
  ['.hidden repo', 'a', 'a'],
])('in %j the branch %j has a directory name that no tool stumbles over', async (name, branch, expected) => {
  await using bench = await MakingBench.create({ name });
  const { path } = await bench.plan({ branch }, ID);
  const parent = { 'tool.git': 'tool', '.bare': basename(bench.repo.root), '.hidden repo': 'hidden-repo' }[name] ?? 'repo';
  expect(path).toBe(join(bench.repo.worktreesDir, parent, `${expected === '-' ? 'branch' : expected}-12345678`));
});

test('what is in the way of a path is left alone: more of the id is used, and then it is refused', async () => {
  await using bench = await MakingBench.create();
  const { path } = await bench.plan({ branch: 'topic' }, ID);
  await mkdir(path, { recursive: true });
  const longer = await bench.plan({ branch: 'topic' }, ID);
  expect(longer.path).toBe(join(dirname(path), 'topic-12345678-9abc'));
  for (const length of [13, 18, 36]) await mkdir(join(dirname(path), `topic-${ID.slice(0, length)}`));
  expect((await failureOf(bench.plan({ branch: 'topic' }, ID))).code).toBe('storage_failed');
});

test('a branch of 250 characters in one part is made and listed, and one over the limit is refused before anything is made', async () => {
  await using bench = await MakingBench.create();
  const record = await bench.make({ branch: 'x'.repeat(250) });
  expect(await bench.repo.git('worktree', 'list', '--porcelain')).toContain(record.path);
  const before = await bench.traces();
  const error = await failureOf(bench.plan({ branch: 'x'.repeat(251) }));
  expect(error).toMatchObject({ code: 'invalid_request', details: { field: 'worktree.branch' } });
  expect(error.message).toContain('250 bytes');
  expect(await bench.traces()).toEqual(before);
});
