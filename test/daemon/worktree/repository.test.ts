import { chown, mkdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Git } from '../../../src/daemon/git.js';
import { openRepository, requireCommits } from '../../../src/daemon/worktree/repository.js';
import { GitRepo } from '../../support/git-repo.js';
import { failureOf } from '../store/failures.js';

const asRoot = test.skipIf(process.getuid?.() !== 0);

test.each(['plain', 'with space', "it's", 'a;b', 'a$HOME', 'a"b', 'été', 'line\nend', '#{pid}', '%H', '-x', 'end\n'])(
  'a repository in a directory named %j is found from its top and from below',
  async (name) => {
    await using repo = await GitRepo.create({ name });
    const below = join(repo.path, 'sub', name);
    await mkdir(below, { recursive: true });
    const gitDir = join(repo.path, '.git');
    for (const startDir of [repo.path, below]) {
      expect(await openRepository(repo.runner(), startDir)).toEqual({
        path: repo.path,
        gitDir,
        bare: false,
        mainWorktree: repo.path,
        startDir,
      });
    }
  },
);

test('a linked worktree, its subdirectory and the git directory lead to the main worktree', async () => {
  await using repo = await GitRepo.create();
  const linked = join(repo.root, 'linked');
  await repo.git('worktree', 'add', '--detach', linked);
  await mkdir(join(linked, 'sub'));
  for (const startDir of [linked, join(linked, 'sub'), join(repo.path, '.git'), join(repo.path, '.git/worktrees/linked')]) {
    const found = await openRepository(repo.runner(), startDir);
    expect(found).toMatchObject({ path: repo.path, gitDir: join(repo.path, '.git'), mainWorktree: repo.path, startDir });
  }
});

test('a bare repository is its own path, also from one of its worktrees and through a .git file beside it', async () => {
  await using repo = await GitRepo.create({ name: 'tool/.bare', bare: true });
  const beside = join(repo.root, 'tool');
  await writeFile(join(beside, '.git'), 'gitdir: ./.bare\n');
  await repo.git('worktree', 'add', '--quiet', join(beside, 'main'), 'main');
  for (const startDir of [repo.path, beside, join(beside, 'main')]) {
    expect(await openRepository(repo.runner(), startDir)).toEqual({ path: repo.path, gitDir: repo.path, bare: true, startDir });
  }
});

test('a symbolic link to the repository is kept as it was given', async () => {
  await using repo = await GitRepo.create();
  const link = join(repo.root, 'link');
  await symlink(repo.path, link);
  const found = await openRepository(repo.runner(), `${link}/`);
  expect(found).toMatchObject({ path: link, mainWorktree: link, gitDir: join(repo.path, '.git') });
});

test('a submodule is a repository of its own', async () => {
  await using repo = await GitRepo.create();
  await using inner = await GitRepo.create({ name: 'inner' });
  await repo.git('submodule', '--quiet', 'add', inner.path, 'deps/inner');
  const path = join(repo.path, 'deps', 'inner');
  const gitDir = join(repo.path, '.git', 'modules', 'deps', 'inner');
  expect(await openRepository(repo.runner(), path)).toMatchObject({ path, gitDir, mainWorktree: path, bare: false });
  expect(await openRepository(repo.runner(), gitDir)).toMatchObject({ path, gitDir });
});

test('a git directory kept elsewhere leads to its worktree', async () => {
  await using repo = await GitRepo.create();
  const apart = join(repo.root, 'apart');
  await repo.git('init', '--quiet', `--separate-git-dir=${join(repo.root, 'elsewhere')}`, apart);
  expect(await openRepository(repo.runner(), apart)).toMatchObject({
    path: apart,
    gitDir: join(repo.root, 'elsewhere'),
    mainWorktree: apart,
  });
});

describe('refuses, naming worktree.base_repo and what to do,', () => {
  test('what is missing, is a file, is relative, or is no repository', async () => {
    await using repo = await GitRepo.create();
    const file = await repo.write('file', '');
    const outside = join(repo.root, 'outside');
    await mkdir(outside);
    for (const [path, reason] of [
      [join(repo.root, 'missing'), 'does not exist'],
      [join(file, 'x'), 'does not exist'],
      [file, 'is not a directory'],
      ['repo', 'absolute'],
      ['--help', 'absolute'],
      [outside, 'is not in a git repository'],
    ] as const) {
      const error = await failureOf(openRepository(repo.runner(), path));
      expect(error).toMatchObject({ code: 'invalid_request', details: { field: 'worktree.base_repo' } });
      expect(error.message).toContain(reason);
      expect(error.message).toContain(path);
    }
  });

  test('a linked worktree whose repository is gone', async () => {
    await using repo = await GitRepo.create();
    const linked = join(repo.root, 'linked');
    await repo.git('worktree', 'add', '--detach', linked);
    await rm(join(repo.path, '.git', 'worktrees'), { recursive: true });
    expect((await failureOf(openRepository(repo.runner(), linked))).message).toContain('git worktree repair');
  });

  asRoot('one that belongs to another user, with the command that trusts it', async () => {
    await using repo = await GitRepo.create();
    await chown(repo.path, 12345, 12345);
    await chown(join(repo.path, '.git'), 12345, 12345);
    const error = await failureOf(openRepository(repo.runner(), repo.path));
    expect(error.code).toBe('invalid_request');
    expect(error.message).toContain(`git config --global --add safe.directory ${repo.path}`);
  });

  test('one that git cannot read, with git’s own reason', async () => {
    await using repo = await GitRepo.create();
    await writeFile(join(repo.path, '.git', 'config'), '[core\n');
    expect((await failureOf(openRepository(repo.runner(), repo.path))).message).toMatch(/bad config line 1/);
  });

  test('any, when there is no git', async () => {
    await using repo = await GitRepo.create();
    const git = new Git({ env: { ...repo.env, PATH: '/nowhere' }, umask: 0o022 });
    expect((await failureOf(openRepository(git, repo.path))).message).toContain('git is not installed');
  });

  test('one without commits, with the command that makes the first', async () => {
    await using repo = await GitRepo.create({ name: 'a b', commits: 0 });
    const git = repo.runner();
    const error = await failureOf(requireCommits(git, await openRepository(git, repo.path)));
    expect(error.details).toEqual({ field: 'worktree.base_repo' });
    expect(error.message).toContain(`git -C '${repo.path}' commit --allow-empty -m "First commit"`);
    expect(await realpath(repo.path)).toBe(repo.path);
  });
});

test('a repository whose HEAD has no commits, while a branch has, can be used', async () => {
  await using repo = await GitRepo.create();
  await repo.git('checkout', '--quiet', '--orphan', 'new');
  await expect(requireCommits(repo.runner(), await openRepository(repo.runner(), repo.path))).resolves.toBeUndefined();
});
