import { describe, expect, test } from 'vitest';
import { type DiffRow, DiffRows, type FileState, fileAt, isLarge, nextHunk } from '../../src/web/changes/diff-rows.js';
import { aDiff, aFile, aHunk } from './diff-sample.js';

const HUNK = aHunk([' a', '-b', '-c', '+B', ' d', '+e', '-f']);
const ready = (path: string, hunks = [HUNK]): FileState => ({ kind: 'ready', diff: aDiff(path, hunks) });

function shape(row: DiffRow): string {
  if (row.kind === 'line') return `${row.line.sign}${row.line.text}`;
  if (row.kind === 'pair') return `${row.left?.text ?? ''}|${row.right?.text ?? ''}`;
  return row.kind;
}

describe('the rows of files under each other', () => {
  test('are one line each, in their order, or old ones beside the new ones that replace them', () => {
    const rows = new DiffRows();
    const shapes = (mode: 'unified' | 'split') => rows.layOut([aFile('x')], mode, () => ready('x')).rows.map(shape);
    expect(shapes('unified')).toEqual(['file', 'hunk', ' a', '-b', '-c', '+B', ' d', '+e', '-f']);
    expect(shapes('split')).toEqual(['file', 'hunk', 'a|a', 'b|B', 'c|', 'd|d', '|e', 'f|']);
  });

  test('have a key of their own, each', () => {
    const files = ['a', 'b'].map((path) => aFile(path));
    for (const mode of ['unified', 'split'] as const) {
      const { rows } = new DiffRows().layOut(files, mode, ({ path }) => ready(path, [HUNK, aHunk([' z', '+y'], { old: 90 })]));
      expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
    }
  });

  test('stay the same objects while nothing of their file changes', () => {
    const rows = new DiffRows();
    const state = ready('x');
    const first = rows.layOut([aFile('x')], 'unified', () => state);
    const second = rows.layOut([aFile('x'), aFile('y')], 'unified', ({ path }) => (path === 'x' ? state : { kind: 'pending' }));
    expect(second.rows.slice(1, 8)).toEqual(first.rows.slice(1, 8));
    expect(second.rows[3]).toBe(first.rows[3]);
  });

  test('are few for a file that is folded, large, waited for or refused', () => {
    const states: FileState[] = [
      { kind: 'closed' },
      { kind: 'large', lines: 2001 },
      { kind: 'pending' },
      { kind: 'failed', text: 'gone' },
      ready('e', []),
    ];
    const files = states.map((_, n) => aFile(`f${n}`, { additions: 30, deletions: 2 }));
    const { rows, heads } = new DiffRows().layOut(files, 'split', ({ path }) => states[Number(path.slice(1))] ?? { kind: 'closed' });
    expect(rows.map(shape)).toEqual(['file', 'file', 'large', 'file', 'pending', 'file', 'failed', 'file', 'text']);
    expect(heads).toEqual([0, 1, 3, 5, 7]);
    expect(rows[4]).toMatchObject({ kind: 'pending', lines: 40 });
    expect(rows[0]).toMatchObject({ isOpen: false });
  });

  test('a file waits to be asked for above 2,000 changed lines', () => {
    expect(isLarge(aFile('x', { additions: 1500, deletions: 500 }))).toBe(false);
    expect(isLarge(aFile('x', { additions: 1500, deletions: 501 }))).toBe(true);
    expect(isLarge({ path: 'x', status: 'modified', binary: true })).toBe(false);
  });
});

describe('a place among the rows', () => {
  const files = ['a', 'b', 'c'].map((path) => aFile(path));
  const layout = new DiffRows().layOut(files, 'unified', ({ path }) => (path === 'b' ? { kind: 'closed' } : ready(path)));

  test('belongs to the file whose head is above it', () => {
    expect(layout.heads).toEqual([0, 9, 10]);
    expect([0, 8, 9, 10, 18].map((row) => fileAt(layout, row))).toEqual([0, 0, 1, 2, 2]);
    expect(fileAt({ files: [], rows: [], heads: [] }, 0)).toBe(0);
  });

  test('has a hunk before it and behind it, or none', () => {
    expect([0, 1, 11].map((row) => nextHunk(layout, row, 1))).toEqual([1, 11, undefined]);
    expect([1, 2, 18].map((row) => nextHunk(layout, row, -1))).toEqual([undefined, 1, 11]);
  });
});
