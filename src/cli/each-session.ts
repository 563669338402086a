import type { MaestroClient } from '../client/maestro-client.js';
import type { Session } from '../protocol/index.js';
import type { CommandContext } from './command-context.js';
import { EXIT, type ExitCode } from './exit-code.js';
import { failureOf } from './failure.js';
import { findSession } from './find-session.js';
import { printableLines } from './printable.js';

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
export async function eachSession<Result>({ output }: CommandContext, work: Work<Result>): Promise<ExitCode> {
  const all = work.sessions ?? (await work.client.sessions());
  const jobs = work.sessions?.map((session) => () => session) ?? work.targets.map((target) => () => findSession(all, target));
  const exitCodes: ExitCode[] = [];
  const results: unknown[] = [];
  const done = new Set<string>();
  for (const [at, find] of jobs.entries()) {
    try {
      const session = find();
      if (done.has(session.id)) continue;
      done.add(session.id);
      const result = await work.perform(session);
      output.line(work.describe(session, result));
      results.push({ id: session.id, ok: true, result });
    } catch (error) {
      const failure = failureOf(error);
      exitCodes.push(failure.exitCode);
      results.push({ target: work.targets[at] ?? work.sessions?.[at]?.id, ok: false, ...failure.body });
      output.note(`maestro: ${printableLines(failure.message)}`);
    }
  }
  output.document(results);
  return jobs.length === 1 ? (exitCodes[0] ?? EXIT.done) : exitCodes.length === 0 ? EXIT.done : EXIT.failed;
}
