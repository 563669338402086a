import { basename, dirname } from 'node:path';
import type { PathCompletions, Project } from '../../protocol/index.js';
import type { Git } from '../git.js';
import { type HeadFile, readHeadFile } from './head-file.js';
import { LastCommits } from './last-commits.js';
import { completePath } from './path-completions.js';
import { ProjectScanner, type ScanParts } from './project-scanner.js';
import { type RepositoryLocation, repositoryAround, repositoryAt } from './repository-location.js';
import { Turns } from './turns.js';
import { within } from './within.js';

/** A session as far as projects are concerned. */
export interface ProjectSession {
  readonly id: string;
  readonly cwd: string;
  /** The repository that its worktree is of. */
  readonly base_repo?: string | undefined;
  readonly created_at: string;
}

export interface ProjectsParts extends ScanParts {
  readonly git: Git;
  /** What `~` stands for. */
  readonly home: string;
}

/** How long an answer waits for what changed on disk; with nothing known yet it waits longer. */
const SCAN_WAIT_MS = 250;
const FIRST_SCAN_WAIT_MS = 3000;
/** How long an answer waits for commits. Those that come later are in the next one. */
const COMMITS_WAIT_MS = 2000;
const LOOKS_AT_ONCE = 4;

/** One project of an answer that is being made. */
interface Found {
  readonly repository: RepositoryLocation;
  readonly sessions: ProjectSession[];
}

/** The repositories of the user: below the configured roots, and those that sessions are in. */
export class Projects {
  readonly #home: string;
  readonly #scanner: ProjectScanner;
  readonly #commits: LastCommits;
  readonly #looks = new Turns(LOOKS_AT_ONCE);
  /** Repositories of an earlier daemon, until all was read once. */
  #remembered: readonly RepositoryLocation[] = [];

  constructor({ git, home, ...scan }: ProjectsParts) {
    this.#home = home;
    this.#scanner = new ProjectScanner(scan);
    this.#commits = new LastCommits({ git, clock: scan.clock });
  }

  /** Answers with the repositories at `paths`, which {@link paths} told an earlier daemon, until the roots were looked through. */
  async load(paths: readonly string[]): Promise<void> {
    const found = await Promise.all(paths.map((path) => this.#looks.run(() => repositoryAt(path))));
    this.#remembered = found.flatMap((repository) => (repository?.as === 'main' ? repository : []));
  }

  /** Where the repositories below the roots are. */
  paths(): string[] {
    return this.#underRoots().map(({ path }) => path);
  }

  /** Most recently used first, then by the time of the last commit, then by name. */
  async list({ sessions }: { readonly sessions: readonly ProjectSession[] }): Promise<Project[]> {
    const refreshed = this.#scanner.refresh();
    await within(refreshed, this.#scanner.isComplete || this.#remembered.length > 0 ? SCAN_WAIT_MS : FIRST_SCAN_WAIT_MS);
    if (this.#scanner.isComplete) this.#remembered = [];
    const heads = await this.#headsOf(await this.#gather(sessions));
    const looks = [...heads].map(([{ repository }, head]) => this.#commits.look(repository, head));
    await within(Promise.all(looks), COMMITS_WAIT_MS);
    this.#commits.retain([...heads.keys()].map(({ repository }) => repository));
    return [...heads].map(([found, head]) => this.#project(found, head)).sort(byUse);
  }

  /** The directories that complete a path that is absolute or begins with `~/`. */
  complete(prefix: string): Promise<PathCompletions> {
    return completePath({ prefix, home: this.#home });
  }

  /** Ends the watches. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#scanner[Symbol.asyncDispose]();
  }

  #underRoots(): readonly RepositoryLocation[] {
    const known = new Map([...this.#remembered, ...this.#scanner.repositories()].map((repository) => [repository.gitDir, repository]));
    return [...known.values()];
  }

  async #gather(sessions: readonly ProjectSession[]): Promise<Found[]> {
    const found = new Map<string, Found>(this.#underRoots().map((repository) => [repository.gitDir, { repository, sessions: [] }]));
    const places = new Set(sessions.map(placeOf));
    const located = new Map<string, RepositoryLocation | undefined>();
    await Promise.all([...places].map(async (place) => located.set(place, await this.#looks.run(() => repositoryAround(place)))));
    for (const session of sessions) {
      const repository = located.get(placeOf(session));
      if (repository === undefined) continue;
      const known = found.get(repository.gitDir);
      if (known) known.sessions.push(session);
      else found.set(repository.gitDir, { repository, sessions: [session] });
    }
    return [...found.values()];
  }

  /** Of those that are still there. */
  async #headsOf(all: readonly Found[]): Promise<Map<Found, HeadFile>> {
    const heads = await Promise.all(all.map(({ repository }) => this.#looks.run(() => readHeadFile(repository.gitDir))));
    const there = new Map<Found, HeadFile>();
    for (const [index, found] of all.entries()) {
      const head = heads[index];
      if (head) there.set(found, head);
      else this.#scanner.recheck(found.repository.path);
    }
    return there;
  }

  #project({ repository, sessions }: Found, file: HeadFile): Project {
    const { path, bare } = repository;
    const known = this.#commits.known(repository);
    const branch = file.isOpaque ? known?.branch : file.branch;
    const newest = sessions.toSorted((a, b) => compare(b.created_at, a.created_at));
    return {
      path,
      name: nameOf(path),
      bare,
      ...(branch === undefined ? {} : { branch }),
      ...(known?.commit === undefined ? {} : { commit: known.commit }),
      sessions: newest.map(({ id }) => id),
      ...(newest[0] === undefined ? {} : { used_at: newest[0].created_at }),
    };
  }
}

function placeOf(session: ProjectSession): string {
  return session.base_repo ?? session.cwd;
}

/** `tools` for `tools`, `tools.git`, `tools/.git` and `tools/.bare`. */
function nameOf(path: string): string {
  const last = basename(path);
  const name = last === '.git' || last === '.bare' ? basename(dirname(path)) : last.replace(/(?<=.)\.git$/, '');
  return name === '' ? path : name;
}

function byUse(a: Project, b: Project): number {
  return (
    compare(b.used_at ?? '', a.used_at ?? '') ||
    compare(b.commit?.at ?? '', a.commit?.at ?? '') ||
    compare(a.name.toLowerCase(), b.name.toLowerCase()) ||
    compare(a.path, b.path)
  );
}

/** Times of the wire compare as text. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
