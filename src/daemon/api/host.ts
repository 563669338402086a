import { z } from 'zod';
import { HealthSchema, HostPresetSchema, HostSchema, ROUTES } from '../../protocol/index.js';
import type { ApiParts } from './api-parts.js';
import { errorAnswers, type Routes } from './routes.js';

/** The routes that speak of the host and the daemon itself. */
export function hostRoutes(routes: Routes, parts: ApiParts, options: { mayShutDown: boolean }): void {
  routes.get(ROUTES.health, { schema: { response: { 200: HealthSchema, ...errorAnswers() } } }, async () => ({ ok: true as const }));
  routes.get(ROUTES.host, { schema: { response: { 200: HostSchema, ...errorAnswers() } } }, async () => parts.host());
  routes.get(ROUTES.presets, { schema: { response: { 200: z.array(HostPresetSchema), ...errorAnswers() } } }, async () => parts.presets());
  if (!options.mayShutDown) return;
  routes.post(
    ROUTES.shutdown,
    { schema: { response: { 202: z.object({ stopping: z.literal(true) }), ...errorAnswers() } } },
    async (_request, reply) => {
      reply.raw.once('finish', () => parts.shutdown());
      return reply.code(202).send({ stopping: true });
    },
  );
}
