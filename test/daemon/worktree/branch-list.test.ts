import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Git } from '../../../src/daemon/git.js';
import { listBranches } from '../../../src/daemon/worktree/branch-list.js';
import { openRepository } from '../../../src/daemon/worktree/repository.js';
import { BranchListSchema } from '../../../src/protocol/index.js';
import { GitRepo } from '../../support/git-repo.js';

let repo: GitRepo;
let git: Git;
beforeEach(async () => {
  repo = await GitRepo.create({ commits: 1 });
  git = new Git({ env: { PATH: process.env.PATH ?? '', HOME: repo.path }, umask: 0o22 });
});
afterEach(() => repo[Symbol.asyncDispose]());

const list = async () => listBranches(git, await openRepository(git, repo.path));

test('the branches of a repository are listed, the newest first, with where they are checked out', async () => {
  await repo.git('branch', 'old');
  await repo.git('branch', 'fix/ü-1');
  await repo.git('worktree', 'add', '-q', '-b', 'elsewhere', join(repo.path, '..', 'elsewhere'));
  await repo.git('update-ref', 'refs/remotes/origin/next', 'HEAD');
  await repo.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/next');
  await repo.git('tag', 'v1');
  const tree = await repo.git('rev-parse', 'HEAD^{tree}');
  const who = 'A Tester <t@example.com> 4102444800 +0200';
  const commit = `tree ${tree}\nauthor ${who}\ncommitter ${who}\n\nMore\n\nand why\n`;
  const id = await git.text({ cwd: repo.path }, ['hash-object', '-t', 'commit', '-w', '--stdin'], { input: commit });
  await repo.git('update-ref', 'refs/heads/zz-newest', id);
  const { branches, truncated } = await list();
  expect(BranchListSchema.parse({ branches, truncated })).toEqual({ branches, truncated });
  expect(branches[0]).toEqual({
    name: 'zz-newest',
    remote: false,
    commit: { id, subject: 'More', author: 'A Tester', at: '2100-01-01T00:00:00.000Z' },
  });
  expect(branches.slice(1).map(({ name, remote }) => ({ name, remote }))).toEqual([
    { name: 'elsewhere', remote: false },
    { name: 'fix/ü-1', remote: false },
    { name: 'main', remote: false },
    { name: 'old', remote: false },
    { name: 'origin/next', remote: true },
  ]);
  const places = branches.flatMap(({ name, worktree }) => (worktree === undefined ? [] : [[name, worktree]]));
  expect(places).toEqual([
    ['elsewhere', join(repo.root, 'elsewhere')],
    ['main', repo.path],
  ]);
  expect(truncated).toBe(false);
});

test('a repository without a commit has no branches, and so many are not all listed', async () => {
  const [tip] = (await list()).branches;
  const refs = Array.from({ length: 600 }, (_, at) => `create refs/heads/b${at} ${tip?.commit.id}\n`).join('');
  await git.run({ cwd: repo.path }, ['update-ref', '--stdin'], { input: refs });
  expect(await list()).toMatchObject({ branches: { length: 500 }, truncated: true });
  await using empty = await GitRepo.create({ commits: 0 });
  expect(await listBranches(git, await openRepository(git, empty.path))).toEqual({ branches: [], truncated: false });
});
