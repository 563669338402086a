import { realpath } from 'node:fs/promises';
import { MaestroError, type ProjectSetup, type TrustedProject, type TrustRequest } from '../../protocol/index.js';
import type { Clock } from '../clock.js';
import type { Git } from '../git.js';
import type { TrustStore } from '../store/trust-store.js';
import { resolveBase } from '../worktree/base-commit.js';
import { openRepository, type Repository } from '../worktree/repository.js';
import { readProjectConfig } from '../worktree/setup/project-config.js';
import type { WorktreeRecord, WorktreeSetup } from '../worktree-record.js';
import { expandPath } from './working-directory.js';

interface ProjectSetupsParts {
  readonly git: Git;
  readonly trust: TrustStore;
  readonly home: string;
  readonly clock: Clock;
}

/** What a worktree is made with, beside its branch. */
export interface WorktreeExtras {
  /** Absent when nothing runs. */
  readonly setup?: WorktreeSetup;
  /** Which ignored files of the main worktree are copied, in gitignore syntax. */
  readonly copy: readonly string[];
  readonly ports: number;
}

/** As many as a repository gets that does not say. */
const DEFAULT_PORTS = 10;

/** What repositories want to be done for each worktree, and which of them the user trusts to have it run. */
export class ProjectSetups {
  readonly #parts: ProjectSetupsParts;

  constructor(parts: ProjectSetupsParts) {
    this.#parts = parts;
  }

  /** What would be done for a worktree made now from `base`. */
  async describe({ repo, base }: { readonly repo: string; readonly base?: string | undefined }): Promise<ProjectSetup> {
    const { git } = this.#parts;
    const repository = await this.#open(repo);
    const { commit } = await resolveBase(git, repository, base);
    return this.#read(repository, commit);
  }

  /** For a worktree that is planned. Rejects with `forbidden`, and the set-up in the details, when it would run and is not trusted. */
  async extrasFor(record: WorktreeRecord, { skip }: { readonly skip: boolean }): Promise<WorktreeExtras> {
    const repository = await openRepository(this.#parts.git, record.base_repo);
    const project = await this.#read(repository, record.base_commit).catch((error: unknown) => {
      if (skip && error instanceof MaestroError && error.code === 'invalid_request') return undefined;
      throw error;
    });
    if (project === undefined) return { copy: [], ports: DEFAULT_PORTS };
    const { setup, teardown, env, copy, ports, hash, trusted } = project;
    if (skip || hash === undefined) return { copy, ports };
    if (!trusted) throw notTrusted(project);
    return {
      setup: { ...(setup === undefined ? {} : { setup }), ...(teardown === undefined ? {} : { teardown }), env },
      copy,
      ports,
    };
  }

  list(): TrustedProject[] {
    return this.#parts.trust.list();
  }

  /** Trusts what was shown. Durable before it resolves. */
  async trust({ repo, hash }: TrustRequest): Promise<TrustedProject> {
    return this.#parts.trust.add(await keyOf(await this.#open(repo)), hash, this.#parts.clock.now());
  }

  /** False when it was not trusted. A repository that is gone can be named as the list has it. */
  async revoke(repo: string): Promise<boolean> {
    if (await this.#parts.trust.revoke(repo)) return true;
    return this.#parts.trust.revoke(await keyOf(await this.#open(repo)));
  }

  #open(repo: string): Promise<Repository> {
    return openRepository(this.#parts.git, expandPath(repo, { home: this.#parts.home, field: 'repo' }));
  }

  async #read(repository: Repository, commit: string): Promise<ProjectSetup> {
    const config = await readProjectConfig(this.#parts.git, repository, commit);
    const trusted = config.hash === undefined || this.#parts.trust.trusts(await keyOf(repository), config.hash);
    return { repo: repository.path, ...config, trusted };
  }
}

/** One repository is trusted under whatever path it is reached. */
function keyOf({ path }: Repository): Promise<string> {
  return realpath(path);
}

function notTrusted(setup: ProjectSetup): MaestroError {
  const text = `the repository ${setup.repo} wants to run its own set-up in new worktrees, and you have not trusted this content of its .maestro/config.toml; look at it and trust it with \`maestro trust\`, or skip the set-up`;
  return new MaestroError('forbidden', text, { details: { field: 'worktree.setup', setup } });
}
