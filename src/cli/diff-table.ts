import type { Diff, DiffFile } from '../protocol/index.js';
import type { Output } from './output.js';
import { safe } from './printable.js';
import { countText } from './size-text.js';
import { type Cell, type Column, tableLines } from './table.js';

const COLUMNS: readonly Column[] = [{ title: 'CHANGE' }, { title: '+' }, { title: '-' }, { title: 'FILE', least: 12, leaveOut: 'start' }];

/** Which files changed and by how many lines. */
export function diffTable(files: readonly DiffFile[], output: Output): string[] {
  if (files.length === 0) return [];
  return tableLines(COLUMNS, files.map(fileRow), output);
}

function fileRow({ path, old_path, status, additions, deletions, binary }: DiffFile): Cell[] {
  const lines = (count: number | undefined) => (binary ? 'bin' : count === undefined ? '?' : String(count));
  return [
    { text: status.replace('_', ' ') },
    { text: lines(additions), style: 'green' },
    { text: lines(deletions), style: 'red' },
    { text: old_path === undefined || old_path === path ? path : `${old_path} => ${path}` },
  ];
}

/** Such as `3 files, 10 lines added, 2 removed`. */
export function totalsText({ files_total, additions, deletions }: Pick<Diff, 'files_total' | 'additions' | 'deletions'>): string {
  return `${countText(files_total, 'file')}, ${countText(additions, 'line')} added, ${deletions} removed`;
}

/** Where the branch stands, such as `fix-login: 2 commits ahead of main, 1 behind`. Safe for a terminal. */
export function branchText({ branch, compared_with, ahead = 0, behind = 0 }: Diff): string {
  const name = branch === undefined ? 'no branch' : safe`${branch}`;
  if (compared_with === undefined) return name;
  return safe`${name}: ${countText(ahead, 'commit')} ahead of ${compared_with}, ${behind} behind`;
}
