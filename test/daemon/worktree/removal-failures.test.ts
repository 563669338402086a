import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Git, GitPlace } from '../../../src/daemon/git.js';
import { type Removal, removeWorktree } from '../../../src/daemon/worktree/remove-worktree.js';
import { RepositoryQueue } from '../../../src/daemon/worktree/repository-queue.js';
import { readSalvage } from '../../../src/daemon/worktree/salvage-read.js';
import { makeReadOnly, mountProblem, SmallDisk } from '../../support/small-disk.js';
import { WatchedGit } from './watched-git.js';
import { WorktreeBench } from './worktree-bench.js';

const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n' };

function removeWith(git: Git, bench: WorktreeBench, salvage: boolean): Promise<Removal> {
  return removeWorktree({ git, queue: new RepositoryQueue() }, bench.record, { salvage, now: 0 });
}

/** The second look, at the directory that was moved aside. */
function isAside({ workTree }: GitPlace, args: readonly string[]): boolean {
  return args.includes('status') && workTree?.includes('.removing-') === true;
}

describe('what comes while a worktree is being removed', () => {
  test('a file that is written after the look has it moved back, and refused', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    const git = new WatchedGit(bench.repo, async (place, args) => {
      if (isAside(place, args)) await writeFile(join(place.workTree ?? '', 'late'), 'work');
    });
    await expect(removeWith(git, bench, false)).rejects.toMatchObject({
      code: 'worktree_dirty',
      details: { inventory: { files: [{ path: 'late' }] } },
    });
    expect(await readFile(join(bench.path, 'late'), 'utf8')).toBe('work');
    expect(await readdir(dirname(bench.path))).toEqual(['work']);
  });

  test('with force it is saved too', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    await bench.write('early', 'early');
    let late = false;
    const git = new WatchedGit(bench.repo, async (place, args) => {
      if (!isAside(place, args) || late) return;
      late = true;
      await writeFile(join(place.workTree ?? '', 'early'), 'EARLY');
    });
    const { salvage } = await removeWith(git, bench, true);
    expect(await bench.repo.git('show', `${salvage?.commit}:early`)).toBe('EARLY');
  });

  test('a commit that comes and goes is saved', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    let lost: string | undefined;
    const git = new WatchedGit(bench.repo, async (place, args) => {
      if (!isAside(place, args) || lost !== undefined) return;
      const run = (...words: string[]) => bench.repo.git(`--git-dir=${place.gitDir}`, `--work-tree=${place.workTree}`, ...words);
      await run('commit', '--quiet', '--allow-empty', '-m', 'gone at once');
      lost = await run('rev-parse', 'HEAD');
      await run('reset', '--quiet', '--soft', 'HEAD~1');
    });
    await removeWith(git, bench, false);
    expect((await readSalvage(bench.git, bench.record))?.commits.map(({ id }) => id)).toEqual([lost]);
  });

  test('a file that changes while it is read is read again', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    await bench.write('log', 'one');
    let times = 0;
    const git = new WatchedGit(bench.repo, async (_, args) => {
      if (args.includes('fast-import') && times++ === 0) await bench.write('log', 'one two');
    });
    const { salvage } = await removeWith(git, bench, true);
    expect(times).toBe(2);
    expect(await bench.repo.git('show', `${salvage?.commit}:log`)).toBe('one two');
    expect((await readdir(join(bench.repo.path, '.git'))).filter((name) => name.startsWith('fast_import_crash'))).toEqual([]);
  });
});

describe('wherever a removal is cut off, it goes on and loses nothing', () => {
  test.for([
    { salvage: false, step: 1 },
    { salvage: true, step: 4 },
  ])('with force: $salvage, at one in $step of its git commands', { timeout: 180_000 }, async ({ salvage, step }) => {
    for (let at = 1, done = false; !done; at += step) {
      await using bench = await WorktreeBench.create({ files: FILES });
      await bench.commit('amended away');
      await bench.run('commit', '--quiet', '--amend', '--allow-empty', '-m', 'mine');
      await bench.run('reset', '--quiet', '--hard', bench.record.base_commit);
      if (salvage) await bench.write('new', 'new');
      let count = 0;
      const git = new WatchedGit(bench.repo, () => {
        if (++count === at) throw new Error('the daemon dies here');
      });
      done = await removeWith(git, bench, salvage).then(
        () => true,
        () => false,
      );
      if (!done) await bench.remove({ salvage });
      expect(await readdir(bench.repo.worktreesDir)).toEqual(done ? ['repo'] : []);
      expect(await bench.repo.git('for-each-ref', '--format=%(refname)', 'refs/heads')).toBe('refs/heads/main');
      const content = await readSalvage(bench.git, bench.record);
      expect(content?.commits.map(({ subject }) => subject).sort((a, b) => (a < b ? -1 : 1))).toEqual(['amended away', 'mine']);
      expect(content?.files.map(({ path }) => path)).toEqual(salvage ? ['new'] : []);
    }
  });
});

const cannotMount = mountProblem();

describe.skipIf(cannotMount !== undefined)('a disk that refuses', () => {
  test('below a directory that is read-only nothing is moved; a second call finishes', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    const undo = await makeReadOnly(dirname(bench.path));
    try {
      await expect(bench.remove()).rejects.toMatchObject({ code: 'storage_failed', message: expect.stringContaining(bench.path) });
      expect(await bench.run('status', '--porcelain')).toBe('');
    } finally {
      await undo();
    }
    expect(await bench.remove()).toEqual({});
  });

  test('one that is full has nothing removed; with room again it goes on', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    await bench.write('large', Buffer.alloc(200_000, 7));
    await rm(join(bench.repo.path, '.git/objects/pack'), { recursive: true, force: true });
    const disk = await SmallDisk.mount(join(bench.repo.path, '.git/objects/pack'), 1024);
    try {
      await disk.fill();
      await expect(bench.remove({ salvage: true })).rejects.toMatchObject({
        code: 'storage_failed',
        message: expect.stringMatching(/space/),
      });
      expect(await readFile(join(bench.path, 'large'))).toHaveLength(200_000);
      expect(await bench.repo.git('for-each-ref', 'refs/maestro')).toBe('');
      await disk.free();
      const { salvage } = await bench.remove({ salvage: true });
      expect(salvage).toMatchObject({ files_total: 1, bytes: 200_000 });
    } finally {
      await disk.unmount();
    }
  });
});
