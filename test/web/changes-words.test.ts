import { describe, expect, test } from 'vitest';
import { endText, formatBytes, lackText, matchesFilter, statusWords } from '../../src/web/changes/file-words.js';
import { distanceText, gitParts, tellingBranch } from '../../src/web/changes/git-words.js';
import { aDiff, aFile, aHunk } from './diff-sample.js';
import { aSession } from './sessions.js';

const WORKTREE = { path: '/w', base_repo: '/r', branch: 'fix', created_branch: true, base_commit: 'a'.repeat(40) };

describe('how a branch stands', () => {
  test('is how many commits it has and lacks', () => {
    expect(distanceText({ ahead: 2, behind: 0, compared_with: 'main' })).toBe('2 ahead of main');
    expect(distanceText({ ahead: 2, behind: 1, compared_with: 'origin/main' })).toBe('2 ahead, 1 behind origin/main');
    expect(distanceText({ behind: 3, compared_with: 'main' })).toBe('3 behind main');
    expect([{ ahead: 0, behind: 0, compared_with: 'main' }, { ahead: 2 }, {}].map(distanceText)).toEqual(['', '', '']);
  });

  test('is told for every repository, and for a worktree before it was looked at', () => {
    const git = { branch: 'fix', changed: 1200, revision: '1', ahead: 1, behind: 0, compared_with: 'main' };
    expect(gitParts(aSession('a', { git }))).toEqual({ branch: 'fix', rest: ['1,200 changed', '1 ahead of main'] });
    expect(gitParts(aSession('a', { git: { changed: 0, revision: '1' } }))).toEqual({ branch: 'detached', rest: ['no changes'] });
    expect(gitParts(aSession('a', { worktree: WORKTREE }))).toEqual({ branch: 'fix', rest: [] });
    expect(gitParts(aSession('a'))).toBeUndefined();
  });

  test('the branch is told in a row only where the name does not', () => {
    expect(tellingBranch(aSession('other', { worktree: WORKTREE }))).toBe('fix');
    expect(tellingBranch(aSession('fix', { worktree: WORKTREE }))).toBeUndefined();
    expect(tellingBranch(aSession('fix', { worktree: WORKTREE, git: { branch: 'moved', changed: 0, revision: '1' } }))).toBe('moved');
    expect(tellingBranch(aSession('other', { git: { branch: 'main', changed: 3, revision: '1' } }))).toBeUndefined();
  });
});

describe('a file without lines to compare', () => {
  test('says why', () => {
    expect(lackText(aDiff('a', [aHunk(['+x'])]))).toBeUndefined();
    expect(lackText(aDiff('a', [], { binary: true, old_bytes: 1200, new_bytes: 3 * 1024 ** 2 }))).toBe('Binary file: 1.2 KiB → 3 MiB.');
    expect(lackText(aDiff('a', [], { binary: true }))).toBe('Binary file.');
    expect(lackText(aDiff('a', [], { cut: 'too_large', new_bytes: 5 * 1024 ** 2 }))).toBe('Too large to compare: more than 4 MiB (5 MiB).');
    expect(lackText(aDiff('a', [], { status: 'renamed' }))).toContain('Renamed');
    expect(lackText(aDiff('a', []))).toBe('No line differs, only what git does not compare.');
    expect(lackText(aDiff('a', [], { old_mode: '100644', new_mode: '100644' }))).toBe('No line differs, only what git does not compare.');
    expect(lackText(aDiff('a', [], { status: 'untracked' }))).toBe('An empty file.');
  });

  test('tells which mode a file had and has, a renamed one too', () => {
    const modes = { old_mode: '100644', new_mode: '100755' };
    const text = 'No line differs: its mode changed from 100644 to 100755.';
    expect(lackText(aDiff('a', [], modes))).toBe(text);
    expect(lackText(aDiff('b', [], { ...modes, old_path: 'a', status: 'renamed' }))).toBe(text);
    expect(lackText(aDiff('a', [aHunk(['+x'])], modes))).toBeUndefined();
    expect(lackText(aDiff('a', [], { new_mode: '100755', status: 'untracked' }))).toBe('An empty file.');
  });

  test('or where it was cut off', () => {
    expect(endText(aDiff('a', [], { cut: 'too_many_lines' }))).toContain('50,000 lines');
    expect(endText(aDiff('a', []))).toBeUndefined();
  });

  test('has its bytes in a unit that fits', () => {
    expect([0, 1, 1023, 1024, 10_240, 1536 * 1024].map(formatBytes)).toEqual([
      '0 bytes',
      '1 byte',
      '1023 bytes',
      '1 KiB',
      '10 KiB',
      '1.5 MiB',
    ]);
  });
});

test('a filter asks for every word, in the path that a file has or had', () => {
  const file = aFile('src/web/Changes.tsx', { old_path: 'lib/diff.tsx' });
  expect(['', 'changes', 'web TSX', 'diff', ' src '].map((filter) => matchesFilter(file, filter))).toEqual(Array(5).fill(true));
  expect(['cli', 'web cli'].map((filter) => matchesFilter(file, filter))).toEqual([false, false]);
});

test('each status has a letter of its own', () => {
  const statuses = ['added', 'modified', 'deleted', 'renamed', 'copied', 'type_changed', 'conflicted', 'untracked'] as const;
  expect(new Set(statuses.map((status) => statusWords(status).letter)).size).toBe(statuses.length);
});
