import { MaestroClient } from '../client/maestro-client.js';
import { printable } from './printable.js';
import { statePaths } from './state-dir.js';
import { unixTransport } from './unix-transport.js';

/** How long a daemon may take that has git write out, save or read a whole worktree, and a repository's teardown to run. */
export const WORKTREE_ANSWER_WITHIN_MS = 30 * 60_000;

/** A client of the daemon that keeps its state in `stateDir`. Connects with the first call. */
export function connectTo(stateDir: string, answerWithinMs?: number): MaestroClient {
  const refusal = `no Maestro daemon on ${printable(stateDir)}; start it with: maestro up --detach`;
  const { socket: socketPath } = statePaths(stateDir);
  return new MaestroClient(unixTransport({ socketPath, refusal, ...(answerWithinMs === undefined ? {} : { answerWithinMs }) }));
}
