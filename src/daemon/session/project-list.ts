import type { PathCompletions, Project } from '../../protocol/index.js';
import type { Projects } from '../projects/projects.js';
import type { SessionContext } from './session-context.js';

/** The projects of this host, with the sessions in each. */
export class ProjectList {
  readonly #context: SessionContext;
  readonly #projects: Projects;

  constructor(context: SessionContext, projects: Projects) {
    this.#context = context;
    this.#projects = projects;
  }

  list(): Promise<Project[]> {
    const sessions = this.#context.registry.list().map(({ id, cwd, created_at, worktree }) => ({
      id,
      cwd,
      created_at,
      ...(worktree === undefined ? {} : { base_repo: worktree.base_repo }),
    }));
    return this.#projects.list({ sessions });
  }

  complete(prefix: string): Promise<PathCompletions> {
    return this.#projects.complete(prefix);
  }
}
