import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { branchSlug, nextBranch } from '../../src/web/create/branch-slug.js';

test('a branch is called like the session, in what git and people can read', () => {
  const names = ['Fix login!', 'feature/New Thing', 'Ünïcode Straße', "don't  stop", 'v1.2..3', '日本 語', 'a.lock', '--force', '~^:?*[\\'];
  expect(names.map(branchSlug)).toEqual([
    'fix-login',
    'feature/new-thing',
    'ünïcode-straße',
    'dont-stop',
    'v1.2.3',
    '日本-語',
    'a',
    'force',
    '',
  ]);
});

test('no name makes a branch that git refuses', () => {
  const slugs = fc
    .sample(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...'a./-@{}~^:\\ .lock\u0301é\n') })), 300)
    .map(branchSlug)
    .filter((slug) => slug !== '');
  for (const slug of new Set(slugs)) {
    expect({ slug, status: spawnSync('git', ['check-ref-format', '--branch', slug]).status }).toEqual({ slug, status: 0 });
  }
});

test('a taken branch has one beside it', () => {
  expect(['fix', 'fix-2', 'fix-9', 'v-10', 'fix-0'].map(nextBranch)).toEqual(['fix-2', 'fix-3', 'fix-10', 'v-11', 'fix-0-2']);
});
