import { randomUUID } from 'node:crypto';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../../src/daemon/clock.js';
import type { Git } from '../../../src/daemon/git.js';
import { makeWorktree } from '../../../src/daemon/worktree/make-worktree.js';
import { planWorktree } from '../../../src/daemon/worktree/plan-worktree.js';
import { RepositoryQueue } from '../../../src/daemon/worktree/repository-queue.js';
import { undoMake } from '../../../src/daemon/worktree/undo-make.js';
import type { WorktreeRecord } from '../../../src/daemon/worktree-record.js';
import { GitRepo } from '../../support/git-repo.js';

export interface Wish {
  readonly base_repo?: string;
  readonly branch: string;
  readonly create_branch?: boolean;
  readonly base?: string;
}

/** Makes and unmakes worktrees of one repository as the daemon does. */
export class MakingBench implements AsyncDisposable {
  readonly repo: GitRepo;
  readonly git: Git;
  readonly queue = new RepositoryQueue();

  constructor(repo: GitRepo) {
    this.repo = repo;
    this.git = repo.runner();
  }

  static async create(options?: Parameters<typeof GitRepo.create>[0]): Promise<MakingBench> {
    return new MakingBench(await GitRepo.create(options));
  }

  plan({ base_repo = this.repo.path, branch, create_branch = true, base }: Wish, id: string = randomUUID()): Promise<WorktreeRecord> {
    const parts = { git: this.git, clock: systemClock, directory: this.repo.worktreesDir };
    return planWorktree(parts, { id, request: { base_repo, branch, create_branch, ...(base === undefined ? {} : { base }) } });
  }

  async make(wish: Wish): Promise<WorktreeRecord> {
    return makeWorktree(this, await this.plan(wish));
  }

  undo(record: WorktreeRecord): Promise<'undone' | 'kept'> {
    return undoMake(this, record);
  }

  /** All that a failed make must leave as it was. */
  async traces(): Promise<Record<string, unknown>> {
    const { repo } = this;
    const gitDir = await repo.git('rev-parse', '--absolute-git-dir');
    return {
      worktrees: await repo.git('worktree', 'list', '--porcelain'),
      refs: await repo.git('for-each-ref'),
      config: await readFile(join(gitDir, 'config'), 'utf8'),
      admin: await readdir(join(gitDir, 'worktrees')).catch(() => 'none'),
      heads: await readdir(join(gitDir, 'refs', 'heads'), { recursive: true }),
      directories: await readdir(repo.worktreesDir, { recursive: true }).catch(() => 'none'),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.repo[Symbol.asyncDispose]();
  }
}

export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
