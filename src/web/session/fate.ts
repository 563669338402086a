import type { Session } from '../../protocol/index.js';
import { text } from '../text/text.js';
import { shortPath } from './project.js';
import { programLabel } from './session-note.js';

/** What ends a session's program. A kill also removes the session. */
export type EndAction = 'stop' | 'restart' | 'kill';

export interface Fate {
  /** The words of the safe button. */
  readonly refusal: string;
  readonly lost?: string;
  readonly kept: string;
}

/** What goes and what stays when a session is ended. */
export function fateOf(action: EndAction, session: Session, home: string | undefined): Fate {
  const words = text.session.fate;
  const program = session.status === 'running' ? programLabel(session) : undefined;
  const refusal = program === undefined ? words.keep : words.keepRunning;
  if (action === 'kill') return { refusal, lost: words.lost(program), kept: keptOnDisk(session, home) };
  const kept = `${words.kept(session.agent_session?.slice(0, 8))} ${words.next[action]}`;
  return { refusal, ...(program === undefined ? {} : { lost: words.program(program) }), kept };
}

function keptOnDisk({ cwd, worktree, agent_session }: Session, home: string | undefined): string {
  const words = text.session.fate;
  const files = worktree === undefined ? words.files(shortPath(cwd, home)) : words.worktree(worktree.branch);
  return agent_session === undefined ? files : `${files} ${words.conversation(agent_session.slice(0, 8))}`;
}
