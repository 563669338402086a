import type { Session } from '../protocol/index.js';
import { connectTo } from './connect.js';

/** What is only told beside something else may not keep the user waiting. */
const ANSWER_WITHIN_MS = 3000;

/** How many conversations a session could go on with that knows none of its own; 0 where nobody can say. */
export async function earlierConversations(stateDir: string, { id, agent_session }: Session): Promise<number> {
  if (agent_session !== undefined) return 0;
  try {
    const conversations = await connectTo(stateDir, ANSWER_WITHIN_MS).conversations(id);
    return conversations.filter(({ owner }) => owner === undefined).length;
  } catch {
    return 0;
  }
}
