import { readAncestors } from './ancestors.js';
import { composeReport } from './compose-report.js';
import { deliver } from './deliver.js';
import { readPayload } from './read-payload.js';
import { sessionEnv } from './session-env.js';
import { spool } from './spool.js';

/** When to be done, in milliseconds since the start of the process: an agent waits for its hooks, and shall not notice. */
const END_MS = 250;
/** How much of that is kept for the daemon, however slow the agent is. */
const DELIVERY_MS = 70;
/** What each step gets on a machine so slow that the process has started late. */
const LEAST_MS = 50;

/**
 * Tells the daemon what an agent tells its hook. `words` are the agent's name and what the agent adds. Outside of Maestro nothing is
 * told; the input is read all the same, as an agent may take a hook that does not for a failure. Never rejects.
 */
export async function report([agent = '', ...words]: readonly string[]): Promise<void> {
  const session = sessionEnv(process.env);
  const at = Math.round(Date.now() - sinceStart());
  const ancestors = session === undefined ? [] : readAncestors();
  const payload = await readPayload(words, remaining(END_MS - DELIVERY_MS));
  if (session === undefined || payload === undefined) return;
  const composed = composeReport({ agent, run: session.run, at, pid: process.pid, ancestors }, payload);
  if (composed === undefined) return;
  if ((await deliver(session, composed, remaining(END_MS))) === 'failed') spool(session, composed);
}

function sinceStart(): number {
  return process.uptime() * 1000;
}

function remaining(endMs: number): number {
  return Math.max(LEAST_MS, endMs - sinceStart());
}
