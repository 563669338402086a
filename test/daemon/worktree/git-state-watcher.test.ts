import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Git, type GitPlace } from '../../../src/daemon/git.js';
import { requireTreeAt } from '../../../src/daemon/worktree/diff-tree.js';
import { readGitState } from '../../../src/daemon/worktree/git-state.js';
import { WatchBudget } from '../../../src/daemon/worktree/git-state-budget.js';
import { GitStateWatcher } from '../../../src/daemon/worktree/git-state-watcher.js';
import type { GitState } from '../../../src/protocol/index.js';
import { GitRepo } from '../../support/git-repo.js';
import { until } from '../../support/until.js';

let repo: GitRepo;
let watchesBefore: number;
beforeEach(async () => {
  watchesBefore = await kernelWatches();
  repo = await GitRepo.create();
});
afterEach(async () => {
  await repo[Symbol.asyncDispose]();
  await until('every watch to be gone', async () => (await kernelWatches()) === watchesBefore);
});

/** What this process watches, as Linux tells it. */
async function kernelWatches(): Promise<number> {
  if (process.platform !== 'linux') return 0;
  const names = await readdir('/proc/self/fdinfo');
  const infos = await Promise.all(names.map((name) => readFile(`/proc/self/fdinfo/${name}`, 'utf8').catch(() => '')));
  return infos.reduce((sum, info) => sum + (info.match(/^inotify wd:/gm) ?? []).length, 0);
}

class Watching implements AsyncDisposable {
  readonly states: { id: string; state: GitState }[] = [];
  readonly problems: { id: string; error: unknown }[] = [];
  readonly watcher: GitStateWatcher;

  constructor({ git = repo.runner(), budget }: { git?: Git; budget?: WatchBudget } = {}) {
    this.watcher = new GitStateWatcher({
      git,
      budget,
      pace: { quietMs: 20, leastGapMs: 40, costFactor: 1 },
      onState: (id, state) => this.states.push({ id, state }),
      onProblem: (id, error) => this.problems.push({ id, error }),
    });
  }

  /** A watcher of the repository that has told its first state. */
  static async begin(parts: { comparedWith?: string; budget?: WatchBudget } = {}): Promise<Watching> {
    const watching = new Watching(parts);
    watching.watcher.watch('a', { ...(await requireTreeAt(repo.runner(), repo.path)), comparedWith: parts.comparedWith });
    watching.watcher.setActive(true);
    await until('the first state', () => watching.states.length > 0);
    return watching;
  }

  get last(): GitState | undefined {
    return this.states.at(-1)?.state;
  }

  async reaches(expected: Partial<GitState>): Promise<void> {
    const wanted = Object.entries(expected);
    await until(`the state ${JSON.stringify(expected)}`, () => {
      const last: Record<string, unknown> = { ...this.last };
      return wanted.every(([key, value]) => last[key] === value);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.watcher[Symbol.asyncDispose]();
  }
}

const at = (path: string) => join(repo.path, path);

describe('what is told', () => {
  test('changes, new files, commits and switched branches', async () => {
    await repo.write('file', 'a\n');
    await repo.commit('base');
    await using watching = await Watching.begin();
    expect(watching.states).toEqual([{ id: 'a', state: { branch: 'main', changed: 0, revision: expect.any(String) } }]);
    await writeFile(at('file'), 'other\n');
    await watching.reaches({ changed: 1 });
    await writeFile(at('new'), 'x');
    await watching.reaches({ changed: 2 });
    await repo.commit('work');
    await watching.reaches({ changed: 0 });
    await repo.git('checkout', '-q', '-b', 'topic/deep');
    await watching.reaches({ branch: 'topic/deep' });
    await repo.git('checkout', '-q', '--detach');
    await until('a detached HEAD', () => watching.last?.branch === undefined);
    expect(watching.problems).toEqual([]);
  });

  test('commits on either side of the base branch, also in a worktree, and when it is packed', async () => {
    await repo.git('worktree', 'add', '-q', '-b', 'work', join(repo.worktreesDir, 'work'));
    await using watching = new Watching();
    const tree = await requireTreeAt(repo.runner(), join(repo.worktreesDir, 'work'));
    watching.watcher.watch('w', { ...tree, comparedWith: 'main' });
    watching.watcher.setActive(true);
    await watching.reaches({ branch: 'work', changed: 0, ahead: 0, behind: 0, compared_with: 'main' });
    await repo.commit('on main');
    await watching.reaches({ ahead: 0, behind: 1 });
    await repo.gitAt(tree.root, 'commit', '-q', '--allow-empty', '-m', 'mine');
    await watching.reaches({ ahead: 1, behind: 1 });
    await repo.git('pack-refs', '--all');
    await repo.commit('on main again');
    await watching.reaches({ ahead: 1, behind: 2 });
  });

  test('the upstream, where there is no base branch', async () => {
    await repo.git('update-ref', 'refs/remotes/origin/main', 'main');
    await repo.git('config', 'remote.origin.url', repo.path);
    await repo.git('config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
    await repo.git('branch', '-q', '--set-upstream-to=origin/main');
    await repo.commit('ahead');
    await using watching = await Watching.begin({ comparedWith: 'gone' });
    await watching.reaches({ compared_with: 'origin/main', ahead: 1, behind: 0 });
    await repo.git('update-ref', 'refs/remotes/origin/main', 'main');
    await watching.reaches({ ahead: 0, behind: 0 });
  });

  test('files deep in directories that were made at one go, moved, or made again', async () => {
    await using watching = await Watching.begin();
    await repo.write('a/b/c/d/file', '1\n');
    await watching.reaches({ changed: 1 });
    await repo.commit('deep');
    await watching.reaches({ changed: 0 });
    await writeFile(at('a/b/c/d/file'), 'edited\n');
    await watching.reaches({ changed: 1 });
    await rename(at('a/b'), at('moved'));
    await repo.commit('moved');
    await watching.reaches({ changed: 0 });
    await appendFile(at('moved/c/d/file'), 'more\n');
    await watching.reaches({ changed: 1 });
    await rm(at('moved'), { recursive: true });
    await repo.git('checkout', '-q', '.');
    await watching.reaches({ changed: 0 });
    await appendFile(at('moved/c/d/file'), 'more\n');
    await watching.reaches({ changed: 1 });
  });

  test('only what differs from before, whatever happens meanwhile', async () => {
    await repo.write('.gitignore', 'log\n');
    await repo.commit('base');
    await using watching = await Watching.begin();
    for (let line = 0; line < 50; line++) await appendFile(at('log'), 'line\n');
    watching.watcher.refresh('a');
    await writeFile(at('new'), 'x');
    await watching.reaches({ changed: 1 });
    const told = watching.states.map(({ state }) => JSON.stringify(state));
    expect(new Set(watching.states.map(({ state }) => state.changed))).toEqual(new Set([0, 1]));
    expect(told.filter((state, index) => state === told[index - 1])).toEqual([]);
    expect(told.filter((state) => state === told[0])).toHaveLength(1);
  });

  test('each further edit of a file that is counted already, and each file of a new directory', async () => {
    await repo.write('file', 'a\n');
    await repo.commit('base');
    await using watching = await Watching.begin();
    const edits = { file: 'b\n', 'new/one': 'x\n', 'new/two': 'x\n' };
    for (const [path, content] of Object.entries(edits)) await repo.write(path, content);
    await watching.reaches({ changed: 3 });
    const runner = repo.runner();
    for (const path of [...Object.keys(edits), 'file']) {
      await appendFile(at(path), 'more\n');
      const { revision } = await readGitState(runner, await requireTreeAt(runner, repo.path));
      await watching.reaches({ changed: 3, revision });
    }
  });

  test('files that an ignore file lets in later', async () => {
    await repo.write('.gitignore', 'out/\n');
    await repo.write('out/deep/file', 'x');
    await repo.commit('base');
    await using watching = await Watching.begin();
    await writeFile(at('.gitignore'), '');
    await watching.reaches({ changed: 2 });
    await repo.commit('all');
    await watching.reaches({ changed: 0 });
    await writeFile(at('out/deep/file'), 'other');
    await watching.reaches({ changed: 1 });
  });
});

describe('what is watched', () => {
  test('nothing while nobody listens, and all again when somebody does', async () => {
    await using watching = await Watching.begin();
    expect(await kernelWatches()).toBeGreaterThan(watchesBefore);
    watching.watcher.setActive(false);
    await until('no watch', async () => (await kernelWatches()) === watchesBefore);
    await writeFile(at('new'), 'x');
    watching.watcher.refresh('a');
    expect(watching.states).toHaveLength(1);
    watching.watcher.setActive(true);
    await watching.reaches({ changed: 1 });
  });

  test.runIf(process.platform === 'linux')('no ignored directory, no node_modules, no repository inside', async () => {
    await repo.write('.gitignore', 'out/\n');
    await repo.write('src/file', 'x');
    await repo.commit('base');
    const count = async () => {
      await using watching = await Watching.begin();
      expect(watching.problems).toEqual([]);
      return (await kernelWatches()) - watchesBefore;
    };
    const before = await count();
    for (const path of ['out/a/b/x', 'src/node_modules/c/x', 'node_modules/d/x']) await repo.write(path, 'x');
    await mkdir(at('nested/e'), { recursive: true });
    await repo.gitAt(at('nested'), 'init', '-q');
    expect(await count()).toBe(before);
  });

  test('nothing of a worktree that is watched no more', async () => {
    await using watching = await Watching.begin();
    watching.watcher.unwatch('a');
    await until('no watch', async () => (await kernelWatches()) === watchesBefore);
    await writeFile(at('new'), 'x');
    watching.watcher.watch('b', await requireTreeAt(repo.runner(), repo.path));
    await watching.reaches({ changed: 1 });
    expect(watching.states.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  test('nothing once it is closed while it reads', async () => {
    const watching = new Watching();
    watching.watcher.watch('a', await requireTreeAt(repo.runner(), repo.path));
    watching.watcher.setActive(true);
    await watching[Symbol.asyncDispose]();
    expect(await kernelWatches()).toBe(watchesBefore);
    expect(watching.states).toEqual([]);
  });
});

describe('what goes wrong', () => {
  test('a worktree that is removed is told of once, and is read again when it is back', async () => {
    const path = join(repo.worktreesDir, 'w');
    await repo.git('worktree', 'add', '-q', '-b', 'work', path);
    await using watching = new Watching();
    watching.watcher.watch('w', await requireTreeAt(repo.runner(), path));
    watching.watcher.setActive(true);
    await watching.reaches({ branch: 'work' });
    await rm(path, { recursive: true });
    await until('the problem', () => watching.problems.length > 0);
    watching.watcher.refresh('w');
    await repo.git('worktree', 'prune');
    await repo.git('worktree', 'add', '-q', path, 'work');
    await writeFile(join(path, 'new'), 'x');
    watching.watcher.refresh('w');
    await watching.reaches({ changed: 1 });
    await writeFile(join(path, 'newer'), 'x');
    await watching.reaches({ changed: 2 });
    expect(watching.problems).toHaveLength(1);
  });

  test.runIf(process.platform === 'linux')('where files cannot be watched, git’s own notes still are, and it is told once', async () => {
    for (let number = 0; number < 20; number++) await repo.write(`dir${number}/file`, 'x');
    await repo.commit('base');
    const budget = new WatchBudget(10);
    await using watching = await Watching.begin({ budget });
    expect(watching.problems).toMatchObject([{ id: 'a', error: { message: expect.stringContaining('too many directories') } }]);
    expect((await kernelWatches()) - watchesBefore).toBeLessThan(10);
    await writeFile(at('dir3/file'), 'other');
    await repo.git('add', '.');
    await watching.reaches({ changed: 1 });
    expect(watching.problems).toHaveLength(1);
    expect(Array.from({ length: 11 }, () => budget.take())).toEqual([...Array<boolean>(10).fill(true), false]);
  });
});

test('no worktree is read twice at a time, and no more than two are', async () => {
  const git = new CountingGit({ env: repo.env, umask: 0o022 });
  await using watching = new Watching({ git });
  const paths = await Promise.all(['1', '2', '3', '4', '5'].map((name) => addWorktree(name)));
  for (const path of paths) watching.watcher.watch(path, await requireTreeAt(repo.runner(), path));
  watching.watcher.setActive(true);
  for (let round = 0; round < 3; round++) for (const path of paths) watching.watcher.refresh(path);
  await until('every state', () => new Set(watching.states.map(({ id }) => id)).size === 5);
  await watching[Symbol.asyncDispose]();
  expect(git.mostAtOnce).toBe(2);
  expect(git.mostOfOne).toBe(1);
});

async function addWorktree(name: string): Promise<string> {
  const path = join(repo.worktreesDir, name);
  await until('the worktree', async () => {
    await repo.git('worktree', 'add', '-q', '--force', '-B', `b${name}`, path);
    return true;
  });
  return path;
}

/** Counts how many `git status` run at a time. */
class CountingGit extends Git {
  mostAtOnce = 0;
  mostOfOne = 0;
  readonly #running: string[] = [];

  override async run(place: GitPlace, args: readonly string[], options = {}): Promise<Buffer> {
    if (args[0] !== 'status') return super.run(place, args, options);
    this.#running.push(place.cwd);
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#running.length);
    this.mostOfOne = Math.max(this.mostOfOne, this.#running.filter((cwd) => cwd === place.cwd).length);
    try {
      return await super.run(place, args, options);
    } finally {
      this.#running.splice(this.#running.indexOf(place.cwd), 1);
    }
  }
}
