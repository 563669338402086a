import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { atomicWrite, durableRemove, removeLeftovers } from '../../../src/daemon/store/atomic-write.js';
import { type FileLayer, nodeFiles } from '../../../src/daemon/store/file-layer.js';
import { failureOf } from './failures.js';
import { failingFiles, type Step, scriptedFiles, systemError } from './scripted-files.js';
import { temporaryDir, withUmask } from './state-dirs.js';

test('the file holds what was written, and no temporary file stays', async () => {
  const dir = await temporaryDir();
  const path = join(dir, 'file');
  await atomicWrite(path, Buffer.from('one'));
  await atomicWrite(path, [Buffer.from('two'), Buffer.alloc(0), Buffer.from(' parts')]);
  expect(await readFile(path, 'utf8')).toBe('two parts');
  expect(await readdir(dir)).toEqual(['file']);
});

test.each([0o000, 0o022, 0o077])('the file has mode 0600 from birth under umask %o', async (umask) => {
  const path = join(await temporaryDir(), 'file');
  const modes: number[] = [];
  const files: FileLayer = {
    ...nodeFiles,
    async open(name, flags, mode) {
      const file = await nodeFiles.open(name, flags, mode);
      modes.push((await stat(name)).mode & 0o777);
      return file;
    },
  };
  await withUmask(umask, () => atomicWrite(path, Buffer.from('x'), files));
  expect(modes).toEqual([0o600]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('an older file that others could read is closed to them', async () => {
  const path = join(await temporaryDir(), 'file');
  await writeFile(path, 'old', { mode: 0o666 });
  await atomicWrite(path, Buffer.from('new'));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('the order is write, sync, close, rename, sync of the directory', async () => {
  const steps: Step[] = [];
  const files = scriptedFiles((step) => void steps.push(step));
  await atomicWrite(join(await temporaryDir(), 'file'), Buffer.from('x'), files);
  expect(steps).toEqual(['open', 'write', 'sync', 'close', 'rename', 'syncDirectory']);
});

test('writes that take only a part are continued', async () => {
  const path = join(await temporaryDir(), 'file');
  const content = Buffer.from(Array.from({ length: 10_000 }, (_, index) => index % 256));
  const files: FileLayer = {
    ...nodeFiles,
    async open(name, flags, mode) {
      const file = await nodeFiles.open(name, flags, mode);
      return { ...file, write: (bytes) => file.write(bytes.subarray(0, 7)) };
    },
  };
  await atomicWrite(path, [content.subarray(0, 5), content.subarray(5)], files);
  expect(content.equals(await readFile(path))).toBe(true);
});

describe('a step that fails', () => {
  const CAUSES = [
    ['ENOSPC', 'no space left on device', /free some space/],
    ['EDQUOT', 'disk quota exceeded', /quota/],
    ['EACCES', 'permission denied', /permissions/],
    ['EROFS', 'read-only file system', /MAESTRO_STATE_DIR/],
    ['EIO', 'i/o error', /dmesg/],
    ['EMFILE', 'too many open files', /ulimit -n/],
    ['EBUSY', 'resource busy or locked', /try again/],
  ] as const;

  test.each(CAUSES)('%s is storage_failed with the path, the cause and the next step', async (code, text, next) => {
    const path = join(await temporaryDir(), 'file');
    const files = scriptedFiles(() => {
      throw systemError(code, text, 'write');
    });
    const error = await failureOf(atomicWrite(path, Buffer.from('x'), files));
    expect(error.code).toBe('storage_failed');
    expect(error.message).toContain(`cannot write ${path}: ${text} (${code}); `);
    expect(error.message).toMatch(next);
    expect(error.details).toEqual({ path, errno: code });
  });

  test.each(['open', 'write', 'sync', 'close', 'rename'] as const)('leaves the old content and no temporary file: %s', async (failing) => {
    const dir = await temporaryDir();
    const path = join(dir, 'file');
    await atomicWrite(path, Buffer.from('old'));
    const files = failingFiles(new Set<Step>([failing]));
    await failureOf(atomicWrite(path, Buffer.from('new'), files));
    expect(await readFile(path, 'utf8')).toBe('old');
    expect(await readdir(dir)).toEqual(['file']);
  });

  test('the sync of the directory: the new content is in place, whole, and the failure is told', async () => {
    const dir = await temporaryDir();
    const path = join(dir, 'file');
    const files = scriptedFiles((step) => {
      if (step === 'syncDirectory') throw systemError('EIO', 'i/o error', 'fsync');
    });
    expect((await failureOf(atomicWrite(path, Buffer.from('new'), files))).code).toBe('storage_failed');
    expect(await readFile(path, 'utf8')).toBe('new');
    expect(await readdir(dir)).toEqual(['file']);
  });

  test('when the temporary file cannot be removed either, the first cause is told', async () => {
    const files = scriptedFiles((step) => {
      if (step === 'write') throw systemError('ENOSPC', 'no space left on device', step);
      if (step === 'unlink') throw systemError('EROFS', 'read-only file system', step);
    });
    const error = await failureOf(atomicWrite(join(await temporaryDir(), 'file'), Buffer.from('x'), files));
    expect(error.details).toMatchObject({ errno: 'ENOSPC' });
  });

  test('a bug is not taken for a failing disk', async () => {
    const files = scriptedFiles(() => {
      throw new TypeError('a bug');
    });
    await expect(atomicWrite(join(await temporaryDir(), 'file'), Buffer.from('x'), files)).rejects.toThrow(TypeError);
  });
});

describe('on a real file system', () => {
  test('a directory in place of the file is refused and stays', async () => {
    const dir = await temporaryDir();
    const path = join(dir, 'file');
    await mkdir(path);
    expect((await failureOf(atomicWrite(path, Buffer.from('x')))).message).toMatch(/EISDIR.*move the directory/);
    expect(await readdir(dir)).toEqual(['file']);
  });

  test('a missing directory is refused', async () => {
    const path = join(await temporaryDir(), 'gone', 'file');
    expect((await failureOf(atomicWrite(path, Buffer.from('x')))).details).toEqual({ path, errno: 'ENOENT' });
  });

  test('a link in place of the file is replaced, and what it points to is not written', async () => {
    const dir = await temporaryDir();
    await writeFile(join(dir, 'target'), 'precious');
    await symlink(join(dir, 'target'), join(dir, 'file'));
    await atomicWrite(join(dir, 'file'), Buffer.from('x'));
    expect(await readFile(join(dir, 'target'), 'utf8')).toBe('precious');
  });

  test('a full and then read-only file system keeps the old content, and writing works again afterwards', async ({ skip }) => {
    const dir = await temporaryDir();
    const mount = (...options: string[]) => spawnSync('mount', [...options, 'tmpfs', dir]).status === 0;
    if (process.platform !== 'linux' || !mount('-t', 'tmpfs', '-o', 'size=64k')) skip('mounting is not permitted here');
    onTestFinished(() => void spawnSync('umount', [dir]));
    const path = join(dir, 'file');
    await atomicWrite(path, Buffer.from('old'));

    expect((await failureOf(atomicWrite(path, Buffer.alloc(1024 * 1024)))).message).toMatch(/no space left.*ENOSPC.*free some space/);
    expect(await readFile(path, 'utf8')).toBe('old');
    expect(await readdir(dir)).toEqual(['file']);

    expect(mount('-o', 'remount,ro')).toBe(true);
    expect((await failureOf(atomicWrite(path, Buffer.from('new')))).details).toMatchObject({ errno: 'EROFS' });
    expect((await failureOf(durableRemove(path))).message).toMatch(/^cannot delete .*EROFS/);

    expect(mount('-o', 'remount,rw')).toBe(true);
    await atomicWrite(path, Buffer.from('new'));
    expect(await readFile(path, 'utf8')).toBe('new');
  });
});

test('removing what is gone is no error', async () => {
  const path = join(await temporaryDir(), 'file');
  await atomicWrite(path, Buffer.from('x'));
  await durableRemove(path);
  await durableRemove(path);
  await expect(stat(path)).rejects.toThrow('ENOENT');
});

test('L4: what a crash left over is cleaned up, and nothing else', async () => {
  const dir = await temporaryDir();
  const files = scriptedFiles((step) => {
    if (step !== 'open') throw systemError('EIO', 'i/o error', step);
  });
  await failureOf(atomicWrite(join(dir, 'a'), Buffer.from('x'), files));
  await failureOf(atomicWrite(join(dir, '.b'), Buffer.from('x'), files));
  expect(await readdir(dir)).toHaveLength(2);
  for (const name of ['.notes.tmp', 'file.0123456789abcdef.tmp', 'a']) await writeFile(join(dir, name), 'not ours');
  await removeLeftovers(dir);
  expect((await readdir(dir)).sort()).toEqual(['.notes.tmp', 'a', 'file.0123456789abcdef.tmp']);
});

test('cleaning up in a directory that is gone is no error', async () => {
  await removeLeftovers(join(await temporaryDir(), 'gone'));
});
