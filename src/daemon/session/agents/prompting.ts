import { setTimeout as delay } from 'node:timers/promises';
import type { ActivityTracker } from '../activity/activity-tracker.js';
import type { LiveSession } from '../live-session.js';

/** So long after it has said that it is ready, an agent may still be drawing its prompt line, in milliseconds. */
const FRESH_MS = 5_000;
/** Its screen rests when nothing was put out for so long, which is waited for at most {@link MOST_REST_MS}. */
const REST_MS = 400;
const MOST_REST_MS = 3_000;

/** How long an agent may take to begin with a prompt, in milliseconds. */
const BEGIN_MS = 2_000;

/** Waits, where an agent has only just come up, until its prompt line stands: an Enter that comes before is lost now and then. */
export async function promptLineStands(tracker: ActivityTracker, live: LiveSession): Promise<void> {
  const { state, startedAt, since, hasWorked } = tracker.state;
  if (startedAt === undefined || state !== 'idle' || hasWorked) return;
  const now = Date.now();
  if (now - since > FRESH_MS) return;
  const end = now + MOST_REST_MS;
  for (let quiet = 0; quiet < REST_MS && Date.now() < end; quiet = Date.now() - (live.bridge.lastOutputAt ?? 0)) {
    await delay(Math.max(1, REST_MS - quiet));
  }
}

/** What is no prompt but a command to the agent itself. It may open a list, in which an Enter chooses something. */
const COMMAND = /^\s*[/!#@$?:]/;

/**
 * Submits a prompt to an agent at rest, and answers whether that begins with it. A busy agent takes the Enter for a part of the pasted text
 * now and then, Gemini CLI above all; so it is pressed once more when nothing has happened. On an empty line it does nothing, and an agent
 * that asks something by then is not at rest.
 */
export async function submitPrompt(tracker: ActivityTracker, live: LiveSession, text: string): Promise<boolean> {
  const isBegun = await within(BEGIN_MS, tracker, () => live.send({ text, submit: true }));
  if (isBegun || COMMAND.test(text) || tracker.state.state !== 'idle') return isBegun;
  return within(BEGIN_MS, tracker, () => live.send({ keys: ['Enter'] }));
}

/** Does `work`, and tells whether the agent has left its rest by then, or does so in the time that follows. */
async function within(ms: number, tracker: ActivityTracker, work: () => Promise<void>): Promise<boolean> {
  const late = new AbortController();
  const left = tracker.leavesIdle(late.signal);
  try {
    await work();
    return await Promise.race([left, delay(ms, false, { signal: late.signal })]);
  } finally {
    late.abort();
  }
}
