import { type Inventory, MaestroError } from '../../protocol/index.js';
import type { WorktreeRecord } from '../worktree-record.js';
import type { FullInventory } from './inventory.js';
import { type RawPath, shown } from './raw-path.js';
import type { Survey } from './survey.js';

/** The refusal to remove a worktree; `problem` reads on from its path, and ends with what to do. */
export function worktreeDirty(record: Pick<WorktreeRecord, 'id' | 'path'>, problem: string, inventory: Inventory): MaestroError {
  const { id, path } = record;
  return new MaestroError('worktree_dirty', `worktree ${path} ${problem}`, { details: { id, path, inventory } });
}

/** What is to be saved. Throws where a worktree holds what no commit can: nothing is saved then, so that nothing seems saved that is not. */
export function savableSurvey(record: WorktreeRecord, { inventory, survey }: FullInventory): Survey {
  const { broken, nested_repositories: nested, dirty_submodules: submodules } = inventory;
  const keep = 'or keep the worktree (keep_worktree)';
  const refuse = (problem: string): never => {
    throw worktreeDirty(record, problem, inventory);
  };
  if (survey === undefined) return refuse(`is broken: ${broken}; repair it (\`git worktree repair\`), ${keep}`);
  if (nested.length > 0) {
    refuse(
      `holds ${some('repository', 'repositories', nested)} of its own, which no salvage can hold: push the work in there or move it elsewhere, ${keep}`,
    );
  }
  if (submodules.length > 0) {
    refuse(`has work in ${some('submodule', 'submodules', submodules)}, which no salvage can hold: commit and push it there, ${keep}`);
  }
  const locked = survey.files.filter((file) => file.unreadable === true);
  if (locked.length > 0) refuse(unreadable(locked.map(({ path }) => path)));
  return survey;
}

/** Reads on from the path of the worktree. */
export function unreadable(paths: readonly RawPath[]): string {
  const names = paths.map((path) => shown(path) || '.');
  return `holds what cannot be read (${few(names)}), so it cannot be saved: check who owns it and its permissions, or keep the worktree (keep_worktree)`;
}

function some(one: string, several: string, names: readonly string[]): string {
  return `${names.length === 1 ? one : several} ${few(names)}`;
}

/** The first few names of a list, for a message. */
export function few(names: readonly string[]): string {
  const more = names.length - 3;
  return more > 0 ? `${names.slice(0, 3).join(', ')} and ${more} more` : names.join(', ');
}
