import { MaestroClient } from '../client/maestro-client.js';
import { printable } from './printable.js';
import { statePaths } from './state-dir.js';
import { unixTransport } from './unix-transport.js';

/** A client of the daemon that keeps its state in `stateDir`. Connects with the first call. */
export function connectTo(stateDir: string, answerWithinMs?: number): MaestroClient {
  const refusal = `no Maestro daemon on ${printable(stateDir)}; start it with: maestro up --detach`;
  const { socket: socketPath } = statePaths(stateDir);
  return new MaestroClient(unixTransport({ socketPath, refusal, ...(answerWithinMs === undefined ? {} : { answerWithinMs }) }));
}
