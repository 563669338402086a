import { chmod, lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { invariant } from '../../../src/daemon/invariant.js';
import { applySalvage } from '../../../src/daemon/worktree/salvage-apply.js';
import { readSalvage, type SalvageContent } from '../../../src/daemon/worktree/salvage-read.js';
import type { WorktreeRecord } from '../../../src/daemon/worktree-record.js';
import { addWorktree, WorktreeBench } from './worktree-bench.js';

async function restoring(bench: WorktreeBench): Promise<{ readonly content: SalvageContent; readonly record: WorktreeRecord }> {
  await bench.remove({ salvage: true });
  const content = await readSalvage(bench.git, bench.record);
  invariant(content !== undefined, 'there is a salvage');
  return { content, record: await addWorktree(bench.repo, 'again', { base: content.head }) };
}

test('nothing is written or deleted through a symbolic link', async () => {
  await using bench = await WorktreeBench.create({ files: { 'dir/kept': 'x\n', 'dir/gone': 'x\n' } });
  await bench.write('dir/new', 'new');
  await rm(join(bench.path, 'dir/gone'));
  const { content, record } = await restoring(bench);
  const outside = join(bench.repo.root, 'outside');
  await mkdir(outside);
  await writeFile(join(outside, 'gone'), 'precious');
  await rm(join(record.path, 'dir'), { recursive: true });
  await symlink(outside, join(record.path, 'dir'));
  await expect(applySalvage(bench.git, record, content)).rejects.toMatchObject({ code: 'storage_failed' });
  expect(await readdir(outside)).toEqual(['gone']);
});

test('a directory comes back in the place of a file, and a file in that of a directory', async () => {
  await using bench = await WorktreeBench.create({ files: { one: 'x\n', 'two/deep/x': 'x\n' } });
  await rm(join(bench.path, 'one'));
  await bench.write('one/inside', 'x');
  await rm(join(bench.path, 'two'), { recursive: true });
  await bench.write('two', 'a file now');
  const { content, record } = await restoring(bench);
  await applySalvage(bench.git, record, content);
  expect(await readFile(join(record.path, 'one/inside'), 'utf8')).toBe('x');
  expect(await readFile(join(record.path, 'two'), 'utf8')).toBe('a file now');
});

test('a file comes back in the place of a directory that a sparse checkout left out', async () => {
  await using bench = await WorktreeBench.create({ files: { 'dir/x': 'x\n', 'other/y': 'y\n' } });
  await bench.run('sparse-checkout', 'set', 'other');
  await bench.write('dir', 'a file now');
  const { content, record } = await restoring(bench);
  await bench.repo.gitAt(record.path, 'sparse-checkout', 'disable').catch(() => undefined);
  await applySalvage(bench.git, record, content);
  expect(await readFile(join(record.path, 'dir'), 'utf8')).toBe('a file now');
});

test('large files and many small ones come back, with their permissions', async () => {
  await using bench = await WorktreeBench.create();
  const large = Buffer.alloc(17 * 1024 * 1024, 'large');
  await bench.write('large', large);
  await chmod(await bench.write('secret', 'x'), 0o600);
  for (let nth = 0; nth < 1100; nth++) await bench.write(`many/${nth}`, `${nth}`);
  const { content, record } = await restoring(bench);
  expect(content.files).toHaveLength(1102);
  await applySalvage(bench.git, record, content);
  expect((await readFile(join(record.path, 'large'))).equals(large)).toBe(true);
  expect((await lstat(join(record.path, 'secret'))).mode & 0o777).toBe(0o600);
  expect(await readdir(join(record.path, 'many'))).toHaveLength(1100);
  expect(await readFile(join(record.path, 'many/1099'), 'utf8')).toBe('1099');
  expect((await readdir(record.path)).filter((name) => name.startsWith('.merge_file'))).toEqual([]);
});
