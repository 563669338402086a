import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { connectTo } from '../connect.js';
import { eachSession } from '../each-session.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { displayName } from '../session-text.js';

/** Brings sessions back; `all` means every dormant one, but not those whose program came to its own end. */
export async function resume(context: CommandContext, targets: readonly string[], { all }: { all?: boolean }): Promise<ExitCode> {
  if ((all ?? false) === targets.length > 0) throw new CliError('usage', 'name the sessions to resume, or give --all');
  const client = connectTo(context.stateDir);
  const sessions = all ? (await client.sessions()).filter(({ status }) => status === 'dormant') : undefined;
  if (sessions?.length === 0) {
    context.output.line('no session is dormant');
    context.output.document([]);
    return EXIT.done;
  }
  return eachSession(context, {
    client,
    targets,
    ...(sessions === undefined ? {} : { sessions }),
    perform: ({ id }) => client.resume(id),
    describe: (session) => `resumed ${displayName(session)}`,
  });
}
