import type { Session } from '../../protocol/index.js';
import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { connectTo } from '../connect.js';
import { eachSession } from '../each-session.js';
import { earlierConversations } from '../earlier-conversations.js';
import { targetWord } from '../find-session.js';
import { ResumeAll } from '../resume-all.js';
import { displayName } from '../session-text.js';
import { countText } from '../size-text.js';

export interface ResumeOptions {
  readonly all?: boolean;
  /** The conversation of its agent that a session is to go on with. */
  readonly conversation?: string;
}

/** Brings sessions back; `all` means every dormant one, but not those whose program came to its own end. */
export async function resume(context: CommandContext, targets: readonly string[], options: ResumeOptions): Promise<number> {
  const { all = false, conversation } = options;
  if (all === targets.length > 0) throw new CliError('usage', 'name the sessions to resume, or give --all');
  if (conversation === undefined) return all ? ResumeAll.run(context) : resumeEach(context, targets);
  if (targets.length !== 1) throw new CliError('usage', '--conversation belongs to one session: name that alone');
  return resumeEach(context, targets, conversation);
}

/** Remarks come behind the results, of which each has a line. */
async function resumeEach(context: CommandContext, targets: readonly string[], conversation?: string): Promise<number> {
  const { stateDir, output } = context;
  const client = connectTo(stateDir);
  const remarks: string[] = [];
  const perform = async (before: Session) => {
    // Asked before the agent runs again, which begins another conversation.
    const earlier = output.json || conversation !== undefined ? 0 : earlierConversations(stateDir, before);
    const session = await client.resume(before.id, conversation === undefined ? {} : { agent_session: conversation });
    const count = await earlier;
    if (count > 0 && session.agent_session === undefined) remarks.push(earlierText(session, count));
    return session;
  };
  const exitCode = await eachSession(context, { client, targets, perform, describe: (session) => `resumed ${displayName(session)}` });
  for (const remark of remarks) output.note(remark);
  return exitCode;
}

function earlierText(session: Session, count: number): string {
  const has = `its agent has ${countText(count, 'earlier conversation')} here`;
  return `${displayName(session)}: ${has}: maestro conversations ${targetWord(session)}`;
}
