import type { Salvage } from '../protocol/index.js';
import { findOne, type Naming } from './find-one.js';
import { printable } from './printable.js';
import { countText } from './size-text.js';

const NAMING: Naming<Salvage> = {
  kind: 'salvage',
  listedBy: 'maestro salvage ls',
  nameOf: ({ name }) => name,
  describe: (salvage) => `${salvageName(salvage)}  ${printable(salvage.created_at)}  ${printable(salvage.base_repo)}`,
};

/** The one salvage that `target` names: by the id or the whole name of its session, else by the beginning of that id. */
export function findSalvage(salvages: readonly Salvage[], target: string): Salvage {
  return findOne(salvages, target, NAMING);
}

/** What to call a salvage: the name of its session, else its branch, else its short id. Safe for a terminal. */
export function salvageName({ name, branch, id }: Salvage): string {
  return printable(name ?? branch ?? id.slice(0, 8));
}

/** How to get back what was saved of the session or worktree with this id. */
export function restoreHint(id: string): string {
  return `maestro salvage restore ${id.slice(0, 8)} brings it back`;
}

/** Its name, its short id and how much it holds. Safe for a terminal. */
export function salvageText(salvage: Salvage): string {
  return `${salvageName(salvage)} (${salvage.id.slice(0, 8)}, ${countText(salvage.files_total, 'file')})`;
}
