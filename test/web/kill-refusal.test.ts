import { describe, expect, test } from 'vitest';
import { type Inventory, MaestroError, type WorktreeEntry } from '../../src/protocol/index.js';
import { killNote, killRefusal, refusalWords } from '../../src/web/pane/kill-refusal.js';
import { visibleText } from '../../src/web/parts/visible-text.js';
import { fileFacts, holdsText, unsalvageable } from '../../src/web/worktrees/inventory-words.js';
import { keptFor, removalOf, removalQuestion } from '../../src/web/worktrees/worktree-words.js';
import { inventory } from '../support/repository-answers.js';
import { aSession } from './sessions.js';

const file = { path: 'a', kind: 'modified', status: 'modified', bytes: 12 } as const;
const dirty = inventory({ files: [file] });
const named = aSession('0c9d41e2-7b1a-4c3d-9e5f-102030405060', { metadata: { name: 'refunds' } });

describe('a refused kill', () => {
  const refusal = (details: Record<string, unknown>) => killRefusal(new MaestroError('worktree_dirty', 'holds work', { details }));

  test('is read from the answer, and nothing else is taken for one', () => {
    expect(refusal({ inventory: dirty })).toEqual({ inventory: dirty, ended: false });
    expect(refusal({ inventory: dirty, ended: true })?.ended).toBe(true);
    expect([refusal({}), killRefusal(new MaestroError('internal', 'x', { details: { inventory: dirty } }))]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('says whether the program runs on', () => {
    const words = [
      refusalWords({ inventory: dirty, ended: false }, named),
      refusalWords({ inventory: dirty, ended: true }, named),
      refusalWords({ inventory: dirty, ended: false }, { ...named, status: 'dormant' }),
    ];
    expect(words.map(({ lead, keep }) => [lead.split('.')[0], keep])).toEqual([
      ['refunds is still running', 'Keep it running'],
      ['The program of refunds has ended; the session and its files are kept', 'Keep it'],
      ['refunds is kept', 'Keep it'],
    ]);
  });

  test('offers a salvage only where that can hold all of it', () => {
    const impossible: Partial<Inventory>[] = [{ nested_repositories: ['vendor'] }, { dirty_submodules: ['lib'] }, { broken: 'no .git' }];
    expect(refusalWords({ inventory: dirty, ended: false }, named).saves).toBe('this item');
    for (const part of impossible) {
      const words = refusalWords({ inventory: inventory({ files: [file], ...part }), ended: false }, named);
      expect([words.saves, words.obstacle !== undefined]).toEqual([undefined, true]);
    }
  });
});

test('after a kill the page says what was kept, and how to get back what was saved', () => {
  const { id } = named;
  expect(killNote({ removed: true, worktree: 'none' }, named)).toBeUndefined();
  expect(killNote({ removed: true, worktree: 'removed', branch_kept: 'fix\u202e' }, named)).toEqual({
    text: 'The branch fix[U+202E] is kept.',
  });
  const saved = killNote({ removed: true, worktree: 'removed', salvage_ref: `refs/maestro/salvage/${id}` }, named);
  expect(saved?.command).toBe(`maestro salvage restore ${id.slice(0, 8)}`);
});

test('what a worktree holds is told in a few words', () => {
  expect(holdsText(inventory())).toBe('nothing');
  expect(holdsText(inventory({ files: [file, file], operation: 'rebase', nested_repositories: ['v'] }))).toBe(
    '2 files, 1 repository, a rebase',
  );
  expect(unsalvageable(dirty)).toBeUndefined();
  expect([file, { ...file, kind: 'staged', status: 'renamed' } as const].map(fileFacts)).toEqual(['12 bytes', 'renamed, 12 bytes']);
});

describe('a worktree that was left', () => {
  const entry: WorktreeEntry = {
    ...{ id: named.id, path: '/w', base_repo: '/r', branch: 'fix', created_branch: true, base_commit: '0'.repeat(40) },
    ...{ created_at: named.created_at, state: 'left', removable: false, reason: 'holds work' },
  };

  test('is removed at once where nothing is lost, else after a salvage, and an owned one only with its session', () => {
    expect(removalOf({ ...entry, removable: true })).toBe('plain');
    expect(removalOf({ ...entry, inventory: dirty })).toBe('salvage');
    expect(removalOf({ ...entry, inventory: inventory({ nested_repositories: ['v'] }) })).toBeUndefined();
    expect(removalOf({ ...entry, state: 'owned', inventory: dirty })).toBeUndefined();
  });

  test('is asked about with what it holds', () => {
    expect(removalQuestion({ ...entry, inventory: dirty }, 'salvage')).toContain('It holds 1 file.');
    expect(removalQuestion({ ...entry, state: 'missing' }, 'plain')).toContain('Forget it?');
  });
});

test('a salvage says how long it is kept', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect([undefined, '2026-01-01T10:00:00Z', '2026-01-29T12:00:00Z'].map((at) => keptFor(at, now))).toEqual([
    'kept until it is dropped',
    'kept for a day at most',
    'kept for 29 days',
  ]);
});

test('text of a repository shows what would hide in it', () => {
  expect(visibleText('a\u001b[31mb\nc\u202egnp.exe\u007f\u009b\u200b')).toBe('a␛[31mb␊c[U+202E]gnp.exe␡[U+009B][U+200B]');
  expect(visibleText('👩\u200d💻 می\u200cخواهم')).toBe('👩\u200d💻 می\u200cخواهم');
});
