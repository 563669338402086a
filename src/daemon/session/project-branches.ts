import type { BranchList } from '../../protocol/index.js';
import type { Git } from '../git.js';
import { listBranches } from '../worktree/branch-list.js';
import { openRepository } from '../worktree/repository.js';
import { expandPath } from './working-directory.js';

interface ProjectBranchesParts {
  readonly git: Git;
  readonly home: string;
}

/** What a worktree could begin at, or be made of. */
export class ProjectBranches {
  readonly #parts: ProjectBranchesParts;

  constructor(parts: ProjectBranchesParts) {
    this.#parts = parts;
  }

  /** Of the repository that the directory `repo` is in. Rejects with `invalid_request` when there is none. */
  async list({ repo }: { readonly repo: string }): Promise<BranchList> {
    const { git, home } = this.#parts;
    return listBranches(git, await openRepository(git, expandPath(repo, { home, field: 'worktree.base_repo' })));
  }
}
