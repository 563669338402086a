import type { Conversation, Session } from '../protocol/index.js';
import { durationText } from './duration.js';
import { targetWord } from './find-session.js';
import type { Output } from './output.js';
import { givenName, shortId } from './session-text.js';
import { type Cell, type Column, tableLines } from './table.js';

export interface ConversationTableOptions {
  /** Whose conversations they could be. */
  readonly session: Session;
  /** All there are, as some own a conversation. */
  readonly sessions: readonly Session[];
  readonly output: Output;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const COLUMNS: readonly Column[] = [
  { title: 'CONVERSATION' },
  { title: 'AGE' },
  { title: 'SESSION', least: 8 },
  { title: 'FIRST PROMPT', least: 16 },
];

/** Conversations, a line each. */
export function conversationTable(conversations: readonly Conversation[], options: ConversationTableOptions): string[] {
  const { session, sessions, output, now } = options;
  const rows = conversations.map(({ agent_session, updated_at, owner, first_prompt }): Cell[] => [
    { text: agent_session },
    { text: durationText((now - Date.parse(updated_at)) / 1000) },
    owner === undefined
      ? { text: '-' }
      : ownerCell(
          sessions.find(({ id }) => id === owner),
          { owner, isOwn: owner === session.id },
        ),
    { text: first_prompt ?? '-' },
  ]);
  return tableLines(COLUMNS, rows, output);
}

function ownerCell(session: Session | undefined, { owner, isOwn }: { owner: string; isOwn: boolean }): Cell {
  if (isOwn) return { text: 'this one', style: 'green' };
  return { text: session === undefined ? owner.slice(0, 8) : (givenName(session) ?? shortId(session)), style: 'grey' };
}

/** What to type to go on with one of them, except for its id. Safe for a terminal. */
export function resumeCommand(session: Session): string {
  const name = targetWord(session);
  const resume = `maestro resume ${name} --conversation ID`;
  return session.status === 'running' ? `maestro stop ${name} && ${resume}` : resume;
}
