import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resolveBase } from '../../../src/daemon/worktree/base-commit.js';
import { openRepository } from '../../../src/daemon/worktree/repository.js';
import { GitRepo } from '../../support/git-repo.js';
import { failureOf } from '../store/failures.js';

async function resolve(repo: GitRepo, base?: string, path = repo.path) {
  const git = repo.runner();
  return resolveBase(git, await openRepository(git, path), base);
}

/** A repository with a remote `origin` that has one branch more than was fetched. */
async function fetched(): Promise<GitRepo> {
  const repo = await GitRepo.create({ commits: 2 });
  const origin = join(repo.root, 'origin.git');
  await repo.git('clone', '--quiet', '--bare', repo.path, origin);
  await repo.git('remote', 'add', 'origin', origin);
  await repo.git('push', '--quiet', 'origin', 'main', 'main:refs/heads/fix/one');
  await repo.git('fetch', '--quiet', 'origin');
  return repo;
}

test('without a base it is HEAD: of the directory that was given, with its branch, and none when detached', async () => {
  await using repo = await GitRepo.create({ commits: 2 });
  const first = await repo.git('rev-parse', 'HEAD~1');
  const linked = join(repo.root, 'linked');
  await repo.git('worktree', 'add', '--quiet', '-b', 'topic', linked, 'HEAD~1');
  expect(await resolve(repo)).toEqual({ commit: await repo.git('rev-parse', 'HEAD'), base: 'main' });
  expect(await resolve(repo, undefined, linked)).toEqual({ commit: first, base: 'topic' });
  await repo.gitAt(linked, 'checkout', '--quiet', '--detach');
  expect(await resolve(repo, undefined, linked)).toEqual({ commit: first });
});

test('anything that names a commit is taken', async () => {
  await using repo = await fetched();
  const commit = await repo.git('rev-parse', 'HEAD');
  await repo.git('tag', '-a', 'v1', '-m', 'annotated');
  await repo.git('tag', 'v1-light');
  await repo.git('update-ref', 'refs/pull/12/head', 'HEAD');
  for (const base of ['v1', 'v1-light', 'refs/pull/12/head', commit, commit.slice(0, 8), 'main~0', ':/commit 2', 'HEAD^0']) {
    expect(await resolve(repo, base), base).toEqual({ commit });
  }
  expect(await resolve(repo, 'main')).toEqual({ commit, base: 'main' });
  expect(await resolve(repo, 'refs/heads/main')).toEqual({ commit, base: 'main' });
  expect(await resolve(repo, 'origin/main')).toEqual({ commit, base: 'origin/main', upstream: 'origin/main' });
});

test('C4: what is no commit, or could be taken for an option, is refused by name', async () => {
  await using repo = await fetched();
  await repo.write('file', 'text');
  await repo.commit('file');
  for (const [base, reason] of [
    ['HEAD:file', 'names a blob'],
    ['HEAD^{tree}', 'names a tree'],
    ['--all', 'option'],
    ['-', 'option'],
    ['^main', 'names no commit'],
    ['main..main', 'names no commit'],
    ['0'.repeat(39).concat('1'), 'fetch it first'],
    ['nothing', 'fetch it first: git -C'],
    ['origin/new', 'fetch origin new'],
    ['refs/pull/7/head', 'refs/pull/7/head:refs/pull/7/head'],
    ['fix/one', 'did you mean origin/fix/one?'],
    ['$(touch x)', 'names no commit'],
  ] as const) {
    const error = await failureOf(resolve(repo, base));
    expect(error).toMatchObject({ code: 'invalid_request', details: { field: 'worktree.base' } });
    expect(error.message).toContain(JSON.stringify(base));
    expect(error.message).toContain(reason);
  }
});

test('HEAD without commits asks for a base, and takes one', async () => {
  await using repo = await GitRepo.create();
  const commit = await repo.git('rev-parse', 'main');
  await repo.git('checkout', '--quiet', '--orphan', 'new');
  expect((await failureOf(resolve(repo))).message).toContain('without commits');
  expect(await resolve(repo, 'main')).toEqual({ commit, base: 'main' });
});
