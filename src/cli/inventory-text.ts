import type { Commit, GitOperation, Inventory, InventoryFile } from '../protocol/index.js';
import { printable } from './printable.js';
import { bytesText, countText } from './size-text.js';

/** The most lines that a list takes in a message. */
const SHOWN = 20;

const OPERATION_WORDS: Readonly<Record<GitOperation, string>> = {
  merge: 'a merge',
  rebase: 'a rebase',
  cherry_pick: 'a cherry-pick',
  revert: 'a revert',
  bisect: 'a bisect',
  apply: 'an apply',
};

const KIND_WIDTH = 'conflicted'.length;

/** An unfinished git operation, as a sentence. */
export function operationText(operation: GitOperation): string {
  return `${OPERATION_WORDS[operation]} is under way`;
}

/** One line of a list of files. Safe for a terminal. */
export function inventoryFileText({ kind, path, status, bytes }: InventoryFile): string {
  const told = ['added', 'modified', 'untracked', 'conflicted'].includes(status) ? [] : [status.replace('_', ' ')];
  const more = [...told, ...(bytes === undefined ? [] : [bytesText(bytes)])].join(', ');
  return `${kind.padEnd(KIND_WIDTH)}  ${printable(path)}${more === '' ? '' : ` (${more})`}`;
}

/** One line of a list of commits. Safe for a terminal. */
export function commitText({ id, subject }: Commit): string {
  return `${id.slice(0, 8)}  ${printable(subject)}`;
}

/** What a worktree holds that exists nowhere else, as lines for people. Safe for a terminal. */
export function inventoryLines(inventory: Inventory): string[] {
  const { files, files_total, detached_commits, detached_commits_total, nested_repositories, dirty_submodules, operation, broken } =
    inventory;
  return [
    ...(broken === undefined ? [] : [`  ${printable(broken)}`]),
    ...listed(files.map(inventoryFileText), { total: files_total }),
    ...listed(detached_commits.map(commitText), {
      total: detached_commits_total,
      heading: `${countText(detached_commits_total, 'commit')} that no branch holds:`,
    }),
    ...listed(nested_repositories.map(printable), { heading: 'repositories of their own, which cannot be saved:' }),
    ...listed(dirty_submodules.map(printable), { heading: 'submodules with changes or unpushed commits, which cannot be saved:' }),
    ...(operation === undefined ? [] : [`  ${operationText(operation)}`]),
  ];
}

function listed(lines: readonly string[], { total = lines.length, heading }: { total?: number; heading?: string }): string[] {
  if (total === 0) return [];
  const shown = lines.slice(0, SHOWN).map((line) => (heading === undefined ? `  ${line}` : `    ${line}`));
  const more = total - shown.length;
  const rest = more > 0 ? [`${heading === undefined ? '' : '  '}  and ${more} more`] : [];
  return [...(heading === undefined ? [] : [`  ${heading}`]), ...shown, ...rest];
}

/** The same in a few words, for a table. */
export function holdsText(inventory: Inventory | undefined): string {
  if (inventory === undefined) return '-';
  if (inventory.broken !== undefined) return 'not known';
  const { files_total, detached_commits_total, nested_repositories, dirty_submodules, operation } = inventory;
  const counts = [
    [files_total, 'file', 'files'],
    [detached_commits_total, 'commit', 'commits'],
    [nested_repositories.length, 'repository', 'repositories'],
    [dirty_submodules.length, 'submodule', 'submodules'],
  ] as const;
  const words = counts.flatMap(([count, one, many]) => (count === 0 ? [] : [countText(count, one, many)]));
  if (operation !== undefined) words.push(OPERATION_WORDS[operation]);
  return words.length === 0 ? 'nothing' : words.join(', ');
}

/** Whether a salvage can hold all of it, so that a removal by force loses nothing. */
export function canBeSaved({ broken, nested_repositories, dirty_submodules }: Inventory): boolean {
  return broken === undefined && nested_repositories.length === 0 && dirty_submodules.length === 0;
}
