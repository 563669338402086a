import { z } from 'zod';
import {
  DiffSchema,
  FileDiffSchema,
  RemovedWorktreeSchema,
  RemoveWorktreeQuerySchema,
  RestoredSalvageSchema,
  RestoreSalvageRequestSchema,
  ROUTES,
  SalvageDetailSchema,
  SalvageDiffQuerySchema,
  SalvageSchema,
  WorktreeEntrySchema,
} from '../../protocol/index.js';
import type { ApiParts } from './api-parts.js';
import { errorAnswers, IdParamsSchema, type Routes } from './routes.js';

const ONE = `${ROUTES.salvage}/:id`;

/** The routes that show and remove the worktrees that Maestro made, and what was saved of those that were removed by force. */
export function worktreeRoutes(routes: Routes, parts: ApiParts): void {
  const { worktrees } = parts;
  routes.get(ROUTES.worktrees, { schema: { response: { 200: z.array(WorktreeEntrySchema), ...errorAnswers() } } }, async () =>
    worktrees.list(),
  );
  routes.delete(
    `${ROUTES.worktrees}/:id`,
    {
      schema: {
        params: IdParamsSchema,
        querystring: RemoveWorktreeQuerySchema,
        response: { 200: RemovedWorktreeSchema, ...errorAnswers() },
      },
    },
    async (request) => worktrees.remove(request.params.id, request.query),
  );
  salvageRoutes(routes, parts);
}

function salvageRoutes(routes: Routes, { salvages, changes }: ApiParts): void {
  routes.get(ROUTES.salvage, { schema: { response: { 200: z.array(SalvageSchema), ...errorAnswers() } } }, async () => salvages.list());
  routes.get(ONE, { schema: { params: IdParamsSchema, response: { 200: SalvageDetailSchema, ...errorAnswers() } } }, async (request) =>
    salvages.show(request.params.id),
  );
  routes.delete(
    ONE,
    { schema: { params: IdParamsSchema, response: { 200: z.object({ dropped: z.literal(true) }), ...errorAnswers() } } },
    async (request) => {
      await salvages.drop(request.params.id);
      return { dropped: true as const };
    },
  );
  routes.post(
    `${ONE}/restore`,
    {
      schema: { params: IdParamsSchema, body: RestoreSalvageRequestSchema, response: { 200: RestoredSalvageSchema, ...errorAnswers() } },
    },
    async (request) => salvages.restore(request.params.id, request.body),
  );
  routes.get(
    `${ONE}/diff`,
    {
      schema: {
        params: IdParamsSchema,
        querystring: SalvageDiffQuerySchema,
        response: { 200: z.union([FileDiffSchema, DiffSchema]), ...errorAnswers() },
      },
    },
    async (request) => changes.salvageDiff(request.params.id, request.query),
  );
}
