import type { CommandContext } from '../command-context.js';
import { connectTo } from '../connect.js';
import { conversationTable, resumeCommand } from '../conversation-text.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { findSession } from '../find-session.js';
import { homeShort } from '../home-path.js';
import { safe } from '../printable.js';
import { displayName } from '../session-text.js';

/** What a session's agent has stored for the session's directory, the newest first. */
export async function conversations({ stateDir, home, output }: CommandContext, target: string): Promise<ExitCode> {
  const client = connectTo(stateDir);
  const sessions = await client.sessions();
  const session = findSession(sessions, target);
  const found = (await client.conversations(session.id)).sort((a, b) => b.updated_at.localeCompare(a.updated_at));
  output.document(found);
  if (found.length === 0) {
    output.note(`no conversation that ${displayName(session)} could go on with is stored for ${safe`${homeShort(session.cwd, home)}`}`);
    return EXIT.done;
  }
  for (const line of conversationTable(found, { session, sessions, output, now: Date.now() })) output.line(line);
  const isFree = found.some(({ owner }) => owner === undefined);
  if (isFree) output.note(`to go on with one that is no session's: ${resumeCommand(session)}`);
  return EXIT.done;
}
