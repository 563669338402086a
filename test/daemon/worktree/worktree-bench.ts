import { randomUUID } from 'node:crypto';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Git } from '../../../src/daemon/git.js';
import { takeInventory } from '../../../src/daemon/worktree/inventory.js';
import { type Removal, removeWorktree } from '../../../src/daemon/worktree/remove-worktree.js';
import { RepositoryQueue } from '../../../src/daemon/worktree/repository-queue.js';
import type { WorktreeRecord } from '../../../src/daemon/worktree-record.js';
import type { Inventory } from '../../../src/protocol/index.js';
import { GitRepo } from '../../support/git-repo.js';

interface BenchOptions {
  readonly bare?: boolean;
  /** Files of the first commit. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

/** A repository with one worktree that Maestro could have made, on the branch `work`. */
export class WorktreeBench implements AsyncDisposable {
  readonly repo: GitRepo;
  readonly git: Git;
  readonly record: WorktreeRecord;

  private constructor(repo: GitRepo, record: WorktreeRecord) {
    this.repo = repo;
    this.git = repo.runner();
    this.record = record;
  }

  static async create({ bare = false, files = {} }: BenchOptions = {}): Promise<WorktreeBench> {
    const repo = await GitRepo.create({ bare });
    for (const [path, content] of Object.entries(files)) await repo.write(path, content);
    if (Object.keys(files).length > 0) await repo.commit('files');
    return new WorktreeBench(repo, await addWorktree(repo, 'work'));
  }

  get path(): string {
    return this.record.path;
  }

  /** git in the worktree, as its user runs it. */
  run(...args: string[]): Promise<string> {
    return this.repo.gitAt(this.path, ...args);
  }

  async write(path: string, content: string | Uint8Array): Promise<string> {
    const file = join(this.path, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
    return file;
  }

  async commit(message: string): Promise<string> {
    await this.run('add', '--all');
    await this.run('commit', '--quiet', '--allow-empty', '-m', message);
    return this.run('rev-parse', 'HEAD');
  }

  inventory(): Promise<Inventory> {
    return takeInventory(this.git, this.record);
  }

  remove({
    salvage = false,
    record = this.record,
  }: {
    readonly salvage?: boolean;
    readonly record?: WorktreeRecord;
  } = {}): Promise<Removal> {
    const parts = { git: this.git, queue: new RepositoryQueue(), directory: this.repo.worktreesDir };
    return removeWorktree(parts, record, { salvage, now: Date.UTC(2026, 0, 2), name: 'a session' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.repo[Symbol.asyncDispose]();
  }
}

/** Another worktree of the repository, with a branch of its own unless one is named that exists. */
export async function addWorktree(repo: GitRepo, branch: string, { base = 'HEAD', create = true } = {}): Promise<WorktreeRecord> {
  const path = join(repo.worktreesDir, 'repo', branch.replaceAll('/', '-'));
  await repo.git('worktree', 'add', '--quiet', ...(create ? ['-b', branch, path, base] : [path, branch]));
  const git_dir = await realpath(await repo.git('rev-parse', '--absolute-git-dir'));
  const admin_dir = await realpath(await repo.gitAt(path, 'rev-parse', '--absolute-git-dir'));
  const base_commit = await repo.gitAt(path, 'rev-parse', 'HEAD');
  const created = { created_branch: create, created_at: '2026-01-01T00:00:00.000Z', state: 'made' as const };
  return { version: 1, id: randomUUID(), path, base_repo: repo.path, git_dir, admin_dir, branch, base_commit, ...created };
}
