import { chmod, mkdir, rename, rm, stat, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { requireTreeAt } from '../../../src/daemon/worktree/diff-tree.js';
import { ignoredDirectories, readGitState } from '../../../src/daemon/worktree/git-state.js';
import { operationIn } from '../../../src/daemon/worktree/git-state-operation.js';
import { GitStateSchema } from '../../../src/protocol/index.js';
import { GitRepo } from '../../support/git-repo.js';

let repo: GitRepo;
beforeEach(async () => {
  repo = await GitRepo.create();
});
afterEach(() => repo[Symbol.asyncDispose]());

async function state(comparedWith?: string) {
  return GitStateSchema.parse(await readGitState(repo.runner(), { ...(await requireTreeAt(repo.runner(), repo.path)), comparedWith }));
}

const revision = expect.stringMatching(/^[0-9a-f]+$/);
const at = (path: string) => join(repo.path, path);
const operation = () => operationIn(join(repo.path, '.git'));

test('every kind of change counts once, a rename too, and each file of an untracked directory', async () => {
  for (const name of ['staged', 'unstaged', 'deleted', 'both']) await repo.write(name, `${name}\n`);
  await repo.write('moved', 'a\nb\nc\n');
  await repo.write('.gitignore', 'ignored\n');
  await repo.commit('base');
  expect(await state()).toEqual({ branch: 'main', changed: 0, revision });
  await repo.git('mv', 'moved', 'new\nname');
  await repo.write('staged', 'x\n');
  await repo.write('both', 'x\n');
  await repo.git('add', 'staged', 'both');
  await repo.write('both', 'y\n');
  await repo.write('unstaged', 'x\n');
  await unlink(join(repo.path, 'deleted'));
  await repo.write('untracked/one', 'x');
  await repo.write('untracked/two', 'x');
  await repo.write('ignored', 'x');
  expect(await state()).toEqual({ branch: 'main', changed: 7, revision });
});

test('a repository without commits has a branch, and nothing to count from', async () => {
  await using fresh = await GitRepo.create({ commits: 0 });
  await fresh.write('new', 'x');
  const tree = { ...(await requireTreeAt(fresh.runner(), fresh.path)), comparedWith: 'other' };
  expect(await readGitState(fresh.runner(), tree)).toEqual({ branch: 'main', changed: 1, revision });
});

test('a detached HEAD has no branch', async () => {
  await repo.git('branch', 'other');
  await repo.git('checkout', '-q', '--detach');
  await repo.commit('loose');
  expect(await state('other')).toEqual({ changed: 0, revision, ahead: 1, behind: 0, compared_with: 'other' });
});

test('a branch with the name of a directory of branches is no branch to count from', async () => {
  await repo.git('branch', 'group/one');
  expect(await state('group')).toEqual({ branch: 'main', changed: 0, revision });
});

describe('the revision', () => {
  test('is the same while nothing changes, however often it is read', async () => {
    await repo.write('file', 'a\n');
    await repo.commit('base');
    for (const path of ['file', 'new/one', 'new/two']) await repo.write(path, 'x\n');
    const before = await state();
    await repo.git('status');
    expect(await state()).toEqual(before);
  });

  test('is another after each change of a file that is counted already, and after each commit', async () => {
    await repo.write('file', 'a\n');
    await repo.write('moved', '1\n2\n3\n');
    await repo.commit('base');
    for (const path of ['file', 'untracked/one', 'new\nline']) await repo.write(path, 'x\n');
    await repo.git('mv', 'moved', 'with space');
    await symlink('a', at('link'));
    const steps: Record<string, () => Promise<unknown>> = {
      'an edit': () => writeFile(at('file'), 'y y\n'),
      'an edit of the same size': () => writeFile(at('file'), 'z z\n'),
      'an untracked file': () => writeFile(at('untracked/one'), 'y y\n'),
      'an odd name': () => writeFile(at('new\nline'), 'y y\n'),
      'a renamed file': () => writeFile(at('with space'), '1\n2\n3\n4\n'),
      'a mode': () => chmod(at('untracked/one'), 0o755),
      'a link': async () => {
        await unlink(at('link'));
        await symlink('b', at('link'));
      },
      'another name': () => rename(at('untracked/one'), at('untracked/two')),
      'an edit that keeps size and time': async () => {
        const { atime, mtime } = await stat(at('untracked/two'));
        await writeFile(at('untracked/two'), 'w w\n');
        await utimes(at('untracked/two'), atime, mtime);
      },
      staging: () => repo.git('add', 'file'),
      'a commit': () => repo.git('commit', '-q', '-m', 'work'),
      'an empty commit': () => repo.git('commit', '-q', '--allow-empty', '-m', 'more'),
    };
    const seen = new Map([[(await state()).revision, 'the beginning']]);
    for (const [name, step] of Object.entries(steps)) {
      await step();
      const now = (await state()).revision;
      expect([name, seen.get(now)]).toEqual([name, undefined]);
      seen.set(now, name);
    }
  });
});

test('ignored directories are told by their tops', async () => {
  await repo.write('.gitignore', 'out/\n*.o\n/only-here/\n');
  for (const path of ['out/a/b/x', 'src/out/x', 'src/only-here/x', 'only-here/x', 'src/x.o', 'lone/out/x']) await repo.write(path, 'x');
  const tree = await requireTreeAt(repo.runner(), repo.path);
  expect(await ignoredDirectories(repo.runner(), tree.place)).toEqual(new Set(['lone/out', 'only-here', 'out', 'src/out']));
});

test('operations are told while they last', async () => {
  await repo.write('file', 'base\n');
  await repo.commit('base');
  await repo.git('checkout', '-q', '-b', 'other');
  for (const step of ['1', '2']) {
    await repo.write('file', `theirs ${step}\n`);
    await repo.commit(`theirs ${step}`);
  }
  await repo.git('checkout', '-q', 'main');
  await repo.write('file', 'ours\n');
  await repo.commit('ours');
  const patch = await repo.git('format-patch', '--stdout', '-1', 'other~1');
  await writeFile(join(repo.root, 'patch'), `${patch}\n`);
  expect(await operation()).toBeUndefined();
  const begun = {
    merge: ['merge', 'other'],
    rebase: ['rebase', 'other'],
    cherry_pick: ['cherry-pick', 'other~1', 'other'],
    revert: ['revert', '--no-edit', 'HEAD~1'],
    bisect: ['bisect', 'start'],
    apply: ['am', join(repo.root, 'patch')],
  };
  for (const [name, args] of Object.entries(begun)) {
    await repo.git(...args).catch(() => undefined);
    expect(await operation()).toBe(name);
    if (name === 'cherry_pick') {
      await repo.git('checkout', '-q', '-f', 'HEAD');
      await rm(join(repo.path, '.git/CHERRY_PICK_HEAD'), { force: true });
      expect(await operation()).toBe(name);
    }
    await repo.git(args[0] ?? '', name === 'bisect' ? 'reset' : '--abort');
    expect(await operation()).toBeUndefined();
  }
});

test('what cannot be read is an error for the user', async () => {
  const tree = await requireTreeAt(repo.runner(), repo.path);
  await writeFile(join(repo.path, '.git/index'), 'no index');
  await expect(readGitState(repo.runner(), tree)).rejects.toMatchObject({ code: 'internal', message: expect.stringContaining(repo.path) });
  await rm(join(repo.path, '.git'), { recursive: true });
  await mkdir(join(repo.path, '.git'));
  await expect(readGitState(repo.runner(), tree)).rejects.toMatchObject({ code: 'internal' });
});
