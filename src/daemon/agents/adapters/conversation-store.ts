import { assignedVariables, readSimpleCommand } from './shell-command.js';

/** Where an agent works, which decides where it keeps its conversations. */
export interface ConversationPlace {
  readonly cwd: string;
  /** The session's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home directory, where the environment names none. */
  readonly home: string;
}

/** That of a session, whose command may set variables of its own. */
export function conversationPlace({ command, ...place }: ConversationPlace & { readonly command: string }): ConversationPlace {
  const simple = readSimpleCommand(command);
  return simple === undefined ? place : { ...place, env: { ...place.env, ...assignedVariables(simple) } };
}

/** A conversation as its agent has stored it. */
export interface StoredConversation {
  readonly agent_session: string;
  /** RFC 3339, UTC. */
  readonly updated_at: string;
  readonly first_prompt?: string;
}

/** How many conversations are listed. */
export const MOST_CONVERSATIONS = 50;

/** An agent's own store of conversations, only ever read. What cannot be read there counts as not there. */
export interface ConversationStore {
  /** True when the conversation has begun, so that it can be resumed; also when nobody can tell. */
  exists(id: string, place: ConversationPlace): Promise<boolean>;
  /** True when one that has not begun cannot be started with under this id all the same. Left out where that does not happen. */
  isSpoilt?(id: string, place: ConversationPlace): Promise<boolean>;
  /** Those of the place's directory, the newest first, without those of sub-agents. */
  list(place: ConversationPlace): Promise<StoredConversation[]>;
}
