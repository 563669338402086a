import { cp, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkLink } from '../../../src/daemon/worktree/worktree-link.js';
import type { WorktreeRecord } from '../../../src/daemon/worktree-record.js';
import { MakingBench } from './making-bench.js';

type Made = WorktreeRecord & { admin_dir: string };

const BREAKS: Record<string, [reason: RegExp, change: (made: Made, bench: MakingBench) => Promise<unknown>]> = {
  'its directory is gone': [/is gone$/, ({ path }) => rm(path, { recursive: true })],
  'a file is where it was': [/is not a directory/, ({ path }) => rm(path, { recursive: true }).then(() => writeFile(path, ''))],
  'its .git file is gone': [/\.git file is gone/, ({ path }) => rm(join(path, '.git'))],
  'its .git file is empty': [/names no git directory/, ({ path }) => writeFile(join(path, '.git'), '')],
  'a repository of its own is in it': [
    /not the file that git made/,
    ({ path }, { repo }) => rm(join(path, '.git')).then(() => repo.git('init', '--quiet', path)),
  ],
  'git has pruned it': [/which is gone/, ({ admin_dir }) => rm(admin_dir, { recursive: true })],
  'its .git file names another worktree': [
    /, and not /,
    async ({ path }, bench) => {
      const other = await bench.make({ branch: 'other' });
      await writeFile(join(path, '.git'), `gitdir: ${other.admin_dir}\n`);
    },
  ],
  'its .git file names the repository itself': [
    /which is not of/,
    ({ path, git_dir }) => writeFile(join(path, '.git'), `gitdir: ${git_dir}\n`),
  ],
  'git says that it is elsewhere': [
    /says that its worktree is \/elsewhere/,
    ({ admin_dir }) => writeFile(join(admin_dir, 'gitdir'), '/elsewhere/.git\n'),
  ],
  'git does not say where it is': [/does not say/, ({ admin_dir }) => rm(join(admin_dir, 'gitdir'))],
  'it has no HEAD': [/HEAD is gone/, ({ admin_dir }) => rm(join(admin_dir, 'HEAD'))],
  'its repository is gone': [/which is gone/, ({ git_dir }) => rm(git_dir, { recursive: true })],
};

test.each(Object.keys(BREAKS))('a worktree is broken when %s, and the others are not', async (name) => {
  await using bench = await MakingBench.create();
  const made = (await bench.make({ branch: 'topic' })) as Made;
  const sound = await bench.make({ branch: 'sound' });
  const [reason, change] = BREAKS[name] ?? [/never/, () => Promise.reject(new Error(name))];
  await change(made, bench);
  expect(await checkLink(made)).toMatch(reason);
  if (name !== 'its repository is gone') {
    expect(await checkLink(sound)).toBeUndefined();
    const next = await bench.make({ branch: 'next' });
    expect(await bench.undo(next)).toBe('undone');
  }
});

test('a copy of a worktree is not the worktree', async () => {
  await using bench = await MakingBench.create();
  const made = await bench.make({ branch: 'topic' });
  const copy = join(bench.repo.root, 'copy');
  await cp(made.path, copy, { recursive: true });
  expect(await checkLink({ ...made, path: copy })).toMatch(/says that its worktree is/);
});

test('a link is sound when it is relative, behind a symbolic link, or in a path with a line end', async () => {
  await using bench = await MakingBench.create({ name: 'a\nb' });
  const made = (await bench.make({ branch: 'topic' })) as Made;
  expect(await checkLink(made)).toBeUndefined();
  await writeFile(join(made.path, '.git'), `gitdir: ../../../a\nb/.git/worktrees/${made.admin_dir.split('/').at(-1)}\n`);
  const back = await readFile(join(made.admin_dir, 'gitdir'), 'utf8');
  await writeFile(join(made.admin_dir, 'gitdir'), back.replace(bench.repo.root, '../../../..'));
  expect(await checkLink(made)).toBeUndefined();
  const moved = join(bench.repo.root, 'moved');
  await rename(bench.repo.worktreesDir, moved);
  await mkdir(join(bench.repo.root, 'x'));
  await symlink(moved, bench.repo.worktreesDir);
  expect(await checkLink(made)).toBeUndefined();
});
