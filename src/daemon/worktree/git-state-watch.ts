import type { GitState } from '../../protocol/index.js';
import type { Git } from '../git.js';
import { type DiffTree, isDirectory } from './diff-tree.js';
import { ignoredDirectories, readGitState } from './git-state.js';
import { AdminWatch } from './git-state-admin.js';
import type { WatchBudget } from './git-state-budget.js';
import type { FilesWatch } from './git-state-directories.js';
import { watchFiles } from './git-state-files.js';

interface GitStateWatchParts {
  readonly git: Git;
  readonly tree: DiffTree;
  readonly budget: WatchBudget;
  readonly onChange: () => void;
  /** Its files, or even git's notes of it, are not watched any more. Told once. */
  readonly onDegraded: (error: unknown) => void;
}

/**
 * One worktree and what tells that it changed. Where its files cannot be watched, as it has too many directories or the system allows no
 * more, what git notes of it still is.
 */
export class GitStateWatch {
  readonly #parts: GitStateWatchParts;
  readonly #admin: AdminWatch | undefined;
  #files: FilesWatch | undefined;
  /** The branch or remote branch that is watched as well. */
  #compared: string | undefined;
  #degraded = false;
  #lost = false;
  #closed = false;

  constructor(parts: GitStateWatchParts) {
    this.#parts = parts;
    this.#compared = parts.tree.comparedWith;
    const { gitDir } = parts.tree.place;
    const { onChange } = parts;
    if (gitDir !== undefined) this.#admin = new AdminWatch({ gitDir, onChange, onError: (error) => this.#degrade(error) });
  }

  /** Its state. All that changes after this began is told of, so that no change falls between the two. */
  async read(): Promise<GitState> {
    const { git, tree } = this.#parts;
    try {
      if (this.#lost && (await isDirectory(tree.root))) this.#findAgain();
      await this.#follow();
      await this.#grow();
      const state = await readGitState(git, tree);
      await this.#compare(state.compared_with ?? tree.comparedWith);
      return state;
    } catch (error) {
      // Also where the directory is there: a removal may be under way, or another directory may have come in its place meanwhile.
      this.#lose();
      throw error;
    }
  }

  /** At once and for good. */
  close(): void {
    this.#closed = true;
    this.#dropFiles();
    this.#admin?.close();
  }

  /** What the branch had done before it was watched is seen by one more read. */
  async #compare(compared: string | undefined): Promise<void> {
    if (compared === this.#compared) return;
    this.#compared = compared;
    await this.#follow();
    this.#parts.onChange();
  }

  async #follow(): Promise<void> {
    try {
      await this.#admin?.follow(this.#compared);
    } catch (error) {
      this.#degrade(error);
    }
  }

  async #grow(): Promise<void> {
    if (this.#degraded || this.#lost || this.#closed) return;
    const { git, tree, budget, onChange } = this.#parts;
    try {
      this.#files ??= watchFiles({
        root: tree.root,
        budget,
        ignored: () => ignoredDirectories(git, tree.place),
        onChange,
        onError: (error) => this.#degrade(error),
      });
      await this.#files.grow();
    } catch (error) {
      if (await isDirectory(tree.root)) this.#degrade(error);
      else this.#lose();
    }
  }

  /** The kernel forgot its watches with the directory. If it comes back, they begin anew. */
  #lose(): void {
    this.#lost = true;
    this.#dropFiles();
  }

  #findAgain(): void {
    this.#lost = false;
    this.#admin?.reset();
  }

  #degrade(error: unknown): void {
    this.#dropFiles();
    if (this.#degraded || this.#closed) return;
    this.#degraded = true;
    this.#parts.onDegraded(error);
  }

  #dropFiles(): void {
    this.#files?.close();
    this.#files = undefined;
  }
}
