import { NAME_KEY } from '../../protocol/index.js';
import type { CommandContext } from '../command-context.js';
import { connectTo } from '../connect.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { findSession } from '../find-session.js';
import { displayName } from '../session-text.js';

export interface Renaming {
  readonly target: string;
  /** Empty: the session has no name any more. */
  readonly name: string;
}

export async function rename({ stateDir, output }: CommandContext, { target, name }: Renaming): Promise<ExitCode> {
  const client = connectTo(stateDir);
  const before = findSession(await client.sessions(), target);
  const session = await client.patchMetadata(before.id, { [NAME_KEY]: name === '' ? null : name });
  output.line(`renamed ${displayName(before)} to ${displayName(session)}`);
  output.document(session);
  return EXIT.done;
}
