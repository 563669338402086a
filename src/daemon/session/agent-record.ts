import type { Activity, ActivityRequest } from '../../protocol/index.js';
import { formatTime } from '../clock.js';
import type { Sidecar } from '../store/sidecar.js';
import { type ResumeIntent, spawnedBy, touched, without } from './session-record.js';

/**
 * What an agent says of itself. A report of an older run changes nothing. While a resume has no program yet, the former life speaks, and
 * an undone or failed resume keeps what it says; a report of the new run can only come from its program, so that has been spawned.
 */
export function reported(record: Sidecar, report: ActivityRequest, now: number): Sidecar {
  const { intent } = record;
  const run = report.run === undefined ? undefined : Number(report.run);
  if (intent?.kind === 'resume' && !intent.spawned) {
    if (run === record.run) return reported(spawnedBy(record), report, now);
    return run !== undefined && run < intent.former.run ? record : reportedLate(record, { intent, report, now });
  }
  if (run !== undefined && run < record.run) return record;
  return touched({ ...record, ...conversationOf(report), activity: activityOf(report, { before: record.activity, now }) }, now);
}

/** The new life begins with the former one's conversation, and without its activity. */
function reportedLate(record: Sidecar, late: { intent: ResumeIntent; report: ActivityRequest; now: number }): Sidecar {
  const { intent, report, now } = late;
  const conversation = conversationOf(report);
  const former = { ...intent.former, ...conversation, activity: activityOf(report, { before: intent.former.activity, now }) };
  return touched({ ...record, ...conversation, intent: { ...intent, former } }, now);
}

function conversationOf({ agent_session }: ActivityRequest): Pick<Sidecar, 'agent_session'> {
  return agent_session === undefined ? {} : { agent_session };
}

function activityOf({ state, message }: ActivityRequest, { before, now }: { before: Activity | undefined; now: number }): Activity {
  const since = before?.state === state ? before.since : formatTime(now);
  return { state, ...(message === undefined ? {} : { message }), since };
}

/** The record with this activity. */
export function shown(record: Sidecar, activity: Activity | undefined): Sidecar {
  return activity === undefined ? without(record, 'activity') : { ...record, activity };
}

/** What is seen of a run's agent. */
export interface Seen {
  readonly run: number;
  readonly activity: Activity | undefined;
  readonly agent_session: string | undefined;
}

/** The agent of the running program does something else, or is in another conversation. A program that is seen has been spawned. */
export function followed(record: Sidecar, seen: Seen, now: number): Sidecar {
  if (record.status !== 'running' || record.run !== seen.run) return record;
  const { activity, agent_session = record.agent_session } = seen;
  if (JSON.stringify(activity) === JSON.stringify(record.activity) && agent_session === record.agent_session) return record;
  return touched(
    {
      ...shown(spawnedBy(record), activity),
      ...(agent_session === undefined ? {} : { agent_session }),
    },
    now,
  );
}

/** A program that is gone told late which conversation it was in. */
export function conversationReported(
  record: Sidecar,
  report: { readonly run: number; readonly agent_session: string },
  now: number,
): Sidecar {
  const { run, agent_session } = report;
  if (run < speakingRun(record) || record.agent_session === agent_session) return record;
  const { intent } = record;
  if (run === record.run || intent?.kind !== 'resume') return touched({ ...record, agent_session }, now);
  return touched({ ...record, agent_session, intent: { ...intent, former: { ...intent.former, agent_session } } }, now);
}

/** The oldest run that may still speak for the session: while a resume has no program yet, that is the former one. */
export function speakingRun({ run, intent }: Sidecar): number {
  return intent?.kind === 'resume' && !intent.spawned ? Math.min(run, intent.former.run) : run;
}
