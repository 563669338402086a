import type { Page, Request, Route } from 'playwright-core';
import {
  type BranchList,
  ERROR_STATUS,
  type ErrorCode,
  type Inventory,
  type KillResult,
  type PathCompletions,
  type Project,
  type ProjectSetup,
  ROUTES,
  type Salvage,
  type Session,
  type WorktreeEntry,
} from '../../src/protocol/index.js';

/** An answer of the API that is not 2xx. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Record<string, unknown>;
}

type Answer<T> = T | { readonly refused: Refusal } | undefined;

/** What a page asked for, where this answers in the place of the daemon. */
export interface Asked {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly body: unknown;
}

/**
 * Answers what a page asks about repositories, for states of them that take long to come by or that a test wants to choose exactly. All
 * else goes to the daemon, as do a create and a kill that nothing is set for.
 */
export class RepositoryAnswers {
  projects: readonly Project[] = [];
  /** All the directories there are; those that complete the prefix are answered. */
  directories: PathCompletions['entries'] = [];
  branches: BranchList['branches'] = [];
  worktrees: readonly WorktreeEntry[] = [];
  salvages: readonly Salvage[] = [];
  setup: (repo: string) => Answer<ProjectSetup> = (repo) =>
    this.projects.some(({ path }) => path === repo) ? plainSetup(repo) : { refused: { code: 'invalid_request', message: 'no repository' } };
  create: (body: Record<string, unknown>) => Promise<Answer<Session>> = async () => undefined;
  kill: (query: URLSearchParams) => Promise<Answer<KillResult>> = async () => undefined;
  readonly asked: Asked[] = [];
  readonly #home: string;

  /** `home` is that of the daemon. */
  constructor(home: string) {
    this.#home = home;
  }

  async answer(page: Page): Promise<void> {
    const paths = [ROUTES.projects, ROUTES.paths, ROUTES.worktrees, ROUTES.salvage, ROUTES.sessions];
    await page.route(
      ({ pathname }) => paths.some((path) => pathname === path || pathname.startsWith(`${path}/`)),
      (route) => this.#answer(route),
    );
  }

  /** The bodies that were sent to create sessions. */
  get creates(): unknown[] {
    return this.asked.filter(({ method, path }) => method === 'POST' && path === ROUTES.sessions).map(({ body }) => body);
  }

  async #answer(route: Route): Promise<void> {
    const request = route.request();
    const url = new URL(request.url());
    const answer = await this.#answerTo(request, url);
    if (answer === undefined) return route.fallback();
    this.asked.push({ method: request.method(), path: url.pathname + url.search, body: request.postDataJSON() });
    await fulfill(route, answer);
  }

  async #answerTo(request: Request, { pathname, searchParams }: URL): Promise<Answer<unknown>> {
    const method = request.method();
    if (pathname === ROUTES.projects) return this.projects;
    if (pathname === ROUTES.branches) return { branches: this.branches, truncated: false } satisfies BranchList;
    if (pathname === ROUTES.projectSetup) return this.setup(searchParams.get('repo') ?? '');
    if (pathname === ROUTES.trust) return this.#trust(request.postDataJSON());
    if (pathname === ROUTES.paths) return this.#complete(searchParams.get('prefix') ?? '');
    if (pathname === ROUTES.worktrees) return this.worktrees;
    if (pathname === ROUTES.salvage) return this.salvages;
    if (pathname.startsWith(ROUTES.worktrees)) return this.#remove(pathname, searchParams);
    if (pathname.startsWith(ROUTES.salvage)) return this.#salvage(method, pathname);
    if (method === 'POST' && pathname === ROUTES.sessions) return this.create(request.postDataJSON());
    return method === 'DELETE' ? this.kill(searchParams) : undefined;
  }

  #trust({ repo, hash }: { repo: string; hash: string }): unknown {
    return { repo, hashes: [hash], at: new Date().toISOString() };
  }

  #complete(prefix: string): PathCompletions {
    const start = prefix.startsWith('~/') ? this.#home + prefix.slice(1) : prefix;
    const isDirect = ({ path }: { path: string }) => path.startsWith(start) && !path.slice(start.length).includes('/');
    return { entries: this.directories.filter(isDirect), truncated: false };
  }

  #remove(pathname: string, query: URLSearchParams): Answer<unknown> {
    const entry = this.worktrees.find(({ id }) => pathname.endsWith(id));
    if (entry === undefined) return { refused: { code: 'not_found', message: 'there is no such worktree' } };
    this.worktrees = this.worktrees.filter((one) => one !== entry);
    const force = query.get('force') === 'true';
    return { path: entry.path, branch_kept: entry.branch, ...(force ? { salvage_ref: `refs/maestro/salvage/${entry.id}` } : {}) };
  }

  #salvage(method: string, pathname: string): Answer<unknown> {
    const salvage = this.salvages.find(({ id }) => pathname.includes(id));
    if (salvage === undefined) return { refused: { code: 'not_found', message: 'there is no such salvage' } };
    if (method === 'POST') return { path: `${this.#home}/restored`, branch: salvage.branch ?? 'restored', created_branch: false };
    this.salvages = this.salvages.filter((one) => one !== salvage);
    return null;
  }
}

async function fulfill(route: Route, answer: unknown): Promise<void> {
  const refused = typeof answer === 'object' && answer !== null && 'refused' in answer ? (answer.refused as Refusal) : undefined;
  if (refused !== undefined) await route.fulfill({ status: ERROR_STATUS[refused.code], json: { error: refused } });
  else if (answer === null) await route.fulfill({ status: 204 });
  else await route.fulfill({ status: route.request().method() === 'POST' ? 201 : 200, json: answer });
}

export function project(path: string, more: Partial<Project> = {}): Project {
  const commit = { id: 'e41b07c'.padEnd(40, '0'), subject: 'Begin', author: 'Ada', at: new Date(Date.now() - 3 * 3_600_000).toISOString() };
  return { path, name: path.slice(path.lastIndexOf('/') + 1), bare: false, branch: 'main', commit, sessions: [], ...more };
}

/** A repository that wants nothing. */
export function plainSetup(repo: string): ProjectSetup {
  return { repo, trusted: true, env: {}, copy: [], ports: 0 };
}

export function inventory(more: Partial<Inventory> = {}): Inventory {
  return {
    clean: false,
    files: [],
    files_total: more.files?.length ?? 0,
    detached_commits: [],
    detached_commits_total: more.detached_commits?.length ?? 0,
    branch_commits: [],
    branch_commits_total: more.branch_commits?.length ?? 0,
    nested_repositories: [],
    dirty_submodules: [],
    ...more,
  };
}
