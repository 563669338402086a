import { z } from 'zod';
import {
  type BranchList,
  BranchListSchema,
  BranchQuerySchema,
  type PathCompletions,
  PathCompletionsSchema,
  PathQuerySchema,
  type Project,
  ProjectSchema,
  ROUTES,
} from '../../protocol/index.js';
import { errorAnswers, type Routes } from './routes.js';

/** What the routes of projects answer from. */
export interface ProjectParts {
  readonly projects: {
    /** Of all sessions that there are. */
    list(): Promise<Project[]>;
    complete(prefix: string): Promise<PathCompletions>;
  };
  readonly branches: { list(query: { readonly repo: string }): Promise<BranchList> };
}

/** The routes that offer places to work in. */
export function projectRoutes(routes: Routes, { projects, branches }: ProjectParts): void {
  routes.get(ROUTES.projects, { schema: { response: { 200: z.array(ProjectSchema), ...errorAnswers() } } }, async () => projects.list());
  routes.get(
    ROUTES.paths,
    { schema: { querystring: PathQuerySchema, response: { 200: PathCompletionsSchema, ...errorAnswers() } } },
    async (request) => projects.complete(request.query.prefix),
  );
  routes.get(
    ROUTES.branches,
    { schema: { querystring: BranchQuerySchema, response: { 200: BranchListSchema, ...errorAnswers() } } },
    async (request) => branches.list(request.query),
  );
}
