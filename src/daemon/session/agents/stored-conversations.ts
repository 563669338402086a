import { type Conversation, MaestroError } from '../../../protocol/index.js';
import { conversationPlace } from '../../agents/adapters/conversation-store.js';
import type { SessionContext } from '../session-context.js';
import { labelOf } from '../session-view.js';

/**
 * The conversations that the session's agent keeps for its directory, the newest first, and which session each belongs to. Empty for a
 * program that Maestro knows no conversations of.
 */
export async function storedConversations(context: SessionContext, id: string): Promise<Conversation[]> {
  const { record } = context.registry.need(id);
  const agent = context.launches.agentOf(record);
  if (agent?.adapter.store === undefined) return [];
  const { command, cwd } = record;
  const place = conversationPlace({ command, cwd, env: context.environmentOf(record), home: context.home });
  const stored = await agent.adapter.store.list(place);
  const owners = ownersOf(context, agent.adapter.id);
  return stored.map((conversation) => {
    const owner = owners.get(conversation.agent_session);
    return { ...conversation, ...(owner === undefined ? {} : { owner }) };
  });
}

/** Throws `invalid_request` unless the session may go on with `conversation`. */
export async function requireOffered(context: SessionContext, id: string, conversation: string): Promise<void> {
  const { record } = context.registry.need(id);
  if (conversation === record.agent_session) return;
  const details = { field: 'agent_session', value: conversation };
  const agent = context.launches.agentOf(record);
  if (agent === undefined) {
    const text = `agent_session: ${labelOf(record)} runs no agent whose conversations Maestro knows; resume it without one`;
    throw new MaestroError('invalid_request', text, { details });
  }
  if (agent.adapter.store === undefined) return;
  const offered = await storedConversations(context, id);
  const chosen = offered.find(({ agent_session }) => agent_session === conversation);
  if (chosen?.owner !== undefined && chosen.owner !== id) {
    const owner = labelOf(context.registry.need(chosen.owner).record);
    const text = `agent_session: conversation ${conversation} is that of ${owner}; resume that session, or kill it first`;
    throw new MaestroError('invalid_request', text, { details: { ...details, owner: chosen.owner } });
  }
  if (chosen !== undefined) return;
  const { label } = agent.adapter;
  const text = `agent_session: ${label} has no conversation ${conversation} for ${record.cwd}; \`maestro conversations ${id.slice(0, 8)}\` lists those there are`;
  throw new MaestroError('invalid_request', text, { details });
}

function ownersOf({ registry, launches }: SessionContext, agent: string): Map<string, string> {
  const entries = registry.entries().filter(({ record }) => launches.agentOf(record)?.adapter.id === agent);
  return new Map(entries.flatMap(({ id, record }) => (record.agent_session === undefined ? [] : [[record.agent_session, id]])));
}
