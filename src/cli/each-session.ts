import type { MaestroClient } from '../client/maestro-client.js';
import type { Session } from '../protocol/index.js';
import type { CommandContext } from './command-context.js';
import { eachItem } from './each-item.js';
import type { ExitCode } from './exit-code.js';
import { findSession } from './find-session.js';

export interface Work<Result> {
  readonly client: MaestroClient;
  readonly targets: readonly string[];
  /** Absent: the sessions are found by `targets`. */
  readonly sessions?: readonly Session[];
  perform(session: Session): Promise<Result>;
  /** A line for people. */
  describe(session: Session, result: Result): string;
}

/** Does one thing to each session, one after the other, and says of each how it went. A failure does not keep the others from it. */
export async function eachSession<Result>(context: CommandContext, work: Work<Result>): Promise<ExitCode> {
  const all = work.sessions ?? (await work.client.sessions());
  const given = work.sessions?.map((session) => ({ target: session.id, find: () => session }));
  const jobs = given ?? work.targets.map((target) => ({ target, find: () => findSession(all, target) }));
  const { perform, describe } = work;
  const { exitCode, outcomes } = await eachItem(context, { jobs, perform, describe });
  context.output.document(outcomes);
  return exitCode;
}
