import type { FastifyBaseLogger, FastifyInstance, RawReplyDefaultExpression, RawRequestDefaultExpression, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ApiErrorSchema, ERROR_STATUS, SessionIdSchema } from '../../protocol/index.js';

/** A server whose routes are typed by their zod schemas. */
export type Routes = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

export const IdParamsSchema = z.object({ id: SessionIdSchema });

/** Every status of the error table, for the OpenAPI document. */
export function errorAnswers(): Record<number, typeof ApiErrorSchema> {
  return Object.fromEntries([...new Set(Object.values(ERROR_STATUS))].map((status) => [status, ApiErrorSchema]));
}
