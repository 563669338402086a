import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Inventory } from '../../../src/protocol/index.js';
import { GitRepo } from '../../support/git-repo.js';
import { WorktreeBench } from './worktree-bench.js';

function told({ files }: Inventory): string[] {
  return files.map(({ path, kind, status }) => `${kind} ${status} ${path}`);
}

const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'dir/c.txt': 'c\n', '.gitignore': '*.log\nnode_modules/\nout/\n.env\nsecret/\n' };

describe('what exists nowhere else', () => {
  test('K2: a worktree that was just made is clean', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    const { head, ...inventory } = await bench.inventory();
    expect(head).toBe(bench.record.base_commit);
    expect(inventory).toEqual({
      ...{ clean: true, branch: 'work', files: [], files_total: 0, detached_commits: [], detached_commits_total: 0 },
      ...{ branch_commits: [], branch_commits_total: 0, nested_repositories: [], dirty_submodules: [] },
    });
  });

  test('K2: staged, changed, deleted, untracked and ignored files are told with their sizes', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    await bench.write('a.txt', 'staged\n');
    await bench.run('add', 'a.txt');
    await bench.write('a.txt', 'and changed again\n');
    await rm(join(bench.path, 'b.txt'));
    await bench.write('new/deep/file', 'new');
    await bench.write('debug.log', 'ignored');
    await bench.write('out/result', 'ignored too');
    const inventory = await bench.inventory();
    expect(told(inventory)).toEqual([
      'modified modified a.txt',
      'staged modified a.txt',
      'modified deleted b.txt',
      'ignored untracked debug.log',
      'untracked untracked new/deep/file',
      'ignored untracked out/result',
    ]);
    expect(inventory.files.map(({ bytes }) => bytes)).toEqual([18, 18, undefined, 7, 3, 11]);
    expect(inventory).toMatchObject({ clean: false, files_total: 6 });
  });

  test('K2: ignored files that any tool makes again are no work; the same names untracked are', async () => {
    await using bench = await WorktreeBench.create({ files: { '.gitignore': 'node_modules/\n*.pyc\n/target/\n.venv/\nbuild/\n' } });
    await bench.write('node_modules/x/index.js', 'x');
    await bench.write('sub/y.pyc', 'x');
    await bench.write('target/CACHEDIR.TAG', 'Signature: 8a477f597d28d172789f06886806bc55\n# by cargo');
    await bench.write('target/debug/app', 'x');
    await bench.write('.venv/pyvenv.cfg', 'home = /usr');
    await bench.write('.venv/bin/python', 'x');
    expect((await bench.inventory()).clean).toBe(true);
    await bench.write('build/app', 'x');
    await bench.write('.tox/log', 'x');
    expect(told(await bench.inventory())).toEqual(['untracked untracked .tox/log', 'ignored untracked build/app']);
  });

  test('K2: a tag file without the signature makes no cache', async () => {
    await using bench = await WorktreeBench.create({ files: { '.gitignore': 'cache/\n' } });
    await bench.write('cache/CACHEDIR.TAG', 'Signature: none');
    expect((await bench.inventory()).files_total).toBe(1);
  });

  test('an ignored file that equals the one of the main worktree is no loss, until it is changed', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    await bench.repo.write('.env', 'KEY=1\n');
    await bench.write('.env', 'KEY=1\n');
    expect((await bench.inventory()).clean).toBe(true);
    await bench.write('.env', 'KEY=2\n');
    expect(told(await bench.inventory())).toEqual(['ignored untracked .env']);
  });

  test('an ignored file that the main worktree only has through a link to this one is work', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    await bench.write('secret/key', 'k');
    await symlink(join(bench.path, 'secret'), join(bench.repo.path, 'secret'));
    expect(told(await bench.inventory())).toEqual(['ignored untracked secret/key']);
  });

  test('K2: commits on a detached HEAD that nothing else holds are work; commits on the branch are not', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    await bench.commit('on the branch');
    expect(await bench.inventory()).toMatchObject({ clean: true, branch_commits_total: 1, branch_commits: [{ subject: 'on the branch' }] });
    await bench.run('checkout', '--quiet', '--detach');
    expect(await bench.inventory()).toMatchObject({ clean: true, detached_commits_total: 0 });
    const id = await bench.commit('lost');
    const inventory = await bench.inventory();
    expect(inventory).toMatchObject({ clean: false, detached_commits: [{ id, subject: 'lost', author: 'A Tester' }] });
    expect(inventory.branch).toBeUndefined();
    await bench.run('tag', 'keep');
    expect((await bench.inventory()).clean).toBe(true);
  });

  test('K2: an operation that was begun is told, also without a conflict', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    await bench.run('checkout', '--quiet', '-b', 'other');
    await bench.write('a.txt', 'theirs\n');
    await bench.commit('theirs');
    await bench.run('checkout', '--quiet', 'work');
    await bench.write('a.txt', 'ours\n');
    await bench.commit('ours');
    await bench.run('merge', 'other').catch(() => undefined);
    const inventory = await bench.inventory();
    expect(inventory).toMatchObject({ clean: false, operation: 'merge' });
    expect(told(inventory)).toEqual(['conflicted conflicted a.txt']);
    await bench.run('merge', '--abort');
    await bench.run('bisect', 'start');
    expect(await bench.inventory()).toMatchObject({ clean: false, operation: 'bisect', files_total: 0 });
  });
});

describe('what hides from git', () => {
  test('changes of files that are marked "assume unchanged" or "skip worktree" are seen', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    await bench.run('update-index', '--assume-unchanged', 'a.txt', 'dir/c.txt');
    await bench.run('update-index', '--skip-worktree', 'b.txt');
    expect((await bench.inventory()).clean).toBe(true);
    await bench.write('a.txt', 'A\n');
    await bench.write('b.txt', 'B\n');
    await rm(join(bench.path, 'dir/c.txt'));
    expect(told(await bench.inventory())).toEqual(['modified modified a.txt', 'modified modified b.txt', 'modified deleted dir/c.txt']);
  });

  test('a sparse checkout is clean when it is', async () => {
    await using bench = await WorktreeBench.create({ files: { ...FILES, 'other/d.txt': 'd\n' } });
    await bench.run('sparse-checkout', 'set', 'dir');
    expect(await readdir(bench.path)).not.toContain('other');
    expect((await bench.inventory()).clean).toBe(true);
    await bench.write('other/d.txt', 'changed\n');
    expect(told(await bench.inventory())).toEqual(['modified modified other/d.txt']);
  });

  test('a file that was written again with its size and times as before is compared', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    const { atime, mtime } = await stat(join(bench.path, 'a.txt'));
    await writeFile(join(bench.path, 'a.txt'), 'z\n');
    await utimes(join(bench.path, 'a.txt'), atime, mtime);
    expect(told(await bench.inventory())).toEqual(['modified modified a.txt']);
  });

  test("the user's settings change nothing", async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    const settings = { 'status.showUntrackedFiles': 'no', 'core.ignoreStat': 'true', 'core.checkStat': 'minimal', 'status.short': 'true' };
    const more = { 'core.trustctime': 'false', 'diff.ignoreSubmodules': 'all', 'color.status': 'always', 'core.splitIndex': 'true' };
    for (const [name, value] of Object.entries({ ...settings, ...more })) await bench.repo.git('config', name, value);
    await bench.write('new', 'new');
    await bench.write('a.txt', 'A\n');
    await bench.write('b.txt', 'B\n');
    await bench.run('add', 'b.txt');
    expect(told(await bench.inventory())).toEqual(['modified modified a.txt', 'staged modified b.txt', 'untracked untracked new']);
  });

  test('a name that differs from a tracked one only in case is seen where the file system minds', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    await bench.repo.git('config', 'core.ignoreCase', 'true');
    await bench.write('A.TXT', 'another\n');
    expect(told(await bench.inventory())).toEqual(['untracked untracked A.TXT']);
  });

  test('names may hold anything', async () => {
    await using bench = await WorktreeBench.create({ files: { 'bench.txt': 'x' } });
    const odd = ['new\nline', 'quo"te', 'tab\tand\\', '-option', ' space ', ':(glob)*'];
    for (const name of odd) await bench.write(name, 'x');
    await writeFile(Buffer.concat([Buffer.from(`${bench.path}/`), Buffer.from([0x66, 0xff])]), 'x');
    const { files } = await bench.inventory();
    expect(new Set(files.map(({ path }) => path))).toEqual(new Set([...odd, 'f�']));
  });

  test('an entry that was only announced to git is work', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    await bench.write('soon', 'x');
    await bench.run('add', '--intent-to-add', 'soon');
    expect(told(await bench.inventory())).toEqual(['modified added soon']);
  });

  test('a branch without commits is looked at', async () => {
    await using bench = await WorktreeBench.create();
    await bench.run('checkout', '--quiet', '--orphan', 'fresh');
    expect(await bench.inventory()).toMatchObject({ clean: true, branch: 'fresh' });
    await bench.write('x', 'x');
    const inventory = await bench.inventory();
    expect(inventory.head).toBeUndefined();
    expect(told(inventory)).toEqual(['untracked untracked x']);
  });

  test('empty directories, pipes and modes that git does not keep are no work; who may execute is', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    await mkdir(join(bench.path, 'empty/deep'), { recursive: true });
    await chmod(join(bench.path, 'a.txt'), 0o600);
    expect((await bench.inventory()).clean).toBe(true);
    await chmod(join(bench.path, 'a.txt'), 0o755);
    expect(told(await bench.inventory())).toEqual(['modified modified a.txt']);
  });
});

describe('repositories inside', () => {
  test('K2: they are found wherever they are but in regenerable directories, valid or not', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    for (const path of ['plain', 'out/ignored', 'dir', 'node_modules/pkg']) {
      await mkdir(join(bench.path, path), { recursive: true });
      await bench.repo.gitAt(join(bench.path, path), 'init', '--quiet');
    }
    await bench.write('torn/.git/objects/x', 'x');
    await mkdir(join(bench.path, 'store.git'));
    await bench.repo.gitAt(join(bench.path, 'store.git'), 'init', '--quiet', '--bare');
    await bench.repo.git('worktree', 'add', '--quiet', '--detach', join(bench.path, 'tree'));
    expect(await bench.inventory()).toMatchObject({
      clean: false,
      nested_repositories: ['dir', 'out/ignored', 'plain', 'store.git', 'torn', 'tree'],
      files: [],
    });
  });

  test('one that was added as if it were a submodule keeps its commits to itself', async () => {
    await using bench = await WorktreeBench.create();
    await mkdir(join(bench.path, 'inner'));
    await bench.repo.gitAt(join(bench.path, 'inner'), 'init', '--quiet');
    await bench.repo.gitAt(join(bench.path, 'inner'), 'commit', '--quiet', '--allow-empty', '-m', 'only here');
    await bench.commit('with a repository');
    expect(await bench.inventory()).toMatchObject({ clean: false, dirty_submodules: ['inner'], nested_repositories: [] });
  });

  test('a bare repository that is tracked file by file is none', async () => {
    await using bench = await WorktreeBench.create();
    await mkdir(join(bench.path, 'fixture.git'));
    await bench.repo.gitAt(join(bench.path, 'fixture.git'), 'init', '--quiet', '--bare');
    await bench.write('fixture.git/refs/heads/.keep', '');
    await bench.commit('a fixture');
    expect((await bench.inventory()).nested_repositories).toEqual([]);
  });
});

describe('submodules', () => {
  async function withSubmodule(): Promise<AsyncDisposable & { readonly bench: WorktreeBench; readonly sub: string }> {
    const library = await GitRepo.create({ name: 'library' });
    await library.write('lib.c', 'int x;\n');
    await library.write('.gitignore', '*.o\n*.pyc\n');
    await library.commit('library');
    const bench = await WorktreeBench.create();
    await bench.run('submodule', '--quiet', 'add', library.path, 'sub');
    await bench.commit('with a submodule');
    const dispose = async () => {
      await bench[Symbol.asyncDispose]();
      await library[Symbol.asyncDispose]();
    };
    return { bench, sub: join(bench.path, 'sub'), [Symbol.asyncDispose]: dispose };
  }

  test('one that is checked out and unchanged is clean', async () => {
    await using made = await withSubmodule();
    expect(await made.bench.inventory()).toMatchObject({ clean: true, dirty_submodules: [], nested_repositories: [] });
    await writeFile(join(made.sub, 'cached.pyc'), 'x');
    expect((await made.bench.inventory()).clean).toBe(true);
  });

  test.for([
    ['a changed file', (at: string) => writeFile(join(at, 'lib.c'), 'int y;\n')],
    ['an untracked file', (at: string) => writeFile(join(at, 'new'), 'x')],
    ['an ignored file', (at: string) => writeFile(join(at, 'lib.o'), 'x')],
  ] as const)('%s in one makes it dirty', async ([, change]) => {
    await using made = await withSubmodule();
    await made.bench.repo.git('config', 'submodule.sub.ignore', 'all');
    await change(made.sub);
    expect(await made.bench.inventory()).toMatchObject({ clean: false, dirty_submodules: ['sub'], files: [] });
  });

  test('a commit, a branch or a stash of one that its remote has not makes it dirty, also when it is no longer checked out', async () => {
    await using made = await withSubmodule();
    const { bench, sub } = made;
    await bench.repo.gitAt(sub, 'checkout', '--quiet', '-b', 'side');
    await bench.repo.gitAt(sub, 'commit', '--quiet', '--allow-empty', '-m', 'unpushed');
    await bench.repo.gitAt(sub, 'checkout', '--quiet', 'main');
    expect((await bench.inventory()).dirty_submodules).toEqual(['sub']);
    await bench.run('submodule', '--quiet', 'deinit', '-f', 'sub');
    expect((await bench.inventory()).dirty_submodules).toEqual(['sub']);
    await bench.run('submodule', '--quiet', 'update', '--init');
    await bench.repo.gitAt(sub, 'branch', '-D', 'side');
    expect((await bench.inventory()).clean).toBe(true);
    await writeFile(join(sub, 'lib.c'), 'int z;\n');
    await bench.repo.gitAt(sub, 'stash');
    expect((await bench.inventory()).dirty_submodules).toEqual(['sub']);
  });

  test('files in the place of one that is not checked out are work', async () => {
    await using made = await withSubmodule();
    await made.bench.run('submodule', '--quiet', 'deinit', '-f', 'sub');
    expect((await made.bench.inventory()).clean).toBe(true);
    await made.bench.write('sub/notes', 'x');
    expect(await made.bench.inventory()).toMatchObject({ clean: false, dirty_submodules: ['sub'] });
  });
});

describe('a worktree that cannot be read', () => {
  test('without its link it is broken, and no repository around it is asked', async () => {
    await using bench = await WorktreeBench.create();
    await rm(join(bench.path, '.git'));
    expect(await bench.inventory()).toMatchObject({ clean: false, broken: expect.stringContaining('.git file is gone') });
  });

  test('an index that is missing or torn is told', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    const index = join(bench.record.admin_dir ?? '', 'index');
    await rename(index, `${index}.away`);
    expect(await bench.inventory()).toMatchObject({ clean: false, broken: expect.stringContaining('index is missing') });
    await writeFile(index, (await readFile(`${index}.away`)).subarray(0, 50));
    expect(await bench.inventory()).toMatchObject({ clean: false, broken: expect.stringContaining('index is damaged') });
  });

  test('one whose directory was deleted holds nothing', async () => {
    await using bench = await WorktreeBench.create({ files: FILES });
    await rm(bench.path, { recursive: true });
    expect(await bench.inventory()).toMatchObject({ clean: true, files_total: 0 });
  });
});

test('an inventory changes nothing', async () => {
  await using bench = await WorktreeBench.create({ files: FILES });
  await bench.repo.write('.git/hooks/post-index-change', `#!/bin/sh\ntouch ${bench.repo.root}/hook-ran\n`);
  await chmod(join(bench.repo.path, '.git/hooks/post-index-change'), 0o755);
  await bench.write('a.txt', 'A\n');
  await bench.write('new', 'x');
  await bench.run('update-index', '--assume-unchanged', 'b.txt');
  await rm(join(bench.repo.root, 'hook-ran'), { force: true });
  const before = await snapshot(bench.repo.root);
  await bench.inventory();
  expect(await snapshot(bench.repo.root)).toEqual(before);
});

async function snapshot(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Promise.all(
    files.map(async (path) => {
      const { mtimeMs, size, mode, ino } = await stat(path);
      const content =
        entries.length > 0 && (await stat(path)).isFile()
          ? createHash('sha1')
              .update(await readFile(path))
              .digest('hex')
          : '';
      return `${path} ${mtimeMs} ${size} ${mode} ${ino} ${content}`;
    }),
  );
}
