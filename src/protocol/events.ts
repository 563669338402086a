import { z } from 'zod';
import { ResumeProgressSchema, TransitionSchema } from './agent.js';
import { SessionIdSchema, SessionSchema } from './session.js';

/** What `/api/events` sends as `data`, under an SSE `event` name equal to its `type`. The first is always a snapshot. */
export const SessionEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('snapshot'), sessions: z.array(SessionSchema) }),
  z.object({ type: z.literal('session'), session: SessionSchema }),
  z.object({ type: z.literal('removed'), id: SessionIdSchema }),
  /** An agent does something else. What the session is now comes as an event of its own. */
  z.object({ type: z.literal('transition'), id: SessionIdSchema, transition: TransitionSchema }),
  /** The resume of many has come further. */
  z.object({ type: z.literal('resumes'), progress: ResumeProgressSchema }),
]);
export type SessionEvent = z.infer<typeof SessionEventSchema>;
