import type { FastifyBaseLogger, FastifyInstance, RawReplyDefaultExpression, RawRequestDefaultExpression, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ApiErrorSchema, ERROR_STATUS, ROUTES, SessionIdSchema, SessionSchema } from '../../protocol/index.js';

/** A server whose routes are typed by their zod schemas. */
export type Routes = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

export const IdParamsSchema = z.object({ id: SessionIdSchema });

/** The path of one session, which {@link IdParamsSchema} reads. */
export const ONE_SESSION = `${ROUTES.sessions}/:id`;

interface DocumentedAnswer<T extends z.ZodType> {
  readonly description: string;
  readonly content: Readonly<Record<string, { readonly schema: T }>>;
}

/** Every status of the error table with the codes that it stands for, for the OpenAPI document. */
export function errorAnswers(): Record<number, DocumentedAnswer<typeof ApiErrorSchema>> {
  const entries = Object.entries(ERROR_STATUS);
  const codesOf = (status: number) => entries.flatMap(([code, of]) => (of === status ? [code] : [])).join(', ');
  return Object.fromEntries(entries.map(([, status]) => [status, answer(codesOf(status), 'application/json', ApiErrorSchema)]));
}

/** An answer of any type, for the OpenAPI document. */
export function answer<T extends z.ZodType>(description: string, type: string, schema: T): DocumentedAnswer<T> {
  return { description, content: { [type]: { schema } } };
}

/** The schema of a route that acts on one session and answers how that is now. */
export const onSession = { params: IdParamsSchema, response: { 200: SessionSchema, ...errorAnswers() } };
