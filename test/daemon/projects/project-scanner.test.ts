import { chmod, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ProjectScanner, type ScanParts } from '../../../src/daemon/projects/project-scanner.js';
import { until } from '../../support/until.js';
import { Scratch } from './scratch.js';

let scratch: Scratch;
let scanners: ProjectScanner[];
beforeEach(async () => {
  scratch = await Scratch.create();
  scanners = [];
});
afterEach(async () => {
  for (const scanner of scanners) await scanner[Symbol.asyncDispose]();
  await scratch[Symbol.asyncDispose]();
});

function scannerOf(parts: Partial<ScanParts> = {}): ProjectScanner {
  const scanner = new ProjectScanner({
    roots: [join(scratch.top, 'root')],
    depth: 4,
    ignore: [],
    exclude: [],
    clock: scratch.clock,
    ...parts,
  });
  scanners.push(scanner);
  return scanner;
}

/** Relative to the root. */
async function found(scanner: ProjectScanner): Promise<string[]> {
  await scanner.refresh();
  return namesOf(scanner);
}

function namesOf(scanner: ProjectScanner): string[] {
  return scanner
    .repositories()
    .map(({ path }) => relative(join(scratch.top, 'root'), path))
    .sort((a, b) => (a < b ? -1 : 1));
}

/** How many watches this process has, where the system tells it. */
async function systemWatches(): Promise<number> {
  if (process.platform !== 'linux') return 0;
  const files = await readdir('/proc/self/fdinfo');
  const texts = await Promise.all(files.map((file) => readFile(`/proc/self/fdinfo/${file}`, 'utf8').catch(() => '')));
  return texts.join('').match(/^inotify /gm)?.length ?? 0;
}

/** Until events have told it. */
async function comes(scanner: ProjectScanner, expected: string[]): Promise<void> {
  await until(expected.join(), async () => JSON.stringify(await found(scanner)) === JSON.stringify(expected));
}

/** A directory that passes for a repository, without a git process. */
async function repository(path: string): Promise<void> {
  for (const part of ['objects', 'refs']) await scratch.directory(`root/${path}/.git/${part}`);
  await scratch.file(`root/${path}/.git/HEAD`, 'ref: refs/heads/main\n');
}

describe('a scan', () => {
  test('finds main worktrees and bare repositories, and no linked worktrees', async () => {
    const main = await scratch.repository('root/main', { at: 1 });
    await scratch.repository('root/deep/er/bare.git', { options: ['--bare'] });
    await scratch.repository('root/.settings.git', { options: ['--bare'] });
    await scratch.git.run({ cwd: main }, ['worktree', 'add', '--quiet', '-b', 'x', join(scratch.top, 'root/linked')]);
    expect(await found(scannerOf())).toEqual(['.settings.git', 'deep/er/bare.git', 'main']);
  });

  test('goes as deep as it is told', async () => {
    for (const path of ['a', 'b/b', 'c/c/c']) await repository(path);
    expect(await found(scannerOf({ depth: 1 }))).toEqual(['a']);
    expect(await found(scannerOf({ depth: 2 }))).toEqual(['a', 'b/b']);
    expect(await found(scannerOf({ depth: 3 }))).toEqual(['a', 'b/b', 'c/c/c']);
  });

  test('stops at a repository, but not at one that is a root', async () => {
    for (const path of ['.', 'a', 'a/nested']) await repository(path);
    expect(await found(scannerOf())).toEqual(['', 'a']);
  });

  test('leaves out hidden directories, what programs put there, and what it is told to', async () => {
    const left = ['.cache/a', 'node_modules/a', 'go/pkg/mod', 'venv/src/a', 'old/a', 'made/a', 'trees/a'];
    for (const path of [...left, 'pkg/a', 'go/src', 'made.git']) await repository(path);
    await scratch.file('root/made/CACHEDIR.TAG');
    const exclude = [join(scratch.top, 'trees'), join(scratch.top, 'missing')];
    await symlink(join(scratch.top, 'root/trees'), join(scratch.top, 'trees'));
    expect(await found(scannerOf({ ignore: ['old'], exclude }))).toEqual(['go/src', 'made.git', 'pkg/a']);
  });

  test('follows no symbolic link but that of a root', async () => {
    await repository('in');
    await mkdir(join(scratch.top, 'outside'));
    await rename(join(scratch.top, 'root/in'), join(scratch.top, 'outside/in'));
    await symlink(join(scratch.top, 'outside'), join(scratch.top, 'root/link'));
    await symlink('..', join(scratch.top, 'root/loop'));
    await symlink(join(scratch.top, 'outside'), join(scratch.top, 'alias'));
    expect(await found(scannerOf())).toEqual([]);
    expect(await found(scannerOf({ roots: [join(scratch.top, 'alias')] }))).toEqual(['../outside/in']);
  });

  test('tells a repository once when roots overlap, and looks below each root', async () => {
    for (const path of ['a/b/one', 'a/b/c/two', 'three']) await repository(path);
    const roots = ['root', 'root/a/b', 'root/../root'].map((path) => join(scratch.top, path));
    expect(await found(scannerOf({ roots, depth: 2 }))).toEqual(['a/b/c/two', 'a/b/one', 'three']);
  });

  test('passes by what cannot be read', async () => {
    await repository('good');
    await repository('secret/a');
    await chmod(join(scratch.top, 'root/secret'), 0o000);
    const names = await found(scannerOf({ roots: ['/nowhere/at/all', join(scratch.top, 'root')] }));
    expect(names.filter((name) => name !== 'secret/a')).toEqual(['good']); // root reads all
    await chmod(join(scratch.top, 'root/secret'), 0o700);
  });

  test('goes through 3,000 directories with a bounded number of watches', async () => {
    for (let outer = 0; outer < 30; outer++) {
      for (let inner = 0; inner < 100; inner++) await scratch.directory(`root/${outer}/${inner}`);
    }
    await repository('29/99/late');
    const before = await systemWatches();
    const scanner = scannerOf();
    expect(await found(scanner)).toEqual(['29/99/late']);
    expect((await systemWatches()) - before).toBe(process.platform === 'linux' ? 2000 : 0);
    await scanner[Symbol.asyncDispose]();
    expect(await systemWatches()).toBe(before);
  });
});

describe('what happens later', () => {
  test('is seen when a repository is made, moved and removed', async () => {
    await scratch.directory('root/group');
    const scanner = scannerOf();
    expect(await found(scanner)).toEqual([]);
    await scratch.repository('root/group/new');
    await comes(scanner, ['group/new']);
    await rename(join(scratch.top, 'root/group'), join(scratch.top, 'root/moved'));
    await comes(scanner, ['moved/new']);
    await rm(join(scratch.top, 'root/moved'), { recursive: true });
    await comes(scanner, []);
  });

  test('is seen when git begins in a directory that was there', async () => {
    await scratch.directory('root/plain/.git');
    const scanner = scannerOf();
    expect(await found(scanner)).toEqual([]);
    await repository('plain');
    expect(await found(scanner)).toEqual(['plain']);
  });

  test('is seen when another directory takes the place of one', async () => {
    await scratch.directory('root/place');
    await repository('other/inner');
    const scanner = scannerOf();
    expect(await found(scanner)).toEqual(['other/inner']);
    await rename(join(scratch.top, 'root/place'), join(scratch.top, 'gone'));
    await rename(join(scratch.top, 'root/other'), join(scratch.top, 'root/place'));
    await comes(scanner, ['place/inner']);
    await repository('place/more');
    await comes(scanner, ['place/inner', 'place/more']);
  });

  test('is seen when a root appears, and vanishes', async () => {
    const scanner = scannerOf();
    expect(await found(scanner)).toEqual([]);
    await repository('a');
    expect(await found(scanner)).toEqual(['a']);
    await rm(join(scratch.top, 'root'), { recursive: true });
    expect(await found(scanner)).toEqual([]);
  });

  test('is seen without events once what is known is old', async () => {
    await repository('a');
    const scanner = scannerOf();
    await found(scanner);
    await rm(join(scratch.top, 'root/a/.git'), { recursive: true });
    expect(await found(scanner)).toEqual(['a']);
    scratch.clock.pass(11 * 60_000);
    expect(await found(scanner)).toEqual([]);
  });

  test('is asked for by many at once with two reads at most', async () => {
    await repository('a');
    const scanner = scannerOf();
    const refreshes = Array.from({ length: 5 }, () => scanner.refresh());
    expect(new Set(refreshes).size).toBe(2);
    await Promise.all(refreshes);
    expect(namesOf(scanner)).toEqual(['a']);
  });

  test('is nothing to one that was ended, even in the middle of a scan', async () => {
    await repository('a');
    const scanner = scannerOf();
    const scan = scanner.refresh();
    await scanner[Symbol.asyncDispose]();
    await scan;
    expect(scanner.isComplete).toBe(false);
    await scanner.refresh();
    expect(namesOf(scanner)).toEqual([]);
  });
});
