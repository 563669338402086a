import type { Session } from '../../protocol/index.js';
import type { CommandContext } from '../command-context.js';
import { connectTo } from '../connect.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { safe } from '../printable.js';
import { bySituation, sessionTable } from '../session-table.js';
import { displayName } from '../session-text.js';

export interface LsOptions {
  readonly status?: Session['status'];
  readonly quiet?: boolean;
}

/** All sessions, those that wait for somebody first. */
export async function ls({ stateDir, home, output }: CommandContext, { status, quiet }: LsOptions): Promise<ExitCode> {
  const all = await connectTo(stateDir).sessions();
  const sessions = all.filter((session) => status === undefined || session.status === status).sort(bySituation);
  output.document(sessions);
  if (quiet) for (const { id } of sessions) output.line(id);
  else if (sessions.length > 0) for (const line of sessionTable(sessions, { home, output, now: Date.now() })) output.line(line);
  else if (output.isTerminal) output.note(all.length === 0 ? 'no sessions; `maestro new` makes one' : `no ${status} session`);
  for (const session of quiet ? [] : sessions) {
    if (session.warning !== undefined) output.note(`warning: ${displayName(session)}: ${safe`${session.warning}`}`);
  }
  return EXIT.done;
}
