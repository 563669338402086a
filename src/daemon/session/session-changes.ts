import type { Diff, DiffQuery, FileDiff, SalvageDiffQuery } from '../../protocol/index.js';
import { commitRangeDiff, commitRangeFileDiff, diffOf, fileDiffOf } from '../worktree/diff.js';
import { type DiffTree, requireTreeAt } from '../worktree/diff-tree.js';
import type { WorktreeRecord } from '../worktree-record.js';
import type { SessionContext } from './session-context.js';

/** What changed in the directories of sessions. */
export class SessionChanges {
  readonly #context: SessionContext;

  constructor(context: SessionContext) {
    this.#context = context;
  }

  /** The files that changed; with a `path`, that one's hunks. Rejects with `invalid_request` where the session is in no git repository. */
  async diff(id: string, { against, path, context = 3 }: DiffQuery): Promise<Diff | FileDiff> {
    const { git } = this.#context;
    const tree = await this.#tree(id);
    const chosen = against ?? (tree.baseCommit === undefined ? 'head' : 'base');
    return path === undefined ? diffOf(git, tree, { against: chosen }) : fileDiffOf(git, tree, { against: chosen, path, context });
  }

  /** What a salvage holds beyond where its branch stood. */
  async salvageDiff(id: string, { path, context = 3 }: SalvageDiffQuery): Promise<Diff | FileDiff> {
    const { git, salvages } = this.#context;
    const { git_dir, commit } = salvages.need(id);
    const place = { cwd: git_dir, gitDir: git_dir };
    const range = { from: `${commit}^1`, to: commit };
    return path === undefined ? commitRangeDiff(git, place, range) : commitRangeFileDiff(git, place, { ...range, path, context });
  }

  async #tree(id: string): Promise<DiffTree> {
    const { registry, worktrees, git } = this.#context;
    const { record } = registry.need(id);
    const worktree = worktrees.find(id);
    return worktree === undefined ? requireTreeAt(git, record.cwd) : treeOf(worktree);
  }
}

/** A worktree of Maestro's: git is told where its parts are, and looks for no repository. */
export function treeOf({ path, admin_dir, base_commit, base }: WorktreeRecord): DiffTree {
  return {
    place: { cwd: path, workTree: path, ...(admin_dir === undefined ? {} : { gitDir: admin_dir }) },
    root: path,
    baseCommit: base_commit,
    ...(base === undefined ? {} : { comparedWith: base }),
  };
}
