import { useQuery } from '@tanstack/react-query';
import type { Conversation, Session } from '../../protocol/index.js';
import { useConnection } from '../app/parts-context.js';
import { freeConversations } from '../session/free-conversations.js';

const NONE: readonly Conversation[] = [];

/** What the session's agent has stored that it could go on with, the newest first. None for a session that knows its conversation. */
export function useConversations({ id, agent_session, exit, updated_at }: Session): readonly Conversation[] {
  const { client } = useConnection();
  const stored = useQuery({
    queryKey: ['conversations', id, exit?.at ?? updated_at],
    queryFn: ({ signal }) => client.conversations(id, { signal }),
    select: freeConversations,
    enabled: agent_session === undefined,
    staleTime: 0,
  });
  return stored.data ?? NONE;
}
