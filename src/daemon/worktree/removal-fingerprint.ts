import type { FullInventory } from './inventory.js';

/** What two looks at a worktree have to agree in, for nothing to have come in between: files, index, HEAD, and all else in the inventory. */
export function fingerprint({ inventory, survey }: FullInventory): string {
  const { broken, detached_commits_total, dirty_submodules } = inventory;
  const files = survey?.files.map(({ path, kind, status, stats, unreadable }) => {
    const { ino, size, mode, mtimeNs, ctimeNs } = stats ?? {};
    return [path, kind, status, unreadable === true, `${ino} ${size} ${mode} ${mtimeNs} ${ctimeNs}`];
  });
  return JSON.stringify([broken, detached_commits_total, dirty_submodules, survey?.mark, survey?.operation, survey?.nested, files]);
}
