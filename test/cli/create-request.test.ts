import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clampSize, createRequest, parseEnv, parseSize } from '../../src/cli/create-request.js';
import { givenDirectory, workingDirectory } from '../../src/cli/working-directory.js';
import { CreateSessionRequestSchema } from '../../src/protocol/index.js';

const ownEnv = { KEPT: 'v=1\n', EMPTY: '' };

test('the options of maestro new become a request that the daemon takes', () => {
  const options = { name: 'api', preset: 'claude', prompt: "it's\nthis", env: ['A=b=c', 'KEPT', 'EMPTY', 'NONE='], size: '100x30' };
  const request = createRequest({ cwd: '/srv' }, ['echo', 'a b'], { options, ownEnv });
  expect(request).toEqual({
    cwd: '/srv',
    command: "echo 'a b'",
    preset: 'claude',
    prompt: "it's\nthis",
    metadata: { name: 'api' },
    env: { A: 'b=c', KEPT: 'v=1\n', EMPTY: '', NONE: '' },
    size: { cols: 100, rows: 30 },
  });
  expect(CreateSessionRequestSchema.safeParse(request).success).toBe(true);
});

test('what is not given is left to the daemon', () => {
  expect(createRequest({ cwd: '/srv' }, [], { options: { preset: 'codex' }, ownEnv })).toEqual({ cwd: '/srv', preset: 'codex' });
});

test('neither command nor preset, an unset variable and an impossible size are wrong usage', () => {
  expect(() => createRequest({ cwd: '/srv' }, [], { options: {}, ownEnv })).toThrow('nothing to run');
  expect(() => parseEnv(['MISSING'], ownEnv)).toThrow('MISSING is not set here');
  for (const size of ['', '80', '80x', '9x24', '80x2', '501x24', '80x301', '-80x24', '80x24x1'])
    expect(() => parseSize(size)).toThrow('COLSxROWS');
  expect(parseSize('80X24')).toEqual({ cols: 80, rows: 24 });
});

test('T5: a size of a terminal is brought into the limits', () => {
  expect(clampSize({ cols: 2, rows: 1000 })).toEqual({ cols: 10, rows: 300 });
});

describe('the working directory', () => {
  let dir: string;
  const before = process.cwd();
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'm-'));
    mkdirSync(join(dir, 'real', 'sub'), { recursive: true });
    symlinkSync('real', join(dir, 'link'));
  });
  afterEach(() => {
    process.chdir(before);
    rmSync(dir, { recursive: true, force: true });
  });

  test('is called as the shell calls it, when that is the same one', () => {
    process.chdir(join(dir, 'link', 'sub'));
    expect(workingDirectory(join(dir, 'link', 'sub'))).toBe(join(dir, 'link', 'sub'));
    for (const wrong of [undefined, '', dir, join(dir, 'missing'), 'link/sub']) expect(workingDirectory(wrong)).toBe(process.cwd());
  });

  test('is what --cwd is relative to; absolute paths and ~ stay as they are', () => {
    process.chdir(join(dir, 'real'));
    expect(givenDirectory('sub', join(dir, 'link'))).toBe(join(dir, 'link', 'sub'));
    expect(['/a/../b', '~', '~/x'].map((given) => givenDirectory(given, undefined))).toEqual(['/a/../b', '~', '~/x']);
    expect(givenDirectory(undefined, join(dir, 'link'))).toBe(join(dir, 'link'));
  });

  test('that is gone is told', () => {
    process.chdir(join(dir, 'real', 'sub'));
    rmSync(join(dir, 'real'), { recursive: true });
    expect(() => workingDirectory(undefined)).toThrow('is gone');
  });
});
