import type { z } from 'zod';
import {
  type BranchList,
  type Diff,
  type DiffAgainst,
  type FileDiff,
  type PathCompletions,
  type Project,
  type ProjectSetup,
  type RemovedWorktree,
  type RestoredSalvage,
  type RestoreSalvageRequest,
  ROUTES,
  type Salvage,
  type SalvageDetail,
  salvagePath,
  sessionPath,
  type TrustedProject,
  type TrustRequest,
  type WorktreeEntry,
  worktreePath,
} from '../protocol/index.js';
import {
  BranchListAnswer,
  DiffAnswer,
  FileDiffAnswer,
  PathCompletionsAnswer,
  ProjectSetupAnswer,
  ProjectsAnswer,
  RemovedWorktreeAnswer,
  RestoredSalvageAnswer,
  RevokedTrustAnswer,
  SalvageDetailAnswer,
  SalvagesAnswer,
  TrustedProjectAnswer,
  TrustedProjectsAnswer,
  WorktreesAnswer,
} from './answers.js';
import { type ApiCalls, type CallOptions, queryOf } from './api-calls.js';

export interface ProjectSetupOptions extends CallOptions {
  /** Any directory of the repository. */
  readonly repo: string;
  /** What the worktree begins at; HEAD unless given. */
  readonly base?: string | undefined;
}

export interface RemoveWorktreeOptions extends CallOptions {
  /** Also one that holds unsaved work, which is saved first. */
  readonly force?: boolean | undefined;
}

export interface DiffOptions extends CallOptions {
  /** Where the session began, or the last commit. Default: `base` for a session with a worktree of its own, else `head`. */
  readonly against?: DiffAgainst | undefined;
}

export interface FileDiffOptions extends CallOptions {
  /** Relative to the top of the worktree. */
  readonly path: string;
  /** Unchanged lines around each change. Default 3. */
  readonly context?: number | undefined;
}

/** What a daemon does with repositories: projects and whether they are trusted, worktrees, salvages and diffs. */
export class RepositoryClient {
  readonly #calls: ApiCalls;

  constructor(calls: ApiCalls) {
    this.#calls = calls;
  }

  projects(options?: CallOptions): Promise<Project[]> {
    return this.#calls.json(ProjectsAnswer, 'GET', ROUTES.projects, { ...options });
  }

  /** The directories that complete `prefix`, which is absolute or begins with `~/`. */
  paths(prefix: string, options?: CallOptions): Promise<PathCompletions> {
    return this.#calls.json(PathCompletionsAnswer, 'GET', ROUTES.paths, { ...options, query: { prefix } });
  }

  /** Of the repository that the directory `repo` is in, those with the newest commits first. */
  branches(repo: string, options?: CallOptions): Promise<BranchList> {
    return this.#calls.json(BranchListAnswer, 'GET', ROUTES.branches, { ...options, query: { repo } });
  }

  /** What a repository wants to run for a worktree that begins at `base`. */
  projectSetup({ repo, base, signal }: ProjectSetupOptions): Promise<ProjectSetup> {
    return this.#calls.json(ProjectSetupAnswer, 'GET', ROUTES.projectSetup, { query: queryOf({ repo, base }), signal });
  }

  trusted(options?: CallOptions): Promise<TrustedProject[]> {
    return this.#calls.json(TrustedProjectsAnswer, 'GET', ROUTES.trust, { ...options });
  }

  /** Lets a repository run what was shown, by its hash. */
  trust(body: TrustRequest, options?: CallOptions): Promise<TrustedProject> {
    return this.#calls.json(TrustedProjectAnswer, 'POST', ROUTES.trust, { ...options, body });
  }

  /** Resolves with whether it was trusted before. */
  async revokeTrust(repo: string, options?: CallOptions): Promise<boolean> {
    const { revoked } = await this.#calls.json(RevokedTrustAnswer, 'DELETE', ROUTES.trust, { ...options, query: { repo } });
    return revoked;
  }

  /** The worktrees that Maestro made, with all that they hold. */
  worktrees(options?: CallOptions): Promise<WorktreeEntry[]> {
    return this.#calls.json(WorktreesAnswer, 'GET', ROUTES.worktrees, { ...options });
  }

  /** Removes a worktree that holds nothing of its own; with `force` one that does, after a salvage. */
  removeWorktree(id: string, { force, signal }: RemoveWorktreeOptions = {}): Promise<RemovedWorktree> {
    return this.#calls.json(RemovedWorktreeAnswer, 'DELETE', worktreePath(id), { query: queryOf({ force: force || undefined }), signal });
  }

  salvages(options?: CallOptions): Promise<Salvage[]> {
    return this.#calls.json(SalvagesAnswer, 'GET', ROUTES.salvage, { ...options });
  }

  salvage(id: string, options?: CallOptions): Promise<SalvageDetail> {
    return this.#calls.json(SalvageDetailAnswer, 'GET', salvagePath(id), { ...options });
  }

  /** What was saved as a diff from where the branch stood: its files, or, with `path`, the hunks of one. */
  salvageDiff(id: string, options?: CallOptions): Promise<Diff>;
  salvageDiff(id: string, options: FileDiffOptions): Promise<FileDiff>;
  salvageDiff(id: string, { signal, ...query }: Partial<FileDiffOptions> = {}): Promise<Diff | FileDiff> {
    const answer: z.ZodType<Diff | FileDiff> = query.path === undefined ? DiffAnswer : FileDiffAnswer;
    return this.#calls.json(answer, 'GET', salvagePath(id, 'diff'), { query: queryOf(query), signal });
  }

  /** Makes a worktree of it again. The salvage stays. */
  restoreSalvage(id: string, { path, signal }: RestoreSalvageRequest & CallOptions = {}): Promise<RestoredSalvage> {
    const body = path === undefined ? {} : { path };
    return this.#calls.json(RestoredSalvageAnswer, 'POST', salvagePath(id, 'restore'), { body, signal });
  }

  /** Forgets what was saved. It cannot be brought back. */
  async dropSalvage(id: string, options?: CallOptions): Promise<void> {
    await this.#calls.bytes('DELETE', salvagePath(id), { ...options });
  }

  /** What changed in a session's directory, without the hunks. */
  diff(id: string, { signal, ...query }: DiffOptions = {}): Promise<Diff> {
    return this.#calls.json(DiffAnswer, 'GET', sessionPath(id, 'diff'), { query: queryOf(query), signal });
  }

  /** The hunks of one file. */
  fileDiff(id: string, { signal, ...query }: DiffOptions & FileDiffOptions): Promise<FileDiff> {
    return this.#calls.json(FileDiffAnswer, 'GET', sessionPath(id, 'diff'), { query: queryOf(query), signal });
  }
}
