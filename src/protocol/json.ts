import { z } from 'zod';

type Json = z.infer<ReturnType<typeof z.json>>;

/** As `z.json()`, but named: it refers to itself, and in the OpenAPI document that has to lead somewhere. */
export const JsonSchema: z.ZodType<Json, Json> = z
  .lazy(() => z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(JsonSchema), z.record(z.string(), JsonSchema)]))
  .meta({ id: 'Json' });
