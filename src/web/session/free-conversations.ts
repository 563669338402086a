import type { Conversation } from '../../protocol/index.js';

/** Those that are no session's, the newest first. */
export function freeConversations(conversations: readonly Conversation[]): readonly Conversation[] {
  return conversations.filter(({ owner }) => owner === undefined).sort((a, b) => b.updated_at.localeCompare(a.updated_at));
}
