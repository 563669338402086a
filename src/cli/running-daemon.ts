import type { Host } from '../protocol/index.js';
import { connectTo } from './connect.js';
import { EXIT } from './exit-code.js';
import { failureOf } from './failure.js';

const ANSWER_WITHIN_MS = 5000;

/** What the daemon says of itself, or undefined when none runs. One that runs and does not answer is an error. */
export async function runningHost(stateDir: string): Promise<Host | undefined> {
  try {
    return await connectTo(stateDir, ANSWER_WITHIN_MS).host();
  } catch (error) {
    if (failureOf(error).exitCode === EXIT.notRunning) return undefined;
    throw error;
  }
}

/** `3 sessions`, `1 session`, `no session`. */
export function countSessions(count: number): string {
  return count === 0 ? 'no session' : count === 1 ? '1 session' : `${count} sessions`;
}

/** What becomes of the sessions when the daemon has stopped. */
export function stoppedText(running: number | undefined): string {
  if (running === undefined) return 'Maestro stopped; sessions keep running in tmux. `maestro up` takes them back.';
  if (running === 0) return 'Maestro stopped; no session was running.';
  const [keeps, them] = running === 1 ? ['keeps', 'it'] : ['keep', 'them'];
  return `Maestro stopped; ${countSessions(running)} ${keeps} running in tmux. \`maestro up\` takes ${them} back.`;
}
