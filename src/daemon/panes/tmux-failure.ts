import { MaestroError } from '../../protocol/index.js';
import type { Reply } from './control-request.js';

/** The bodies of a line that tmux carried out; what it refused becomes the error for the user. */
export function bodiesOf(reply: Reply, sessionId: string): readonly Buffer[] {
  if (reply.ok) return reply.bodies;
  throw failureError(reply.failure, sessionId);
}

/** tmux's own words, as the errors that callers know. */
export function failureError(failure: string, sessionId: string): MaestroError {
  if (isMissing(failure)) return notRunning(sessionId);
  return new MaestroError('tmux_unavailable', `tmux refused a command for session ${sessionId}: ${failure}; see \`maestro doctor\``);
}

/** True when tmux says that what was meant is not there any more, or that its program has ended. */
export function isMissing(failure: string): boolean {
  return /can't find (?:session|window|pane)|no such session|session not found|pane has exited/.test(failure);
}

export function isDuplicate(failure: string): boolean {
  return failure.startsWith('duplicate session');
}

export function notRunning(sessionId: string): MaestroError {
  return new MaestroError('not_running', `Session ${sessionId} has no program running; resume it first`);
}

/** Why tmux could not be reached. `no_server`: nothing listens on the socket; `no_session`: a server does, but has no control session. */
export interface Refusal {
  readonly kind: 'no_server' | 'no_session' | 'failed';
  readonly reason: string;
}

/** tmux's own words on the way in. */
export function refusal(reason: string): Refusal {
  if (/^no server running|^error connecting .*\((?:No such file or directory|Connection refused)\)/s.test(reason))
    return { kind: 'no_server', reason };
  if (/^can't find session|^no sessions/.test(reason)) return { kind: 'no_session', reason };
  return { kind: 'failed', reason };
}
