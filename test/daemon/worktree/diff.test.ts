import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFile, chmod, mkdir, readdir, readFile, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { commitRangeDiff, commitRangeFileDiff, diffOf, fileDiffOf } from '../../../src/daemon/worktree/diff.js';
import { type DiffTree, requireTreeAt, treeAt } from '../../../src/daemon/worktree/diff-tree.js';
import {
  DIFF_BYTES_LIMIT,
  DIFF_FILE_LIMIT,
  DIFF_LINE_LIMIT,
  type DiffFile,
  DiffSchema,
  FileDiffSchema,
} from '../../../src/protocol/index.js';
import { GitRepo } from '../../support/git-repo.js';

let repo: GitRepo;
beforeEach(async () => {
  repo = await GitRepo.create();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await repo[Symbol.asyncDispose]();
});

async function tree(facts: Partial<DiffTree> = {}, cwd = repo.path): Promise<DiffTree> {
  return { ...(await requireTreeAt(repo.runner(), cwd)), ...facts };
}

async function diff(against: 'base' | 'head' = 'head', facts: Partial<DiffTree> = {}) {
  return DiffSchema.parse(await diffOf(repo.runner(), await tree(facts), { against }));
}

async function fileDiff(
  path: string,
  { against = 'head', context, ...facts }: { against?: 'base' | 'head'; context?: number } & Partial<DiffTree> = {},
) {
  return FileDiffSchema.parse(await fileDiffOf(repo.runner(), await tree(facts), { against, path, context }));
}

const brief = (files: readonly DiffFile[]) => files.map(({ path, status, additions, deletions }) => [path, status, additions, deletions]);
const modes = (files: readonly DiffFile[]) => files.map(({ path, old_mode, new_mode }) => [path, old_mode, new_mode]);
const PLAIN = '100644';
const at = (path: string) => join(repo.path, path);

describe('where', () => {
  test('a directory inside a worktree leads to its top', async () => {
    await mkdir(at('a/b'), { recursive: true });
    expect(await treeAt(repo.runner(), at('a/b'))).toMatchObject({ root: repo.path, place: { gitDir: at('.git') } });
  });

  test('a directory in no repository, in a bare one, or gone, is refused and named', async () => {
    await using bare = await GitRepo.create({ bare: true });
    for (const cwd of [dirname(repo.path), bare.path, at('.git'), at('gone')]) {
      await expect(requireTreeAt(repo.runner(), cwd)).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining(cwd),
      });
    }
  });

  test('a worktree that was removed is said to be', async () => {
    const gone = await tree();
    await rm(repo.path, { recursive: true });
    await expect(diffOf(repo.runner(), gone, { against: 'head' })).rejects.toMatchObject({ code: 'cwd_missing' });
  });
});

describe('files', () => {
  test('nothing changed shows nothing', async () => {
    const head = await repo.git('rev-parse', 'HEAD');
    expect(await diff()).toEqual({
      against: 'head',
      root: repo.path,
      branch: 'main',
      base: head,
      head,
      files: [],
      files_total: 0,
      additions: 0,
      deletions: 0,
      commits: [],
      commits_total: 0,
    });
  });

  test('committed, staged, unstaged and untracked changes count alike, ignored ones not', async () => {
    await repo.write('.gitignore', 'ignored\n');
    for (const name of ['committed', 'staged', 'unstaged', 'deleted', 'same']) await repo.write(name, 'one\ntwo\n');
    const baseCommit = await repo.commit('base');
    await repo.write('committed', 'one\n');
    await repo.commit('work');
    await repo.write('staged', 'one\ntwo\nthree\n');
    await repo.git('add', 'staged');
    await repo.write('unstaged', 'other\ntwo\n');
    await unlink(at('deleted'));
    await repo.write('new/file', 'a\nb\nno end');
    await repo.write('ignored', 'x');
    const found = await diff('base', { baseCommit });
    expect(brief(found.files)).toEqual([
      ['committed', 'modified', 0, 1],
      ['deleted', 'deleted', 0, 2],
      ['new/file', 'untracked', 3, 0],
      ['staged', 'modified', 1, 0],
      ['unstaged', 'modified', 1, 1],
    ]);
    expect(found).toMatchObject({ base: baseCommit, files_total: 5, additions: 5, deletions: 4, commits_total: 1 });
    expect(found.commits).toMatchObject([{ subject: 'work', author: 'A Tester', id: found.head }]);
    expect(brief((await diff('head')).files).map(([path]) => path)).toEqual(['deleted', 'new/file', 'staged', 'unstaged']);
  });

  test('renames are found, also of a file that git does not know yet', async () => {
    await repo.write('one', 'a\nb\nc\nd\ne\n');
    await repo.write('two', '1\n2\n3\n4\n5\n');
    await repo.commit('base');
    await repo.git('mv', 'one', 'uno');
    await rename(at('two'), at('due'));
    await appendFile(at('due'), '6\n');
    const { files } = await diff();
    const bothPlain = { old_mode: PLAIN, new_mode: PLAIN };
    expect(files).toEqual([
      { path: 'due', old_path: 'two', status: 'renamed', ...bothPlain, additions: 1, deletions: 0, binary: false },
      { path: 'uno', old_path: 'one', status: 'renamed', ...bothPlain, additions: 0, deletions: 0, binary: false },
    ]);
    expect(await fileDiff('due')).toMatchObject({
      old_path: 'two',
      hunks: [{ lines: [' 3', ' 4', ' 5', '+6'] }],
      old_bytes: 10,
      new_bytes: 12,
    });
    expect(await fileDiff('uno')).toMatchObject({ old_path: 'one', hunks: [] });
  });

  test('a file that was taken out of the index and is still there is as changed as it is', async () => {
    await repo.write('same', 'a\n');
    await repo.write('other', 'a\n');
    await repo.commit('base');
    await repo.git('rm', '--cached', '-q', 'same', 'other');
    await repo.write('other', 'b\n');
    expect(brief((await diff()).files)).toEqual([['other', 'modified', 1, 1]]);
  });

  test('binary files and files over the limit have no counts, and are told apart', async () => {
    await repo.write('old', Buffer.alloc(3 * DIFF_BYTES_LIMIT, 'x\n'));
    await repo.write('was-binary', Buffer.from([1, 0, 2]));
    await repo.commit('base');
    await unlink(at('old'));
    await unlink(at('was-binary'));
    await repo.write('at-limit', Buffer.alloc(DIFF_BYTES_LIMIT, 'y\n'));
    await repo.write('binary', Buffer.from([0, 1, 2]));
    await repo.write('large', Buffer.alloc(DIFF_BYTES_LIMIT + 1, 'z\n'));
    const { files, additions } = await diff();
    expect(files).toEqual([
      { path: 'at-limit', status: 'untracked', new_mode: PLAIN, additions: DIFF_BYTES_LIMIT / 2, deletions: 0, binary: false },
      { path: 'binary', status: 'untracked', new_mode: PLAIN, binary: true },
      { path: 'large', status: 'untracked', new_mode: PLAIN, binary: false },
      { path: 'old', status: 'deleted', old_mode: PLAIN, binary: false },
      { path: 'was-binary', status: 'deleted', old_mode: PLAIN, binary: true },
    ]);
    expect(additions).toBe(DIFF_BYTES_LIMIT / 2);
    expect(await fileDiff('large')).toMatchObject({ cut: 'too_large', hunks: [], new_bytes: DIFF_BYTES_LIMIT + 1 });
    expect(await fileDiff('old')).toMatchObject({ cut: 'too_large', hunks: [], old_bytes: 3 * DIFF_BYTES_LIMIT });
    expect(await fileDiff('binary')).toEqual({
      path: 'binary',
      status: 'untracked',
      new_mode: PLAIN,
      binary: true,
      hunks: [],
      new_bytes: 3,
    });
  });

  test('a changed type, a changed mode and a moved submodule show as what they are', async () => {
    await using other = await GitRepo.create({ commits: 2 });
    await repo.write('file', 'text\n');
    await repo.write('script', '#!/bin/sh\n');
    await repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.path, 'sub');
    await repo.commit('base');
    await unlink(at('file'));
    await symlink('target', at('file'));
    await chmod(at('script'), 0o755);
    await repo.gitAt(at('sub'), 'checkout', '-q', 'HEAD~1');
    await repo.write('sub/dirt', 'x');
    expect(brief((await diff()).files)).toEqual([
      ['file', 'type_changed', 1, 1],
      ['script', 'modified', 0, 0],
      ['sub', 'modified', 1, 1],
    ]);
    expect((await fileDiff('file')).hunks.map(({ lines }) => lines)).toEqual([['-text'], ['+target', '\\ No newline at end of file']]);
    expect(await fileDiff('script')).toMatchObject({ hunks: [] });
    expect((await fileDiff('sub')).hunks[0]?.lines).toEqual([
      expect.stringMatching(/^-Subproject commit/),
      expect.stringMatching(/^\+Subproject commit/),
    ]);
  });

  test('the modes of both sides are told, where they are there', async () => {
    for (const name of ['deleted', 'script', 'moved', 'link']) await repo.write(name, `${name}\n1\n2\n3\n`);
    await chmod(at('deleted'), 0o755);
    await repo.commit('base');
    await unlink(at('deleted'));
    await chmod(at('script'), 0o755);
    await rename(at('moved'), at('moved-on'));
    await chmod(at('moved-on'), 0o755);
    await unlink(at('link'));
    await symlink('target', at('link'));
    await symlink('target', at('new-link'));
    await repo.write('new-script', '#!/bin/sh\n');
    await chmod(at('new-script'), 0o755);
    const expected = [
      ['deleted', '100755', undefined],
      ['link', PLAIN, '120000'],
      ['moved-on', PLAIN, '100755'],
      ['new-link', undefined, '120000'],
      ['new-script', undefined, '100755'],
      ['script', PLAIN, '100755'],
    ];
    expect(modes((await diff()).files)).toEqual(expected);
    expect(modes(await Promise.all(expected.map(([path = '']) => fileDiff(path))))).toEqual(expected);
  });

  test('a directory in the place of a file shows both', async () => {
    await repo.write('thing', 'was a file\n');
    await repo.commit('base');
    await unlink(at('thing'));
    await repo.write('thing/inside', 'now in a directory\n');
    expect(brief((await diff()).files)).toEqual([
      ['thing', 'deleted', 0, 1],
      ['thing/inside', 'untracked', 1, 0],
    ]);
    expect((await fileDiff('thing')).hunks.flatMap(({ lines }) => lines)).toEqual(['-was a file']);
    expect((await fileDiff('thing/inside')).hunks.flatMap(({ lines }) => lines)).toEqual(['+now in a directory']);
  });

  test('conflicts are marked, and the merge that made them is named', async () => {
    await repo.write('file', 'a\n');
    await repo.write('gone', 'a\n');
    await repo.commit('base');
    await repo.git('checkout', '-q', '-b', 'other');
    await repo.write('file', 'theirs\n');
    await repo.write('gone', 'kept\n');
    await repo.commit('theirs');
    await repo.git('checkout', '-q', 'main');
    await repo.write('file', 'ours\n');
    await unlink(at('gone'));
    await repo.commit('ours');
    await expect(repo.git('merge', 'other')).rejects.toThrow();
    await repo.write('file', 'ours\n');
    const found = await diff();
    expect(found.operation).toBe('merge');
    expect(brief(found.files)).toEqual([
      ['file', 'conflicted', 0, 0],
      ['gone', 'conflicted', 1, 0],
    ]);
    expect(await fileDiff('file')).toMatchObject({ status: 'conflicted', hunks: [] });
    expect(modes(found.files)[0]).toEqual(['file', undefined, undefined]);
  });

  test('a repository without commits shows all of its files as new', async () => {
    await using fresh = await GitRepo.create({ commits: 0 });
    await fresh.write('staged', 'a\n');
    await fresh.git('add', 'staged');
    await fresh.write('untracked', 'b\n');
    const top = await requireTreeAt(fresh.runner(), fresh.path);
    for (const against of ['base', 'head'] as const) {
      const found = DiffSchema.parse(await diffOf(fresh.runner(), top, { against }));
      expect(brief(found.files)).toEqual([
        ['staged', 'added', 1, 0],
        ['untracked', 'untracked', 1, 0],
      ]);
      expect(found).toMatchObject({ branch: 'main', commits: [] });
      expect(found).not.toHaveProperty('head');
    }
  });

  test('repositories inside are untracked things that nothing more is known of', async () => {
    await mkdir(at('nested'));
    await repo.gitAt(at('nested'), 'init', '-q');
    await repo.write('nested/file', 'x\n');
    expect((await diff()).files).toEqual([{ path: 'nested/', status: 'untracked', binary: false }]);
    expect(await fileDiff('nested/')).toEqual({ path: 'nested/', status: 'untracked', binary: false, hunks: [] });
  });

  test('no more files than the limit are listed, and all are counted', async () => {
    await mkdir(at('many'));
    const names = Array.from({ length: DIFF_FILE_LIMIT + 5 }, (_, number) => `many/${String(number).padStart(5, '0')}`);
    await Promise.all(names.map((name) => writeFile(at(name), 'line\n')));
    const found = await diff();
    expect(found.files.map(({ path }) => path)).toEqual(names.slice(0, DIFF_FILE_LIMIT));
    expect(found).toMatchObject({ files_total: names.length, additions: names.length });
    expect(await fileDiff(names.at(-1) ?? '')).toMatchObject({ additions: 1 });
  });

  test('the settings a user reads diffs with change nothing', async () => {
    const settings = {
      noprefix: 'true',
      mnemonicPrefix: 'true',
      external: 'false',
      context: '9',
      suppressBlankEmpty: 'true',
      renames: 'false',
      submodule: 'log',
    };
    for (const [name, value] of Object.entries(settings)) await repo.git('config', `diff.${name}`, value);
    await repo.git('config', 'color.ui', 'always');
    await repo.git('config', 'diff.shout.textconv', 'tr a-z A-Z <');
    await repo.write('.gitattributes', '* diff=shout\n');
    await repo.write('file', 'a\n\nb\nc\nd\ne\n');
    await repo.commit('base');
    await repo.write('file', 'a\n\nX\nc\nd\ne\n');
    expect((await fileDiff('file', { context: 1 })).hunks).toEqual([
      { old_start: 2, old_lines: 3, new_start: 2, new_lines: 3, section: 'a', lines: [' ', '-b', '+X', ' c'] },
    ]);
  });
});

describe('hunks', () => {
  test('lines keep carriage returns and ends without a newline, and heads of sections are told', async () => {
    const body = Array.from({ length: 12 }, (_, number) => `  line ${number}\r\n`).join('');
    await repo.write('file', `function first() {\r\n${body}}\r\nend`);
    await repo.commit('base');
    await repo.write('file', `function first() {\r\n${body.replace('line 8\r', 'line eight')}}\r\nend\n`);
    const found = await fileDiff('file', { context: 0 });
    expect(found.hunks).toEqual([
      {
        old_start: 10,
        old_lines: 1,
        new_start: 10,
        new_lines: 1,
        section: expect.stringMatching(/^function first/),
        lines: ['-  line 8\r', '+  line eight'],
      },
      {
        old_start: 15,
        old_lines: 1,
        new_start: 15,
        new_lines: 1,
        section: expect.any(String),
        lines: ['-end', '\\ No newline at end of file', '+end'],
      },
    ]);
  });

  test('no content passes for a part of the patch', async () => {
    const evil = ['-- a/file', '++ b/file', '@@ -1 +1 @@', 'diff --git a/file b/file', '\\ No newline at end of file', ''];
    await repo.write('file', evil.join('\n'));
    await repo.commit('base');
    await repo.write('file', evil.reverse().join('\n'));
    const { hunks } = await fileDiff('file', { context: 0 });
    const lines = hunks.flatMap((hunk) => hunk.lines);
    const { additions, deletions } = (await diff()).files[0] ?? {};
    expect(lines.filter((line) => line.startsWith('+'))).toHaveLength(additions ?? -1);
    expect(lines.filter((line) => line.startsWith('-'))).toHaveLength(deletions ?? -1);
  });

  test('names of any characters are found again', async () => {
    const names = [
      'with space',
      'tab\there',
      'line\nfeed',
      'quote"d',
      'back\\slash',
      'ünïcode 🎼',
      '-dash',
      ':(top)magic',
      '*glob[x]?',
      'bell\x07\x01',
      ' b/x',
      'a => b',
    ];
    for (const name of names) await repo.write(name, 'old\n');
    await repo.commit('base');
    for (const name of names) await repo.write(name, 'new\n');
    await repo.write('sub/*', 'new\n');
    expect(new Set((await diff()).files.map(({ path }) => path))).toEqual(new Set([...names, 'sub/*']));
    for (const name of names) expect(await fileDiff(name)).toMatchObject({ path: name, hunks: [{ lines: ['-old', '+new'] }] });
    expect(await fileDiff('sub/*')).toMatchObject({ status: 'untracked', hunks: [{ lines: ['+new'] }] });
  });

  test('names and lines that are not UTF-8 show U+FFFD', async () => {
    const odd = Buffer.concat([Buffer.from(`${repo.path}/`), Buffer.from([0x66, 0xff])]);
    await writeFile(odd, Buffer.from([0x61, 0xfe, 0x0a]));
    await repo.write('latin', Buffer.from([0xe9, 0x0a]));
    expect((await diff()).files.map(({ path }) => path)).toEqual(['f\uFFFD', 'latin']);
    expect((await fileDiff('latin')).hunks[0]?.lines).toEqual(['+\uFFFD']);
    await expect(fileDiff('f\uFFFD')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a rename away from a name that is not UTF-8 shows the file as new', async () => {
    const odd = Buffer.concat([Buffer.from(`${repo.path}/`), Buffer.from([0x66, 0xff])]);
    await writeFile(odd, 'a\nb\n');
    await repo.commit('base');
    await rename(odd, at('plain'));
    expect(await fileDiff('plain')).toMatchObject({ status: 'untracked', hunks: [{ lines: ['+a', '+b'] }] });
  });

  test('very long lines are whole', async () => {
    const line = 'x'.repeat(1_000_000);
    await repo.write('long', `${line}\n`);
    expect((await fileDiff('long')).hunks[0]?.lines).toEqual([`+${line}`]);
  });

  test('no more lines than the limit come, with counts that fit them', async () => {
    await repo.write('lines', 'y\n'.repeat(DIFF_LINE_LIMIT + 10));
    const found = await fileDiff('lines');
    expect(found).toMatchObject({ cut: 'too_many_lines', additions: DIFF_LINE_LIMIT + 10 });
    expect(found.hunks).toHaveLength(1);
    expect(found.hunks[0]).toMatchObject({ new_lines: DIFF_LINE_LIMIT, old_lines: 0 });
    expect(found.hunks[0]?.lines).toHaveLength(DIFF_LINE_LIMIT);
  });

  test('a path that is not among the changed files is not found, wherever it leads', async () => {
    await repo.write('same', 'a\n');
    await repo.commit('base');
    await repo.write('dir/new', 'a\n');
    for (const path of [
      'same',
      'dir',
      'dir/',
      './dir/new',
      '../repo/dir/new',
      '/etc/passwd',
      at('dir/new'),
      'nothing',
      '--help',
      '.git/config',
      '.',
    ]) {
      await expect(fileDiff(path)).rejects.toMatchObject({ code: 'not_found', message: expect.stringContaining(path) });
    }
  });
});

describe('what it is compared with', () => {
  test('the session’s base is left for the last common commit, then for HEAD, when it is gone', async () => {
    const fork = await repo.git('rev-parse', 'HEAD');
    await repo.git('checkout', '-q', '-b', 'work');
    await repo.write('mine', 'a\n');
    const head = await repo.commit('mine');
    const gone = 'deadbeef'.repeat(5);
    expect(await diff('base', { baseCommit: gone, comparedWith: 'main' })).toMatchObject({ base: fork, files_total: 1, commits_total: 1 });
    expect(await diff('base', { baseCommit: gone, comparedWith: 'no-such' })).toMatchObject({ base: head, files_total: 0 });
  });

  describe('a session’s branch', () => {
    /** The branch `work`, made at the tip of `main`, with a commit of its own, while `main` has gone on. */
    async function aside() {
      await repo.write('shared', 'a\n');
      const baseCommit = await repo.commit('shared');
      await repo.git('checkout', '-q', '-b', 'work');
      await repo.write('mine', 'a\n');
      await repo.commit('mine');
      await repo.git('checkout', '-q', 'main');
      await repo.write('shared', 'b\n');
      const newer = await repo.commit('theirs');
      await repo.git('checkout', '-q', 'work');
      return { newer, facts: { baseCommit, comparedWith: 'main' } };
    }
    const since = async (facts: Partial<DiffTree>) => {
      const { base, files, commits } = await diff('base', facts);
      return { base, paths: files.map(({ path }) => path), subjects: commits.map(({ subject }) => subject) };
    };

    test('is compared with where it began, though the branch it came from has gone on', async () => {
      const { facts } = await aside();
      expect(await since(facts)).toEqual({ base: facts.baseCommit, paths: ['mine'], subjects: ['mine'] });
    });

    test('that was rebased onto newer commits does not show them as its own', async () => {
      const { facts, newer } = await aside();
      await repo.git('rebase', '-q', 'main');
      expect(await since(facts)).toEqual({ base: newer, paths: ['mine'], subjects: ['mine'] });
      await expect(fileDiff('shared', { against: 'base', ...facts })).rejects.toMatchObject({ code: 'not_found' });
      await repo.git('branch', '-q', '-D', 'main');
      expect((await since(facts)).base).toBe(facts.baseCommit);
    });

    test('that merged newer commits does not show them as its own', async () => {
      const { facts, newer } = await aside();
      await repo.git('merge', '-q', '-m', 'take in main', 'main');
      expect(await since(facts)).toEqual({ base: newer, paths: ['mine'], subjects: ['take in main', 'mine'] });
    });

    test('that was merged shows all that it did, also once it is taken in again by a fast-forward', async () => {
      const { facts } = await aside();
      await repo.git('checkout', '-q', 'main');
      await repo.git('merge', '-q', '-m', 'merged', 'work');
      await repo.git('checkout', '-q', 'work');
      expect(await since(facts)).toEqual({ base: facts.baseCommit, paths: ['mine'], subjects: ['mine'] });
      await repo.git('merge', '-q', '--ff-only', 'main');
      expect(await since(facts)).toMatchObject({ base: facts.baseCommit, paths: ['mine', 'shared'] });
    });

    test('that was made of another history is compared with where it began', async () => {
      const { facts } = await aside();
      await repo.git('branch', '-q', '-f', 'main', `${facts.baseCommit}~1`);
      expect((await since(facts)).base).toBe(facts.baseCommit);
      await repo.git('branch', '-q', '-f', 'main', await repo.git('commit-tree', '-m', 'alone', 'HEAD^{tree}'));
      expect((await since(facts)).base).toBe(facts.baseCommit);
    });

    test('that was pushed shows what was pushed too, when it came from no branch', async () => {
      const { facts } = await aside();
      await repo.git('update-ref', 'refs/remotes/origin/work', 'work');
      await repo.git('config', 'remote.origin.url', repo.path);
      await repo.git('config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
      await repo.git('branch', '-q', '--set-upstream-to=origin/work');
      await repo.write('later', 'a\n');
      await repo.commit('later');
      const all = { base: facts.baseCommit, paths: ['later', 'mine'], subjects: ['later', 'mine'] };
      for (const comparedWith of [undefined, 'gone']) {
        expect(await since({ ...facts, comparedWith })).toEqual(all);
        expect(await diff('base', { ...facts, comparedWith })).toMatchObject({ compared_with: 'origin/work', ahead: 1 });
      }
    });
  });

  test('ahead and behind count from the base branch where it is, else from the upstream', async () => {
    await repo.git('checkout', '-q', '-b', 'work');
    await repo.commit('mine 1');
    await repo.commit('mine 2');
    await repo.git('checkout', '-q', 'main');
    await repo.commit('theirs');
    await repo.git('update-ref', 'refs/remotes/origin/main', 'main');
    await repo.git('config', 'remote.origin.url', repo.path);
    await repo.git('config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
    await repo.git('checkout', '-q', 'work');
    expect(await diff('head', { comparedWith: 'main' })).toMatchObject({ compared_with: 'main', ahead: 2, behind: 1 });
    expect(await diff('head', { comparedWith: 'origin/main' })).toMatchObject({ compared_with: 'origin/main', ahead: 2, behind: 1 });
    expect(await diff('head', { comparedWith: 'gone' })).not.toHaveProperty('compared_with');
    await repo.git('branch', '-q', '--set-upstream-to=origin/main');
    expect(await diff('head', { comparedWith: 'gone' })).toMatchObject({ compared_with: 'origin/main', ahead: 2, behind: 1 });
    expect(await diff('head', { comparedWith: 'work' })).toMatchObject({ compared_with: 'origin/main' });
  });

  test('a detached HEAD has no branch and is compared all the same', async () => {
    await repo.git('checkout', '-q', '--detach');
    await repo.commit('loose');
    const found = await diff('head', { comparedWith: 'main' });
    expect(found).toMatchObject({ compared_with: 'main', ahead: 1, behind: 0 });
    expect(found).not.toHaveProperty('branch');
  });
});

test('comparing leaves index, objects and temporary directory as they were, though the index is stale', async () => {
  await repo.write('file', 'a\n');
  await repo.write('touched', 'a\n');
  await repo.commit('base');
  await writeFile(at('touched'), 'a\n');
  await repo.write('new', 'b\n');
  const temporary = join(repo.root, 'tmp');
  await mkdir(temporary);
  vi.stubEnv('TMPDIR', temporary);
  const state = async () => ({
    index: createHash('sha1')
      .update(await readFile(at('.git/index')))
      .digest('hex'),
    objects: (await readdir(at('.git'), { recursive: true })).sort(),
    temporary: await readdir(temporary),
  });
  const before = await state();
  expect(brief((await diff()).files)).toEqual([['new', 'untracked', 1, 0]]);
  await fileDiff('new');
  expect(await state()).toEqual(before);
});

test('a change of the same size in the second in which the index was written is seen', async () => {
  for (let round = 0; round < 5; round++) {
    await repo.write('racy', `${round}a\n`);
    await repo.commit('base');
    await writeFile(at('racy'), `${round}b\n`);
    await repo.write('new', 'x\n');
    expect(brief((await diff()).files)).toContainEqual(['racy', 'modified', 1, 1]);
  }
});

describe('two commits', () => {
  test('show as a diff against the last commit does, also in a bare repository', async () => {
    await repo.write('kept', 'a\nb\nc\n');
    await repo.write('gone', 'x\n');
    const from = await repo.commit('from');
    await repo.git('mv', 'kept', 'moved');
    await unlink(at('gone'));
    await repo.write('binary', Buffer.from([0, 1]));
    await repo.write('large', Buffer.alloc(DIFF_BYTES_LIMIT + 1, 'z\n'));
    const to = await repo.commit('to');
    await using bare = await GitRepo.create({ bare: true, commits: 0 });
    await bare.git('fetch', '-q', repo.path, 'main:main');
    for (const cwd of [repo.path, bare.path]) {
      const found = DiffSchema.parse(await commitRangeDiff(repo.runner(), { cwd }, { from, to }));
      expect(found).toMatchObject({ against: 'head', root: cwd, base: from, head: to, files_total: 4, deletions: 1, commits: [] });
      expect(found.files).toEqual([
        { path: 'binary', status: 'added', new_mode: PLAIN, binary: true },
        { path: 'gone', status: 'deleted', old_mode: PLAIN, additions: 0, deletions: 1, binary: false },
        { path: 'large', status: 'added', new_mode: PLAIN, binary: false },
        {
          ...{ path: 'moved', old_path: 'kept', status: 'renamed', old_mode: PLAIN, new_mode: PLAIN },
          ...{ additions: 0, deletions: 0, binary: false },
        },
      ]);
      const file = (path: string) => commitRangeFileDiff(repo.runner(), { cwd }, { from, to, path });
      expect(FileDiffSchema.parse(await file('gone'))).toMatchObject({ old_bytes: 2, hunks: [{ lines: ['-x'] }] });
      expect(await file('large')).toMatchObject({ cut: 'too_large', new_bytes: DIFF_BYTES_LIMIT + 1, hunks: [] });
      await expect(file('kept')).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  test('one that is gone is an error for the user', async () => {
    await expect(commitRangeDiff(repo.runner(), { cwd: repo.path }, { from: 'deadbeef'.repeat(5), to: 'HEAD' })).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining(repo.path),
    });
  });
});

test('a pipe keeps nobody waiting: an untracked one is not shown, one in the place of a file is named', async () => {
  await repo.write('file', 'a\n');
  await repo.commit('base');
  await promisify(execFile)('mkfifo', [at('new')]);
  expect((await diff()).files).toEqual([]);
  await unlink(at('file'));
  await promisify(execFile)('mkfifo', [at('file')]);
  await expect(diff()).rejects.toMatchObject({ code: 'internal', message: expect.stringContaining('file: unsupported file type') });
});

test.skipIf(process.getuid?.() === 0)('an untracked file that cannot be read is listed, and hides no other', async () => {
  await repo.write('locked', 'x\n');
  await repo.write('open', 'x\n');
  await chmod(at('locked'), 0);
  expect(brief((await diff()).files)).toEqual([
    ['locked', 'untracked', undefined, undefined],
    ['open', 'untracked', 1, 0],
  ]);
  expect(await fileDiff('locked')).toMatchObject({ hunks: [] });
});
