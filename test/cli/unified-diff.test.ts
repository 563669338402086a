import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { appendFile, chmod, lstat, mkdir, readdir, readFile, readlink, rename, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Output } from '../../src/cli/output.js';
import { unifiedDiff } from '../../src/cli/unified-diff.js';
import { diffOf, fileDiffOf } from '../../src/daemon/worktree/diff.js';
import { requireTreeAt } from '../../src/daemon/worktree/diff-tree.js';
import { DIFF_BYTES_LIMIT, type FileDiff } from '../../src/protocol/index.js';
import { fakeFileDiff } from '../support/fake-worktrees.js';
import { GitRepo } from '../support/git-repo.js';

function outputOf(isTTY: boolean, env: Record<string, string> = {}): Output {
  return new Output({ stdout: { isTTY, write: () => true }, stderr: { write: () => true }, json: false, env });
}
const patchOf = (files: readonly FileDiff[]) => files.flatMap((file) => `${unifiedDiff(file, outputOf(false)).join('\n')}\n`).join('');
const hunk = (...lines: string[]) => {
  const count = (signs: string) => lines.filter((line) => signs.includes(line[0] ?? '')).length;
  const [old_lines, new_lines] = [count(' -'), count(' +')];
  return { old_start: old_lines === 0 ? 0 : 1, old_lines, new_start: new_lines === 0 ? 0 : 1, new_lines, lines };
};

test('what goes into a pipe is a patch that git applies byte for byte', () => {
  const dir = mkdtempSync(join(tmpdir(), 'm-'));
  try {
    const before = { mod: 'a\r\nb\n', 'with space': 'x\n', gone: 'g\n', 'old "name"': '1\n2\n', src: 's\n' };
    for (const [name, text] of Object.entries(before)) writeFileSync(join(dir, name), text);
    const patch = patchOf([
      fakeFileDiff({ path: 'mod', hunks: [{ ...hunk(' a\r', '-b', '+\x1b[31mc\t'), section: 'f(\x1b) {' }] }),
      fakeFileDiff({ path: 'with space', hunks: [hunk('-x', '+y', '\\ No newline at end of file')] }),
      fakeFileDiff({ path: 'gone', status: 'deleted', hunks: [hunk('-g')] }),
      fakeFileDiff({ path: 'pic', status: 'modified', binary: true, hunks: [] }),
      fakeFileDiff({ path: 'new\nline\u202e', old_path: 'old "name"', status: 'renamed', hunks: [hunk(' 1', '-2', '+3')] }),
      fakeFileDiff({ path: 'copy', old_path: 'src', status: 'copied', hunks: [] }),
      fakeFileDiff({ path: 'fresh é', status: 'untracked', hunks: [hunk('+--- a/looks like a header')] }),
    ]);
    const applied = spawnSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: dir, input: patch, encoding: 'utf8' });
    expect(applied).toMatchObject({ status: 0, stderr: '' });
    const read = (name: string) => readFileSync(join(dir, name), 'utf8');
    expect(read('mod')).toBe('a\r\n\x1b[31mc\t\n');
    expect(read('with space')).toBe('y');
    expect(read('new\nline\u202e')).toBe('1\n3\n');
    expect(read('copy')).toBe('s\n');
    expect(read('fresh é')).toBe('--- a/looks like a header\n');
    expect(() => read('gone')).toThrow('ENOENT');
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

test('a terminal gets colours as git has them, and no control character of the files', () => {
  const file = fakeFileDiff({ path: 'x\x1b[2J', hunks: [{ ...hunk(' \tkept', '-\x1b]0;t\x07', '+\u202eevil\r'), section: 's\x9b' }] });
  const lines = unifiedDiff(file, outputOf(true));
  expect(lines).toEqual([
    '\x1b[1mdiff --git "a/x\\033[2J" "b/x\\033[2J"\x1b[0m',
    '\x1b[1m--- "a/x\\033[2J"\x1b[0m',
    '\x1b[1m+++ "b/x\\033[2J"\x1b[0m',
    '\x1b[36m@@ -1,2 +1,2 @@\x1b[0m s\\x9b',
    ' \tkept',
    '\x1b[31m-\\x1b]0;t\\x07\x1b[0m',
    '\x1b[32m+\\u{202e}evil\\r\x1b[0m',
  ]);
  expect(unifiedDiff(file, outputOf(true, { NO_COLOR: '1' })).join('')).not.toContain('\x1b');
});

/** What is below a directory, git's own aside: of each file its kind, whether it can be run, and its content. */
async function contentOf(dir: string): Promise<Record<string, string>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.map((entry) => join(entry.parentPath, entry.name)).filter((path) => !path.startsWith(join(dir, '.git')));
  const all = await Promise.all(files.map(async (path) => [relative(dir, path), await described(path)] as const));
  return Object.fromEntries(all.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
}

async function described(path: string): Promise<string | undefined> {
  const facts = await lstat(path);
  if (facts.isDirectory()) return undefined;
  if (facts.isSymbolicLink()) return `link to ${await readlink(path)}`;
  return `${(facts.mode & 0o100) === 0 ? 'file' : 'program'} ${(await readFile(path)).toString('hex')}`;
}

/** What the daemon tells of every file that differs from the last commit. */
async function diffsOf(repo: GitRepo): Promise<FileDiff[]> {
  const git = repo.runner();
  const tree = await requireTreeAt(git, repo.path);
  const { files } = await diffOf(git, tree, { against: 'head' });
  return Promise.all(files.map(({ path }) => fileDiffOf(git, tree, { against: 'head', path })));
}

describe('the patch of a real worktree', () => {
  let repo: GitRepo;
  let other: string;
  beforeEach(async () => {
    repo = await GitRepo.create();
    other = join(repo.root, 'other');
  });
  afterEach(() => repo[Symbol.asyncDispose]());
  const at = (path: string) => join(repo.path, path);
  const lines = (...extra: string[]) => ['1', '2', '3', '4', '5', ...extra].map((line) => `${line}\n`).join('');

  async function applied(patch: string) {
    await repo.git('worktree', 'add', '-q', '--detach', other, 'HEAD');
    return spawnSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: other, input: patch, encoding: 'utf8', env: repo.env });
  }

  test('makes the same files of the commit: modes, links, empty files, renames and other types', async () => {
    const before = ['mode only', 'mode', 'gone', 'run moved', 'moved', 'retyped', 'dir/kept', 'odd "name"\n'];
    for (const name of before) await repo.write(name, lines(name));
    for (const name of ['empty gone', 'empty retyped', 'empty mode']) await repo.write(name, '');
    await repo.write('gone program', '#!/bin/sh\n');
    await chmod(at('gone program'), 0o755);
    for (const name of ['link', 'gone link', 'unlinked']) await symlink('a', at(name));
    await repo.commit('base');
    for (const name of ['mode only', 'mode', 'empty mode']) await chmod(at(name), 0o755);
    await appendFile(at('mode'), 'and text');
    for (const name of ['gone', 'gone program', 'gone link', 'empty gone', 'link', 'unlinked', 'retyped', 'empty retyped'])
      await unlink(at(name));
    await symlink('b', at('link'));
    for (const name of ['retyped', 'empty retyped', 'new link']) await symlink('to/nowhere', at(name));
    await writeFile(at('unlinked'), 'a file now\n');
    await rename(at('run moved'), at('dir/run moved'));
    await chmod(at('dir/run moved'), 0o755);
    await rename(at('moved'), at('moved\ton'));
    await writeFile(at('moved\ton'), lines('moved', 'more'));
    await chmod(at('moved\ton'), 0o755);
    await rename(at('odd "name"\n'), at('plain'));
    for (const name of ['empty', 'empty program', 'new']) await repo.write(`fresh/${name}`, name === 'new' ? 'x\r\n' : '');
    await repo.write('fresh/program', '#!/bin/sh\necho "no end"');
    for (const name of ['fresh/program', 'fresh/empty program']) await chmod(at(name), 0o755);
    expect(await applied(patchOf(await diffsOf(repo)))).toMatchObject({ status: 0, stderr: '' });
    expect(await contentOf(other)).toEqual(await contentOf(repo.path));
  });

  test('leaves files out that it cannot tell, and applies without them', async () => {
    const large = Buffer.alloc(DIFF_BYTES_LIMIT + 1, 'z\n');
    for (const name of ['binary', 'gone binary']) await repo.write(name, Buffer.from([0, 1]));
    for (const name of ['large', 'gone large']) await repo.write(name, large);
    for (const name of ['a-text', 'b-text', 'z-text', 'mode']) await repo.write(name, lines());
    await repo.commit('base');
    for (const name of ['a-text', 'b-text', 'z-text']) await appendFile(at(name), 'more\n');
    for (const name of ['binary', 'new binary']) await repo.write(name, Buffer.from([0, 2]));
    for (const name of ['large', 'new large']) await repo.write(name, Buffer.concat([large, large]));
    for (const name of ['gone binary', 'gone large']) await unlink(at(name));
    await chmod(at('mode'), 0o755);
    await mkdir(at('nested'));
    await repo.gitAt(at('nested'), 'init', '-q');
    const patch = patchOf(await diffsOf(repo));
    expect(patch.match(/^.*not in this patch$/gm)).toEqual([
      'Binary files a/binary and b/binary differ: not in this patch',
      'Binary files a/gone binary and b/gone binary differ: not in this patch',
      'Files a/gone large and b/gone large: not in this patch',
      'Files a/large and b/large: not in this patch',
      'Files a/nested/ and b/nested/: not in this patch',
      'Binary files a/new binary and b/new binary differ: not in this patch',
      'Files a/new large and b/new large: not in this patch',
    ]);
    expect(await applied(patch)).toMatchObject({ status: 0, stderr: '' });
    expect((await repo.gitAt(other, 'status', '--porcelain')).trimStart().split('\n')).toEqual([
      'M a-text',
      ' M b-text',
      ' M mode',
      ' M z-text',
    ]);
  });

  test('says nothing of a file in conflict whose lines are as before', async () => {
    const conflict = fakeFileDiff({ path: 'b', status: 'conflicted', hunks: [] });
    await repo.write('c', 'x\n');
    await repo.commit('base');
    expect(unifiedDiff(conflict, outputOf(false))).toEqual(['Files a/b and b/b: not in this patch']);
    const patch = patchOf([conflict, fakeFileDiff({ path: 'c', hunks: [hunk('-x', '+y')] })]);
    expect(await applied(patch)).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(join(other, 'c'), 'utf8')).toBe('y\n');
  });
});
