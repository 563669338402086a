import { z } from 'zod';
import { SessionIdSchema, SessionSchema } from './session.js';

/** What `/api/events` sends as `data`, under an SSE `event` name equal to its `type`. The first is always a snapshot. */
export const SessionEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('snapshot'), sessions: z.array(SessionSchema) }),
  z.object({ type: z.literal('session'), session: SessionSchema }),
  z.object({ type: z.literal('removed'), id: SessionIdSchema }),
]);
export type SessionEvent = z.infer<typeof SessionEventSchema>;
