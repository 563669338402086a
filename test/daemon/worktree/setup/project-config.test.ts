import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openRepository } from '../../../../src/daemon/worktree/repository.js';
import { readProjectConfig } from '../../../../src/daemon/worktree/setup/project-config.js';
import { GitRepo } from '../../../support/git-repo.js';
import { failureOf } from '../../store/failures.js';

async function read(repo: GitRepo, commit = 'HEAD') {
  const git = repo.runner();
  return readProjectConfig(git, await openRepository(git, repo.path), await repo.git('rev-parse', commit));
}

async function commitConfig(repo: GitRepo, text: string | Uint8Array): Promise<void> {
  await repo.write('.maestro/config.toml', text);
  await repo.commit('config');
}

test('without a file nothing runs, nothing is copied, and there are ten ports', async () => {
  await using repo = await GitRepo.create();
  expect(await read(repo)).toEqual({ env: {}, copy: [], ports: 10 });
});

test('all keys are read', async () => {
  await using repo = await GitRepo.create();
  await commitConfig(
    repo,
    `setup = ["npm ci", "npm run build"]\nteardown = "docker compose down"\ncopy = [".env", "/certs/"]\nports = 3\n[env]\nPORT = "{port}"\nAPI = "http://localhost:{port+2}/{x}"\n`,
  );
  expect(await read(repo)).toEqual({
    hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    setup: 'set -e\nnpm ci\nnpm run build',
    teardown: 'docker compose down',
    env: { PORT: '{port}', API: 'http://localhost:{port+2}/{x}' },
    copy: ['.env', '/certs/'],
    ports: 3,
  });
});

test('the file is that of the commit, not that of the main worktree or of another branch', async () => {
  await using repo = await GitRepo.create();
  await commitConfig(repo, 'setup = "one"\n');
  await commitConfig(repo, 'setup = "two"\n');
  await repo.write('.maestro/config.toml', 'setup = "changed"\n');
  expect((await read(repo)).setup).toBe('two');
  expect((await read(repo, 'HEAD~1')).setup).toBe('one');
  expect((await read(repo, 'HEAD~2')).setup).toBeUndefined();
  await using bare = await GitRepo.create({ bare: true });
  expect(await read(bare)).toEqual({ env: {}, copy: [], ports: 10 });
});

test('the hash is of what runs and its environment, in any order, and of nothing else', async () => {
  await using repo = await GitRepo.create();
  const hashOf = async (text: string) => {
    await commitConfig(repo, text);
    return (await read(repo)).hash;
  };
  const hash = await hashOf('setup = "a"\n[env]\nA = "1"\nB = "2"\n');
  expect(await hashOf('# other\ncopy = ["x"]\nports = 4\nsetup = "a"\nenv = { B = "2", A = "1" }\n')).toBe(hash);
  const others = ['setup = "a"', 'setup = "b"', 'teardown = "a"', 'setup = "a"\n[env]\nA = "1"', '[env]\nA = "1"', '[env]\nA1 = ""'];
  const hashes = [hash];
  for (const text of others) hashes.push(await hashOf(text));
  expect(new Set(hashes).size).toBe(others.length + 1);
  expect(hashes).not.toContain(undefined);
  for (const text of ['ports = 4', 'copy = ["x"]', 'setup = ""', 'setup = []', 'setup = "  \\n"'])
    expect(await hashOf(text)).toBeUndefined();
});

describe('what is wrong is refused by file, key and what was expected:', () => {
  test.each([
    ['setup = 1', 'setup: expected text, or a list of texts'],
    ['setup = [1]', 'setup: expected text, or a list of texts'],
    ['setup = "a\\u0000b"', 'setup: '],
    ['stup = "x"', 'stup: unknown key; the keys are setup, teardown, copy, env, ports'],
    ['copy = "x"', 'copy: expected a list of patterns'],
    ['copy = [""]', 'copy.0: must not be empty'],
    ['copy = ["a\\nb"]', 'copy.0: must be one line'],
    ['ports = 101', 'ports: must be 0 to 100'],
    ['ports = -1', 'ports: must be 0 to 100'],
    ['ports = 1.5', 'ports: expected a whole number'],
    ['ports = "10"', 'ports: expected a whole number'],
    ['[env]\n"a b" = "x"', 'env.a b: names must match'],
    ['[env]\nTERM = "x"', 'env.TERM: must not be one of'],
    ['[env]\nA = 1', 'env.A: expected text in quotes'],
    ['env = 1', 'env: expected a table'],
    ['ports = 2\n[env]\nA = "{port+2}"', 'env.A: uses {port+2}, but a worktree has 2 ports here'],
    ['ports = 0\n[env]\nA = "{port}"', 'env.A: uses {port}, but a worktree has 0 ports here'],
    ['setup = "a', 'line 1: not valid TOML'],
    ['a = 1\nb =', 'line 2: not valid TOML'],
    [Uint8Array.of(0xff, 0xfe), 'expected UTF-8'],
    [`# ${'x'.repeat(64 * 1024)}`, 'at most 65536 are read'],
  ])('%j', async (text, reason) => {
    await using repo = await GitRepo.create();
    await commitConfig(repo, text);
    const error = await failureOf(read(repo));
    expect(error).toMatchObject({ code: 'invalid_request', details: { field: 'worktree.setup', file: '.maestro/config.toml' } });
    expect(error.message).toContain('.maestro/config.toml at commit');
    expect(error.message).toContain(reason);
  });

  test('a symbolic link in place of the file', async () => {
    await using repo = await GitRepo.create();
    await mkdir(join(repo.path, '.maestro'));
    await symlink('/etc/passwd', join(repo.path, '.maestro', 'config.toml'));
    await repo.commit('link');
    expect((await failureOf(read(repo))).message).toContain('must be a plain file');
  });
});

test('.worktreeinclude adds to what is copied: that of the commit, or one that only the main worktree has', async () => {
  await using repo = await GitRepo.create();
  await commitConfig(repo, 'copy = ["first"]\n');
  await repo.write('.worktreeinclude', '# comment\r\n\n.env*\n!.env.example\n');
  expect((await read(repo)).copy).toEqual(['first', '.env*', '!.env.example']);
  await repo.commit('include');
  await repo.write('.worktreeinclude', 'changed\n');
  expect((await read(repo)).copy).toEqual(['first', '.env*', '!.env.example']);
  expect((await read(repo, 'HEAD~1')).copy).toEqual(['first']);
  await rm(join(repo.path, '.worktreeinclude'));
  expect((await read(repo)).copy).toEqual(['first', '.env*', '!.env.example']);
});
