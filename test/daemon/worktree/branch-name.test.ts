import { expect, test } from 'vitest';
import { checkBranchName } from '../../../src/daemon/worktree/branch-name.js';
import { GitRepo } from '../../support/git-repo.js';
import { failureOf } from '../store/failures.js';

test.each([
  'feat/a-b',
  'feat-a/b',
  'v1.2',
  "it's",
  'a;b',
  'a$HOME',
  'a"b',
  '#12',
  '#{pid}',
  '%H',
  'été',
  '🚀',
  'a@b',
  'refs/heads/x',
  'Fix,+=!()&|<>`',
])('C4: %j is the name of a branch', async (name) => {
  await using repo = await GitRepo.create({ commits: 0 });
  await expect(checkBranchName(repo.runner(), { cwd: repo.path }, name)).resolves.toBeUndefined();
  await repo.git('symbolic-ref', 'HEAD', `refs/heads/${name}`);
  await repo.commit('first');
  expect(await repo.git('symbolic-ref', '--short', 'HEAD')).toMatch(name === 'refs/heads/x' ? /x$/ : name);
});

test.each([
  ...[
    '-',
    '--',
    '-d',
    '--help',
    '@',
    'HEAD',
    '@{-1}',
    '@{u}',
    'main@{upstream}',
    'a..b',
    'a b',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[',
    'a\\b',
  ],
  ...['/a', 'a/', 'a//b', '.a', 'a/.b', 'a.lock', 'a.', 'line\nend', 'tab\t', '\u007f', 'a'.repeat(40), `${'0'.repeat(64)}`],
])('C4: %j is refused and never reaches git as anything but a name', async (name) => {
  await using repo = await GitRepo.create({ commits: 0 });
  const error = await failureOf(checkBranchName(repo.runner(), { cwd: repo.path }, name));
  expect(error).toMatchObject({ code: 'invalid_request', details: { field: 'worktree.branch' } });
  expect(error.message).toContain(JSON.stringify(name));
});

test.each(['x'.repeat(251), `feat/${'x'.repeat(251)}`, '🚀'.repeat(63)])(
  'a name with a part over 250 bytes is refused with the limit',
  async (name) => {
    await using repo = await GitRepo.create({ commits: 0 });
    expect((await failureOf(checkBranchName(repo.runner(), { cwd: repo.path }, name))).message).toContain('250 bytes');
  },
);
