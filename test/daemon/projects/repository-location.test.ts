import { rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { repositoryAround, repositoryAt } from '../../../src/daemon/projects/repository-location.js';
import { Scratch } from './scratch.js';

let scratch: Scratch;
beforeEach(async () => {
  scratch = await Scratch.create();
});
afterEach(() => scratch[Symbol.asyncDispose]());

describe('the repository at a directory', () => {
  test('is that of its .git directory', async () => {
    const path = await scratch.repository('a b\n');
    expect(await repositoryAt(path)).toEqual({ path, gitDir: join(path, '.git'), bare: false, as: 'main' });
  });

  test('is a bare one itself, whatever its name', async () => {
    const path = await scratch.repository('tools', { options: ['--bare'] });
    expect(await repositoryAt(path)).toEqual({ path, gitDir: path, bare: true, as: 'main' });
  });

  test('may be a bare one behind a .git directory or a .git file', async () => {
    const inside = await scratch.repository('one/.git', { options: ['--bare'] });
    expect(await repositoryAt(join(scratch.top, 'one'))).toEqual({ path: inside, gitDir: inside, bare: true, as: 'main' });
    const beside = await scratch.repository('two/.bare', { options: ['--bare'] });
    await scratch.file('two/.git', 'gitdir: ./.bare\n');
    expect(await repositoryAt(join(scratch.top, 'two'))).toEqual({ path: beside, gitDir: beside, bare: true, as: 'main' });
  });

  test('keeps its git directory elsewhere if it was made so', async () => {
    const gitDir = join(scratch.top, 'elsewhere');
    const path = await scratch.repository('tree', { options: [`--separate-git-dir=${gitDir}`] });
    expect(await repositoryAt(path)).toEqual({ path, gitDir, bare: false, as: 'main' });
    expect(await repositoryAt(gitDir)).toMatchObject({ gitDir, as: 'linked' });
  });

  test('is the main one for a linked worktree, with absolute and with relative links', async () => {
    const path = await scratch.repository('main', { at: 1 });
    const linked = join(scratch.top, 'linked');
    await scratch.git.run({ cwd: path }, ['worktree', 'add', '--quiet', '-b', 'x', linked]);
    const expected = { path, gitDir: join(path, '.git'), bare: false, as: 'linked' };
    expect(await repositoryAt(linked)).toEqual(expected);
    await scratch.file('linked/.git', 'gitdir: ../main/.git/worktrees/linked\n');
    expect(await repositoryAt(linked)).toEqual(expected);
  });

  test('is the submodule for a submodule', async () => {
    const inner = await scratch.repository('inner', { at: 1 });
    const outer = await scratch.repository('outer', { at: 1 });
    await scratch.git.run({ cwd: outer }, ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub']);
    const path = join(outer, 'sub');
    expect(await repositoryAt(path)).toEqual({ path, gitDir: join(outer, '.git/modules/sub'), bare: false, as: 'submodule' });
    const linked = join(scratch.top, 'linked');
    await scratch.git.run({ cwd: path }, ['worktree', 'add', '--quiet', '-b', 'x', linked]);
    expect(await repositoryAt(linked)).toMatchObject({ path, as: 'linked' });
  });

  test('is none where git finds none', async () => {
    await scratch.directory('empty/.git');
    await scratch.file('broken/.git', 'gitdir: /nowhere/at/all\n');
    await scratch.file('odd/.git', 'something else');
    await scratch.file('half/HEAD', 'ref: refs/heads/main\n');
    for (const name of ['empty', 'broken', 'odd', 'half', 'missing']) {
      expect(await repositoryAt(join(scratch.top, name)), name).toBeUndefined();
    }
  });
});

describe('the repository around a directory', () => {
  test('is found from deep inside, from its git directory and through symbolic links', async () => {
    const path = await scratch.repository('repo');
    const deep = await scratch.directory('repo/src/deep');
    await symlink(deep, join(scratch.top, 'link'));
    for (const from of [path, deep, join(scratch.top, 'link'), join(path, '.git', 'objects')]) {
      expect(await repositoryAround(from), from).toMatchObject({ path, bare: false });
    }
  });

  test('is the innermost one', async () => {
    await scratch.repository('outer');
    const inner = await scratch.repository('outer/inner');
    expect(await repositoryAround(inner)).toMatchObject({ path: inner });
  });

  test('is none for a worktree whose link leads nowhere, though another repository is around it', async () => {
    await scratch.repository('.');
    const path = await scratch.repository('main', { at: 1 });
    const linked = join(scratch.top, 'linked');
    await scratch.git.run({ cwd: path }, ['worktree', 'add', '--quiet', '-b', 'x', linked]);
    await rename(path, join(scratch.top, 'moved'));
    expect(await repositoryAround(linked)).toBeUndefined();
  });

  test('is none where there is none, and for a directory that is gone', async () => {
    const path = await scratch.directory('plain');
    expect(await repositoryAround(path)).toBeUndefined();
    await rm(path, { recursive: true });
    expect(await repositoryAround(path)).toBeUndefined();
  });
});
