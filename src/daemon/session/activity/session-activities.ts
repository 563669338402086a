import { setTimeout as delay } from 'node:timers/promises';
import type { Explanation } from '../../../protocol/index.js';
import { activityProfile } from '../../agents/activity/activity-profile.js';
import type { Advanced, ShownActivity } from '../../agents/activity/activity-state.js';
import type { Clock } from '../../clock.js';
import type { Log } from '../../log.js';
import type { Pane } from '../../panes/panes.js';
import type { Sidecar } from '../../store/sidecar.js';
import type { TransitionLog } from '../../store/transition-log.js';
import { followed } from '../agent-record.js';
import type { Background } from '../background.js';
import { messageOf, type RecordKeeper } from '../record-keeper.js';
import type { SessionEntry } from '../session-entry.js';
import type { SessionRegistry } from '../session-registry.js';
import { ActivityTracker } from './activity-tracker.js';
import { Refusals } from './refusals.js';
import { shownActivity, shownTransition } from './shown-activity.js';

interface ActivitiesParts {
  readonly registry: SessionRegistry;
  readonly keeper: RecordKeeper;
  readonly transitions: TransitionLog;
  /** The agent that a session runs, and whether it tells nothing of itself, so that its output has to. */
  readonly agentOf: (record: Sidecar) => { readonly id: string; readonly isSilent: boolean } | undefined;
  /** Follows what tells of the agent beside its own reports and its output, until the signal is aborted. */
  readonly follow: (record: Sidecar, running: RunningAgent) => void;
  readonly background: Background;
  readonly clock: Clock;
  readonly log: Log;
}

/** A run whose pane is there. */
export interface RunningAgent {
  readonly tracker: ActivityTracker;
  readonly pane: Pane;
  /** Aborted when the run is over. */
  readonly signal: AbortSignal;
}

/** How long an agent's start is waited for, in milliseconds: the slowest need 14 s on a small host. */
const START_MS = 30_000;

/** What the agents of all running sessions do: one tracker for each run, whose steps become the session's activity, events and a log. */
export class SessionActivities {
  readonly #parts: ActivitiesParts;
  readonly #trackers = new Map<string, ActivityTracker>();
  readonly #refusals = new Map<string, Refusals>();
  /** The write of a session's activity that is under way. */
  readonly #noting = new Map<string, Promise<void>>();
  #isUnwritable = false;

  constructor(parts: ActivitiesParts) {
    this.#parts = parts;
    parts.registry.follow({
      changed: (id) => this.#changed(id),
      removed: (id) => this.#forget(id),
      audience: () => undefined,
    });
  }

  /** A run of the session begins, or is taken over with what was shown of it. It is the tracker's until the session has no program. */
  async begin(record: Sidecar, { isAdopted }: { readonly isAdopted: boolean }): Promise<ActivityTracker> {
    const { clock, agentOf, transitions } = this.#parts;
    const isFirst = record.run <= 1 && !isAdopted;
    const seq = isFirst ? 0 : ((await transitions.read(record.id)).at(-1)?.seq ?? 0);
    const agent = agentOf(record);
    const tracker: ActivityTracker = new ActivityTracker({
      agent: agent?.id,
      profile: activityProfile(agent?.id, { byOutput: agent?.isSilent ?? false }),
      start: {
        run: record.run,
        seq,
        agent_session: record.agent_session,
        ...(isAdopted ? { former: formerOf(record) } : { startedAt: clock.now() }),
      },
      clock,
      onStep: (step) => this.#stepped(record.id, tracker, step),
    });
    this.#trackers.get(record.id)?.end();
    this.#trackers.set(record.id, tracker);
    return tracker;
  }

  /** The pane of a run that began is there. */
  running(record: Sidecar, tracker: ActivityTracker, pane: Pane): void {
    this.#parts.follow(record, { tracker, pane, signal: tracker.over });
  }

  /** The tracker of the session's running program. */
  find(id: string): ActivityTracker | undefined {
    return this.#trackers.get(id);
  }

  /** The run of `tracker` is over, or did not come about. */
  end(id: string, tracker: ActivityTracker): void {
    tracker.end();
    if (this.#trackers.get(id) === tracker) this.#trackers.delete(id);
  }

  /** Resolves once the session's agent has said what it does, or its program is gone; at once for one that says nothing; in bounded time. */
  async started(id: string): Promise<void> {
    const tracker = this.#trackers.get(id);
    if (tracker?.isStarting !== true) return;
    await Promise.race([tracker.begun, delay(START_MS, undefined, { ref: false })]);
  }

  /** Resolves once all that was seen of the session so far is on disk, as far as the disk takes it. */
  async noted(id: string): Promise<void> {
    await this.#noting.get(id);
  }

  /** The daemon stops: nothing more is taken in. The agents go on. */
  close(): void {
    for (const tracker of this.#trackers.values()) tracker.end();
    this.#trackers.clear();
  }

  /** Something was said of the session and not believed; kept for {@link explain}. */
  refuse(id: string, what: string, why: string): void {
    const refusals = this.#refusals.get(id) ?? new Refusals();
    this.#refusals.set(id, refusals);
    refusals.add({ at: this.#parts.clock.now(), what, why });
    this.#parts.log.debug({ session: id, what, why }, 'a report was not believed');
  }

  async explain(id: string): Promise<Explanation> {
    const { record } = this.#parts.registry.need(id);
    const tracker = this.#trackers.get(id);
    const activity = tracker ? shownActivity(tracker.state) : record.activity;
    const agent = tracker?.agent ?? this.#parts.agentOf(record)?.id;
    const { agent_session } = record;
    return {
      id,
      ...(agent === undefined ? {} : { agent }),
      state: tracker?.state.state ?? 'unknown',
      ...(activity === undefined ? {} : { since: activity.since }),
      ...(activity?.kind === undefined ? {} : { kind: activity.kind }),
      ...(activity?.message === undefined ? {} : { message: activity.message }),
      ...(agent_session === undefined ? {} : { agent_session }),
      heard: [...(tracker?.state.heard ?? [])],
      refused: this.#refusals.get(id)?.list() ?? [],
      transitions: await this.#parts.transitions.read(id),
    };
  }

  #stepped(id: string, tracker: ActivityTracker, { transition }: Advanced): void {
    const { registry, background } = this.#parts;
    const entry = registry.find(id);
    if (entry === undefined || this.#trackers.get(id) !== tracker) return;
    if (transition !== undefined) {
      const shown = shownTransition(transition, tracker.run);
      background.start(() => this.#append(id, shown));
      if (entry.born === undefined) registry.announce({ type: 'transition', id, transition: shown });
    }
    const noting = (this.#noting.get(id) ?? Promise.resolve()).then(() => this.#note(entry, tracker));
    this.#noting.set(id, noting);
    background.start(async () => {
      await noting;
      if (this.#noting.get(id) === noting) this.#noting.delete(id);
    });
  }

  /** Writes down what the tracker shows by now. The first record of a session is its create's to write. */
  async #note(entry: SessionEntry, tracker: ActivityTracker): Promise<void> {
    await entry.born;
    const { registry, keeper, clock } = this.#parts;
    const { state, run } = tracker;
    if (registry.find(entry.id) !== entry || this.#trackers.get(entry.id) !== tracker) return;
    const { agent_session } = state;
    const seen = { run, agent_session, activity: shownActivity(state) };
    const before = entry.record;
    if (followed(before, seen, clock.now()) === before) return;
    await keeper.observe(entry, (record) => followed(record, seen, clock.now()));
    registry.publish(entry);
    if (entry.record.agent_session !== before.agent_session) await keeper.mirror(entry);
  }

  /** It only explains: a disk that does not take it is told of once. */
  async #append(id: string, transition: Parameters<TransitionLog['append']>[1]): Promise<void> {
    try {
      await this.#parts.transitions.append(id, transition);
      this.#isUnwritable = false;
    } catch (error) {
      if (!this.#isUnwritable) this.#parts.log.warn({ session: id, error: messageOf(error) }, 'what an agent does cannot be logged');
      this.#isUnwritable = true;
    }
  }

  #changed(id: string): void {
    const tracker = this.#trackers.get(id);
    const entry = this.#parts.registry.find(id);
    if (tracker === undefined || entry === undefined) return;
    if (entry.record.status !== 'running' || entry.phase.kind === 'resting') this.end(id, tracker);
  }

  #forget(id: string): void {
    const tracker = this.#trackers.get(id);
    if (tracker) this.end(id, tracker);
    this.#refusals.delete(id);
  }
}

/** What was shown of a program that has run on while no daemon was there. */
function formerOf({ activity }: Sidecar): ShownActivity | undefined {
  if (activity === undefined) return undefined;
  const { state, since, kind, message, done = false, failed = false } = activity;
  return { state, since: Date.parse(since), waiting: kind, message, done, failed };
}
