import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createBranch } from '../../../src/daemon/worktree/branch-creation.js';
import type { WorktreeRecord } from '../../../src/daemon/worktree-record.js';
import { until } from '../../support/until.js';
import { exists, MakingBench } from './making-bench.js';

async function benchWithFiles(): Promise<MakingBench> {
  const bench = await MakingBench.create();
  await bench.repo.write('.gitignore', '.env\n');
  for (let number = 0; number < 20; number += 1) await bench.repo.write(`dir/file-${number}`, `text ${number}\n`);
  await bench.repo.commit('files');
  return bench;
}

/** Everything but what is only a directory for other worktrees. */
async function tracesOf(bench: MakingBench): Promise<unknown> {
  return { ...(await bench.traces()), directories: undefined };
}

/** The states that a crash can leave, each made from a record and nothing else. */
const CUTS: Record<string, (bench: MakingBench, record: WorktreeRecord) => Promise<void>> = {
  'before anything was made': () => Promise.resolve(),
  'with the directory alone': async (_, { path }) => {
    await mkdir(path, { recursive: true });
  },
  'with the directory and the branch': async ({ git }, record) => {
    await mkdir(record.path, { recursive: true });
    await createBranch(git, record);
  },
  'with git’s own directory and no path in it': async ({ git }, record) => {
    await mkdir(record.path, { recursive: true });
    await createBranch(git, record);
    const admin = join(record.git_dir, 'worktrees', basename(record.path));
    await mkdir(admin, { recursive: true });
    await writeFile(join(admin, 'locked'), 'initializing\n');
  },
  'with a .git file and no HEAD': async ({ git }, record) => {
    await mkdir(record.path, { recursive: true });
    await createBranch(git, record);
    const admin = join(record.git_dir, 'worktrees', `${basename(record.path)}1`);
    await mkdir(admin, { recursive: true });
    await writeFile(join(admin, 'locked'), 'initializing\n');
    await writeFile(join(admin, 'gitdir'), `${record.path}/.git\n`);
    await writeFile(join(record.path, '.git'), `gitdir: ${admin}\n`);
  },
  'with a .git file that is still empty': async ({ git }, record) => {
    await mkdir(record.path, { recursive: true });
    await createBranch(git, record);
    const admin = join(record.git_dir, 'worktrees', basename(record.path));
    await mkdir(admin, { recursive: true });
    await writeFile(join(admin, 'gitdir'), `${record.path}/.git\n`);
    await writeFile(join(record.path, '.git'), '');
  },
  'in the middle of the checkout': async (bench, record) => {
    await whole(bench, record);
    const admin = join(record.git_dir, 'worktrees', basename(record.path));
    await writeFile(join(admin, 'locked'), 'initializing\n');
    await writeFile(join(admin, 'index.lock'), '');
    await rm(join(admin, 'index'));
    for (let number = 0; number < 10; number += 1) await rm(join(record.path, 'dir', `file-${number}`));
  },
  'after all was made': whole,
};

async function whole(bench: MakingBench, record: WorktreeRecord): Promise<void> {
  await mkdir(record.path, { recursive: true });
  await createBranch(bench.git, record);
  await bench.repo.git('worktree', 'add', '--quiet', record.path, record.branch);
}

describe('C3: a make that was cut off', () => {
  test.each(Object.keys(CUTS))('%s is undone, twice if need be', async (name) => {
    await using bench = await benchWithFiles();
    await bench.make({ branch: 'other' });
    const before = await tracesOf(bench);
    const record = await bench.plan({ branch: 'feat/topic' });
    await CUTS[name]?.(bench, record);
    expect(await bench.undo(record)).toBe('undone');
    expect(await exists(record.path)).toBe(false);
    expect(await tracesOf(bench)).toEqual(before);
    expect(await bench.undo(record)).toBe('undone');
  });

  test('while git goes on is waited for and then undone', async () => {
    await using bench = await benchWithFiles();
    const { repo } = bench;
    const hook = join(repo.path, '.git', 'hooks', 'post-checkout');
    await writeFile(hook, `#!/bin/sh\ntouch ${repo.root}/started\nwhile [ ! -e ${repo.root}/go ]; do sleep 0.05; done\n`);
    await chmod(hook, 0o755);
    const before = await tracesOf(bench);
    const record = await bench.plan({ branch: 'topic' });
    await mkdir(record.path, { recursive: true });
    await createBranch(bench.git, record);
    const git = spawn('git', ['worktree', 'add', record.path, 'topic'], { cwd: repo.path, env: repo.env, stdio: 'ignore' });
    const ended = once(git, 'exit');
    await until('the hook', () => exists(join(repo.root, 'started')));
    const undone = bench.undo(record);
    await writeFile(join(repo.root, 'go'), '');
    expect(await undone).toBe('undone');
    await ended;
    expect(await exists(record.path)).toBe(false);
    expect(await tracesOf(bench)).toEqual(before);
  });

  test.each(['all of git', 'git alone, and not its checkout'])(
    'in the middle of a real checkout, by the death of %s, is undone',
    async (victim) => {
      await using bench = await benchWithFiles();
      const { repo } = bench;
      await repo.write('.gitattributes', 'dir/file-5 filter=slow\n');
      await repo.commit('a file that is slow');
      const wait = `touch ${repo.root}/started; while [ ! -e ${repo.root}/go ]; do sleep 0.05; done; cat`;
      await repo.git('config', 'filter.slow.smudge', wait);
      const before = await tracesOf(bench);
      const record = await bench.plan({ branch: 'topic' });
      await mkdir(record.path, { recursive: true });
      await createBranch(bench.git, record);
      const git = spawn('git', ['worktree', 'add', record.path, 'topic'], {
        cwd: repo.path,
        env: repo.env,
        stdio: 'ignore',
        detached: true,
      });
      const ended = once(git, 'exit');
      await until('the checkout', () => exists(join(repo.root, 'started')));
      process.kill((git.pid ?? Number.NaN) * (victim === 'all of git' ? -1 : 1), 'SIGKILL');
      await ended;
      expect(await exists(join(record.path, '.gitignore'))).toBe(true);
      const undone = bench.undo(record);
      await writeFile(join(repo.root, 'go'), '');
      expect(await undone).toBe('undone');
      expect(await exists(record.path)).toBe(false);
      expect(await tracesOf(bench)).toEqual(before);
    },
  );
});

describe('what somebody made is kept, and nothing at all is touched:', () => {
  const works: Record<string, (bench: MakingBench, record: WorktreeRecord) => Promise<unknown>> = {
    'a changed file': (_, { path }) => writeFile(join(path, 'dir', 'file-1'), 'changed\n'),
    'a file that was cut short': (_, { path }) => truncate(join(path, 'dir', 'file-1'), 2),
    'a changed mode': (_, { path }) => chmod(join(path, 'dir', 'file-1'), 0o755),
    'an untracked file': (_, { path }) => writeFile(join(path, 'new'), ''),
    'an ignored file': (_, { path }) => writeFile(join(path, '.env'), 'SECRET=1\n'),
    'something that is only staged': async ({ repo }, { path }) => {
      await writeFile(join(path, 'dir', 'file-1'), 'staged\n');
      await repo.gitAt(path, 'add', '.');
      await writeFile(join(path, 'dir', 'file-1'), 'text 1\n');
    },
    'a commit on a detached HEAD': async ({ repo }, { path }) => {
      await repo.gitAt(path, 'checkout', '--quiet', '--detach');
      await repo.gitAt(path, 'commit', '--quiet', '--allow-empty', '-m', 'mine');
    },
    'a repository of its own': ({ repo }, { path }) => repo.git('init', '--quiet', join(path, 'nested')),
    'a changed file that git is told not to look at': async ({ repo }, { path }) => {
      await repo.gitAt(path, 'update-index', '--assume-unchanged', 'dir/file-1');
      await writeFile(join(path, 'dir', 'file-1'), 'hidden\n');
    },
  };

  test.each(Object.keys(works))('%s', async (name) => {
    await using bench = await benchWithFiles();
    const record = await bench.plan({ branch: 'topic' });
    await whole(bench, record);
    await works[name]?.(bench, record);
    const index = await readFile(join(record.git_dir, 'worktrees', basename(record.path), 'index'));
    const before = await bench.traces();
    expect(await bench.undo(record)).toBe('kept');
    expect(await bench.traces()).toEqual(before);
    expect(await readFile(join(record.git_dir, 'worktrees', basename(record.path), 'index'))).toEqual(index);
  });

  test('a directory that git never made', async () => {
    await using bench = await benchWithFiles();
    const record = await bench.plan({ branch: 'topic' });
    await mkdir(record.path, { recursive: true });
    await writeFile(join(record.path, 'file'), 'mine');
    expect(await bench.undo(record)).toBe('kept');
    expect(await readFile(join(record.path, 'file'), 'utf8')).toBe('mine');
  });

  test('K3: a worktree of another repository, or of another record, at the path', async () => {
    await using bench = await benchWithFiles();
    await using other = await benchWithFiles();
    const record = await bench.plan({ branch: 'topic' });
    await other.repo.git('worktree', 'add', '--quiet', '-b', 'topic', record.path);
    expect(await bench.undo(record)).toBe('kept');
    expect(await exists(join(record.path, 'dir', 'file-1'))).toBe(true);
  });
});

test('undoing runs no hook and writes nothing shared, whatever the settings', async () => {
  await using bench = await benchWithFiles();
  const { repo } = bench;
  const record = await bench.make({ branch: 'topic' });
  await repo.git('config', 'core.splitIndex', 'true');
  for (const name of ['post-index-change', 'reference-transaction', 'post-checkout']) {
    const hook = join(repo.path, '.git', 'hooks', name);
    await writeFile(hook, `#!/bin/sh\ntouch ${repo.root}/hooked\n`);
    await chmod(hook, 0o755);
  }
  expect(await bench.undo(record)).toBe('undone');
  expect(await exists(join(repo.root, 'hooked'))).toBe(false);
});

test('a file that was copied from the main worktree is no work', async () => {
  await using bench = await benchWithFiles();
  await bench.repo.write('.env', 'SECRET=1\n');
  const record = await bench.make({ branch: 'topic' });
  await writeFile(join(record.path, '.env'), 'SECRET=1\n');
  expect(await bench.undo(record)).toBe('undone');
});

describe('K3: the branch stays', () => {
  test('when it has commits', async () => {
    await using bench = await benchWithFiles();
    const record = await bench.make({ branch: 'topic' });
    await bench.repo.gitAt(record.path, 'commit', '--quiet', '--allow-empty', '-m', 'mine');
    const tip = await bench.repo.git('rev-parse', 'topic');
    expect(await bench.undo(record)).toBe('undone');
    expect(await bench.repo.git('rev-parse', 'topic')).toBe(tip);
  });

  test('when it had commits and was set back', async () => {
    await using bench = await benchWithFiles();
    const record = await bench.make({ branch: 'topic' });
    await bench.repo.gitAt(record.path, 'commit', '--quiet', '--allow-empty', '-m', 'mine');
    await bench.repo.gitAt(record.path, 'reset', '--quiet', '--hard', 'HEAD~1');
    expect(await bench.undo(record)).toBe('undone');
    expect(await bench.repo.git('rev-parse', 'topic@{1}')).not.toBe(record.base_commit);
  });

  test('when somebody else made it, or another worktree has it', async () => {
    await using bench = await benchWithFiles();
    const planned = await bench.plan({ branch: 'theirs' });
    await bench.repo.git('branch', 'theirs');
    expect(await bench.undo(planned)).toBe('undone');
    const record = await bench.make({ branch: 'topic' });
    await bench.repo.git('checkout', '--quiet', '--ignore-other-worktrees', 'topic');
    expect(await bench.undo(record)).toBe('undone');
    expect(await bench.repo.git('branch', '--format=%(refname:short)')).toBe('main\ntheirs\ntopic');
  });

  test('when it was there before', async () => {
    await using bench = await benchWithFiles();
    await bench.repo.git('branch', 'topic');
    const record = await bench.make({ branch: 'topic', create_branch: false });
    expect(await bench.undo(record)).toBe('undone');
    expect(await exists(record.path)).toBe(false);
    expect(await bench.repo.git('rev-parse', 'topic')).toBe(record.base_commit);
  });
});
