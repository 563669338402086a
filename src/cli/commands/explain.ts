import type { CommandContext } from '../command-context.js';
import { connectTo } from '../connect.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { explanationLines } from '../explanation-text.js';
import { findSession } from '../find-session.js';

export interface ExplainOptions {
  readonly all?: boolean;
}

/** How many transitions are enough to see what happened of late. */
const SHOWN = 20;

/** Why a session is shown as it is: what was heard of its agent, what was not believed, and what it did last. */
export async function explain({ stateDir, output }: CommandContext, target: string, { all = false }: ExplainOptions): Promise<ExitCode> {
  const client = connectTo(stateDir);
  const session = findSession(await client.sessions(), target);
  const explanation = await client.explanation(session.id);
  const shown = all ? explanation.transitions : explanation.transitions.slice(-SHOWN);
  const lines = explanationLines({ ...explanation, transitions: shown }, { session, output, now: new Date() });
  for (const line of lines) output.line(line);
  const left = explanation.transitions.length - shown.length;
  if (left > 0) output.line(`${left} earlier ones are kept: --all shows them too`);
  output.document(explanation);
  return EXIT.done;
}
