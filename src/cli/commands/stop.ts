import type { CommandContext } from '../command-context.js';
import { connectTo } from '../connect.js';
import { eachSession } from '../each-session.js';
import type { ExitCode } from '../exit-code.js';
import { targetWord } from '../find-session.js';
import { displayName } from '../session-text.js';

/** Ends the programs of sessions and keeps everything else. */
export function stop(context: CommandContext, targets: readonly string[]): Promise<ExitCode> {
  const client = connectTo(context.stateDir);
  return eachSession(context, {
    client,
    targets,
    perform: ({ id }) => client.stop(id),
    describe: (session) => `stopped ${displayName(session)}; maestro resume ${targetWord(session)} brings it back`,
  });
}

/** Ends the programs of sessions and starts them again. */
export function restart(context: CommandContext, targets: readonly string[]): Promise<ExitCode> {
  const client = connectTo(context.stateDir);
  return eachSession(context, {
    client,
    targets,
    perform: ({ id }) => client.restart(id),
    describe: (session) => `restarted ${displayName(session)}`,
  });
}
