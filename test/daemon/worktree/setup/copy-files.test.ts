import { execFile } from 'node:child_process';
import { chmod, lstat, mkdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { copyFiles } from '../../../../src/daemon/worktree/setup/copy-files.js';
import type { WorktreeRecord } from '../../../../src/daemon/worktree-record.js';
import { exists, MakingBench } from '../making-bench.js';

async function benchIgnoring(...patterns: string[]): Promise<MakingBench> {
  const bench = await MakingBench.create();
  await bench.repo.write('.gitignore', `${patterns.join('\n')}\n`);
  await bench.repo.commit('ignore');
  return bench;
}

function copy(bench: MakingBench, record: WorktreeRecord, ...patterns: string[]) {
  return copyFiles({ git: bench.git, umask: 0o022 }, record, patterns);
}

test('ignored files that match are copied with their modes, links as links, directories with the umask of the user', async () => {
  await using bench = await benchIgnoring('.env*', '/certs/', '*.local');
  const { repo } = bench;
  await repo.write('.env', 'SECRET=1\n');
  await repo.write('app/.env.local', 'X=2\n');
  await chmod(await repo.write('certs/deep/key', 'key'), 0o600);
  await chmod(await repo.write('certs/run', '#!/bin/sh\n'), 0o755);
  await symlink('../.env', join(repo.path, 'certs', 'link'));
  await symlink('/nowhere', join(repo.path, 'broken.local'));
  await repo.write('other.local', 'not asked for');
  const record = await bench.make({ branch: 'topic' });
  const umask = process.umask(0o077);
  const copied = await copy(bench, record, '.env*', '/certs/', 'broken.local').finally(() => process.umask(umask));
  expect(copied).toEqual({ files: 6, bytes: 9 + 4 + 3 + 10 + '../.env'.length + '/nowhere'.length });
  expect(await readFile(join(record.path, 'app', '.env.local'), 'utf8')).toBe('X=2\n');
  expect(await readlink(join(record.path, 'certs', 'link'))).toBe('../.env');
  expect(await readlink(join(record.path, 'broken.local'))).toBe('/nowhere');
  const modeOf = async (path: string) => (await stat(join(record.path, path))).mode & 0o777;
  expect([await modeOf('certs/deep/key'), await modeOf('certs/run'), await modeOf('.env')]).toEqual([0o600, 0o755, 0o644]);
  expect([await modeOf('certs'), await modeOf('certs/deep'), await modeOf('app')]).toEqual([0o755, 0o755, 0o755]);
  expect(await exists(join(record.path, 'other.local'))).toBe(false);
  expect(await repo.gitAt(record.path, 'status', '--porcelain')).toBe('');
});

test('what git does not ignore is not copied, though it matches', async () => {
  await using bench = await benchIgnoring('ignored/', '!ignored/not');
  await bench.repo.write('untracked', 'work in progress');
  await bench.repo.write('tracked', 'one');
  await bench.repo.git('add', 'tracked');
  const record = await bench.make({ branch: 'topic' });
  expect(await copy(bench, record, '*')).toEqual({ files: 0, bytes: 0 });
  await bench.repo.write('ignored/x', 'x');
  expect(await copy(bench, record, 'x', '!x')).toEqual({ files: 0, bytes: 0 });
  expect(await copy(bench, record, '*')).toEqual({ files: 1, bytes: 1 });
});

test('nothing is overwritten, and no symbolic link is followed out of the worktree', async () => {
  await using bench = await benchIgnoring('*.key', 'data/', 'file/');
  const { repo } = bench;
  const outside = join(repo.root, 'outside');
  await mkdir(outside);
  await symlink(outside, join(repo.path, 'out'));
  await repo.write('file', 'tracked');
  await repo.git('add', '--force', 'out', 'file');
  await repo.commit('a link out');
  const record = await bench.make({ branch: 'topic' });
  await repo.git('rm', '--quiet', 'out', 'file');
  await repo.write('out/my.key', 'secret');
  await repo.write('file/my.key', 'secret');
  await repo.write('top.key', 'theirs');
  await writeFile(join(record.path, 'top.key'), 'mine');
  await symlink(outside, join(record.path, 'data'));
  await repo.write('data/deep/x', 'x');
  expect(await copy(bench, record, '*.key', 'data/')).toEqual({ files: 0, bytes: 0 });
  expect(await readFile(join(record.path, 'top.key'), 'utf8')).toBe('mine');
  expect(await exists(join(outside, 'my.key'))).toBe(false);
  expect(await exists(join(outside, 'deep'))).toBe(false);
});

test('other repositories and worktrees inside the main worktree are left out', async () => {
  await using bench = await benchIgnoring('vendor/', '.worktrees/');
  const { repo } = bench;
  await repo.git('init', '--quiet', 'vendor/inner');
  await repo.write('vendor/inner/.env', 'inner');
  await repo.write('vendor/.env', 'x');
  await repo.git('worktree', 'add', '--quiet', '.worktrees/one', '-b', 'one');
  await repo.write('.worktrees/one/.env', 'one');
  const record = await bench.make({ branch: 'topic' });
  expect(await copy(bench, record, '.env', 'vendor/', '.worktrees/')).toEqual({ files: 1, bytes: 1 });
  expect(await exists(join(record.path, 'vendor', 'inner'))).toBe(false);
  expect(await exists(join(record.path, '.worktrees'))).toBe(false);
});

test('names of any bytes are copied, and what is no file is passed over', async () => {
  await using bench = await benchIgnoring('x/');
  const { repo } = bench;
  const names = ['line\nend', ' space ', '-x', ':(top)', '"', '*'];
  for (const name of names) await repo.write(`x/${name}`, '1');
  const odd = Buffer.concat([Buffer.from(`${repo.path}/x/`), Buffer.of(0xff, 0xfe)]);
  await writeFile(odd, '1');
  await promisify(execFile)('mkfifo', [join(repo.path, 'x', 'fifo')]);
  const record = await bench.make({ branch: 'topic' });
  expect(await copy(bench, record, 'x/')).toEqual({ files: names.length + 1, bytes: names.length + 1 });
  expect((await lstat(Buffer.concat([Buffer.from(`${record.path}/x/`), Buffer.of(0xff, 0xfe)]))).size).toBe(1);
});

test('a bare repository has nothing to copy', async () => {
  await using bench = await MakingBench.create({ bare: true });
  expect(await copy(bench, await bench.make({ branch: 'topic' }), '*')).toEqual({ files: 0, bytes: 0 });
});

test('a worktree that was undone before anything ran in it takes its copies with it', async () => {
  await using bench = await benchIgnoring('.env');
  await bench.repo.write('.env', 'SECRET=1\n');
  const record = await bench.make({ branch: 'topic' });
  await copy(bench, record, '.env');
  expect(await bench.undo(record)).toBe('undone');
});
