import { z } from 'zod';
import { DiffQuerySchema, DiffSchema, FileDiffSchema } from '../../protocol/index.js';
import type { ApiParts } from './api-parts.js';
import { errorAnswers, IdParamsSchema, ONE_SESSION, type Routes } from './routes.js';

/** The route that tells what changed in a session's directory: the files, or with `path` one file's hunks. */
export function changeRoutes(routes: Routes, { changes }: ApiParts): void {
  routes.get(
    `${ONE_SESSION}/diff`,
    {
      schema: {
        params: IdParamsSchema,
        querystring: DiffQuerySchema,
        response: { 200: z.union([FileDiffSchema, DiffSchema]), ...errorAnswers() },
      },
    },
    async (request) => changes.diff(request.params.id, request.query),
  );
}
