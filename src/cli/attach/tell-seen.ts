import type { MaestroClient } from '../../client/maestro-client.js';
import type { Session } from '../../protocol/index.js';

/** The command does not end before the daemon has heard it; one that hangs does not keep the user from their prompt. */
const ANSWER_WITHIN_MS = 2000;

/** Tells that the user sees what the session shows. A daemon that does not answer, or knows no such thing, is no reason to stop. */
export function tellSeen(client: MaestroClient, { id }: Session): void {
  client.seen(id, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).catch(() => undefined);
}
