import { z } from 'zod';
import {
  ProjectSetupQuerySchema,
  ProjectSetupSchema,
  RevokeTrustQuerySchema,
  ROUTES,
  TrustedProjectSchema,
  TrustRequestSchema,
} from '../../protocol/index.js';
import type { ApiParts } from './api-parts.js';
import { errorAnswers, type Routes } from './routes.js';

/** The routes that show what repositories want to run for their worktrees, and let the user trust it. */
export function projectSetupRoutes(routes: Routes, { projectSetups }: ApiParts): void {
  routes.get(
    ROUTES.projectSetup,
    { schema: { querystring: ProjectSetupQuerySchema, response: { 200: ProjectSetupSchema, ...errorAnswers() } } },
    async (request) => projectSetups.describe(request.query),
  );
  routes.get(ROUTES.trust, { schema: { response: { 200: z.array(TrustedProjectSchema), ...errorAnswers() } } }, async () =>
    projectSetups.list(),
  );
  routes.post(
    ROUTES.trust,
    { schema: { body: TrustRequestSchema, response: { 200: TrustedProjectSchema, ...errorAnswers() } } },
    async (request) => projectSetups.trust(request.body),
  );
  routes.delete(
    ROUTES.trust,
    { schema: { querystring: RevokeTrustQuerySchema, response: { 200: z.object({ revoked: z.boolean() }), ...errorAnswers() } } },
    async (request) => ({ revoked: await projectSetups.revoke(request.query.repo) }),
  );
}
