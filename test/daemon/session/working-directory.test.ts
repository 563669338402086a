import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expandCwd, requireCwd } from '../../../src/daemon/session/working-directory.js';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'm-'));
});
afterAll(() => rm(dir, { recursive: true }));

describe('C2: the working directory', () => {
  test.each([
    ['~', '/home/me'],
    ['~/proj', '/home/me/proj'],
    ['/a/b/', '/a/b'],
    ['/a/./b/../c', '/a/c'],
    ['/', '/'],
    ['/x#{session_name}', '/x#{session_name}'],
    ['/~', '/~'],
  ])('%s means %s', (cwd, expected) => expect(expandCwd(cwd, '/home/me')).toBe(expected));

  test.each(['proj', './x', '~nobody/x', '-', ' /tmp'])('%j is not absolute and is refused by name', (cwd) => {
    expect(() => expandCwd(cwd, '/home/me')).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: expect.stringContaining(JSON.stringify(cwd)) }),
    );
  });

  test('a directory of any name, also behind a symbolic link, is fine', async () => {
    const odd = join(dir, "a;b #{pid} %H 'é\n");
    await mkdir(odd);
    await symlink(odd, join(dir, 'link'));
    await expect(requireCwd(odd)).resolves.toBeUndefined();
    await expect(requireCwd(join(dir, 'link'))).resolves.toBeUndefined();
  });

  test('one that is missing, a file, below a file, or a loop is refused with its path and the reason', async () => {
    await writeFile(join(dir, 'file'), '');
    await symlink(join(dir, 'loop'), join(dir, 'loop'));
    for (const [name, reason] of [
      ['missing', 'does not exist'],
      ['file', 'is not a directory'],
      ['file/x', 'below something'],
      ['loop', 'loop of symbolic links'],
    ] as const) {
      const path = join(dir, name);
      await expect(requireCwd(path)).rejects.toMatchObject({
        code: 'cwd_missing',
        message: expect.stringMatching(new RegExp(`${name}.*${reason}`)),
      });
    }
  });
});
