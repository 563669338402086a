import { expect, test } from 'vitest';
import { canBeSaved, holdsText, inventoryLines } from '../../src/cli/inventory-text.js';
import type { InventoryFile } from '../../src/protocol/index.js';
import { fakeInventory } from '../support/fake-worktrees.js';

const commit = { id: 'abcdef01'.repeat(5), subject: 'Try\x1b[2J it', author: 'Ada', at: '2026-01-02T03:04:05.000Z' };
const untracked = (path: string): InventoryFile => ({ path, kind: 'untracked', status: 'untracked' });

test('K2: an inventory names each thing that would be lost, and nothing in it reaches a terminal as a control', () => {
  const inventory = fakeInventory({
    files: [
      { path: 'src/a.ts', kind: 'modified', status: 'modified', bytes: 120 },
      { path: 'gone', kind: 'staged', status: 'deleted' },
      { path: 'x\x1b]0;t\x07\ny', kind: 'untracked', status: 'untracked', bytes: 12_300 },
    ],
    detached_commits: [commit],
    nested_repositories: ['vendor/\x07lib'],
    dirty_submodules: ['sub'],
    operation: 'cherry_pick',
  });
  expect(inventoryLines(inventory)).toEqual([
    '  modified    src/a.ts (120 B)',
    '  staged      gone (deleted)',
    '  untracked   x\\x1b]0;t\\x07\\ny (12 KB)',
    '  1 commit that no branch holds:',
    '    abcdef01  Try\\x1b[2J it',
    '  repositories of their own, which cannot be saved:',
    '    vendor/\\x07lib',
    '  submodules with changes or unpushed commits, which cannot be saved:',
    '    sub',
    '  a cherry-pick is under way',
  ]);
  expect(holdsText(inventory)).toBe('3 files, 1 commit, 1 repository, 1 submodule, a cherry-pick');
});

test('a long list is cut, and the count of the rest includes what the daemon left out', () => {
  const lines = inventoryLines(fakeInventory({ files: Array.from({ length: 200 }, (_, at) => untracked(`f${at}`)), files_total: 5000 }));
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toBe('  and 4980 more');
});

test('one that cannot be looked at says why and promises nothing', () => {
  const broken = fakeInventory({ broken: 'its .git is gone' });
  expect(inventoryLines(broken)).toEqual(['  its .git is gone']);
  expect([holdsText(broken), holdsText(undefined), holdsText(fakeInventory())]).toEqual(['not known', '-', 'nothing']);
});

test.each([
  [{}, true],
  [{ files: [untracked('a')] }, true],
  [{ detached_commits: [commit] }, true],
  [{ nested_repositories: ['a'] }, false],
  [{ dirty_submodules: ['a'] }, false],
  [{ broken: 'no link' }, false],
])('K2: with %j everything can be saved: %s', (given, saved) => {
  expect(canBeSaved(fakeInventory(given))).toBe(saved);
});
