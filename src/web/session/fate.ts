import type { Session } from '../../protocol/index.js';
import { shortPath } from './project.js';
import { programLabel } from './session-note.js';

/** What ends a session's program. A kill also removes the session. */
export type EndAction = 'stop' | 'restart' | 'kill';

export interface Fate {
  readonly verb: string;
  readonly pending: string;
  /** The words of the safe button. */
  readonly refusal: string;
  readonly lost?: string;
  readonly kept: string;
}

/** What goes and what stays when a session is ended. */
export function fateOf(action: EndAction, session: Session, home: string | undefined): Fate {
  const isRunning = session.status === 'running';
  const program = isRunning ? `${programLabel(session)} and every process it started` : undefined;
  const refusal = isRunning ? 'Keep it running' : 'Keep it';
  if (action === 'kill') {
    const lost = [program, 'the session with its name, environment and stored output'].filter((part) => part !== undefined).join(', and ');
    return { verb: 'Kill', pending: 'Killing…', refusal, lost: sentence(lost), kept: keptOnDisk(session, home) };
  }
  const conversation = session.agent_session === undefined ? '' : `, the conversation ${session.agent_session.slice(0, 8)}`;
  const kept = `The session, its output${conversation} and all files. ${
    action === 'stop' ? 'Resume starts it again.' : 'The program starts again in the same place.'
  }`;
  const words = action === 'stop' ? { verb: 'Stop', pending: 'Stopping…' } : { verb: 'Restart', pending: 'Restarting…' };
  return { ...words, refusal, ...(program === undefined ? {} : { lost: sentence(program) }), kept };
}

function keptOnDisk({ cwd, worktree, agent_session }: Session, home: string | undefined): string {
  const files =
    worktree === undefined
      ? `All files, those in ${shortPath(cwd, home)} too`
      : `The branch ${worktree.branch}; the worktree goes only if nothing would be lost with it`;
  const conversation = agent_session === undefined ? '' : ` What the agent itself stores of the conversation ${agent_session.slice(0, 8)}.`;
  return `${files}.${conversation}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
