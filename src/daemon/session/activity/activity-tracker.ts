import type { Activity } from '../../../protocol/index.js';
import { type ActivityEngine, createEngine, type EngineStart } from '../../agents/activity/activity-engine.js';
import type { ActivityProfile } from '../../agents/activity/activity-profile.js';
import type { Advanced, EngineState, Told } from '../../agents/activity/activity-state.js';
import type { AgentSignal, SignalContext } from '../../agents/activity/agent-signal.js';
import { programStatusSignals } from '../../agents/activity/program-status.js';
import { titleSignals } from '../../agents/activity/title-signals.js';
import type { ProgramEvent } from '../../bridge/program-status-parser.js';
import type { PtyBridge } from '../../bridge/pty-bridge.js';
import type { Clock } from '../../clock.js';
import { deferred } from '../../deferred.js';
import { shownActivity } from './shown-activity.js';

interface TrackerParts {
  /** The agent that the session runs, as far as that is known. */
  readonly agent: string | undefined;
  readonly profile: ActivityProfile;
  readonly start: EngineStart;
  readonly clock: Clock;
  /** Called with every step of the engine, whether or not it shows. Must not throw. */
  readonly onStep: (step: Advanced) => void;
}

/** The longest time that a timer can be set to. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What one run of a session's program does: it holds the engine's state, tells it what came and what time it is, and nothing else. */
export class ActivityTracker {
  readonly agent: string | undefined;
  readonly run: number;
  readonly #engine: ActivityEngine;
  readonly #profile: ActivityProfile;
  readonly #clock: Clock;
  readonly #onStep: (step: Advanced) => void;
  #state: EngineState;
  #onStatus: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #bridge: PtyBridge | undefined;
  #awaitsOutput = false;
  readonly #over = new AbortController();
  readonly #begun = deferred();
  readonly #leaving = new Set<(hasLeft: boolean) => void>();

  constructor({ agent, profile, start, clock, onStep }: TrackerParts) {
    this.agent = agent;
    this.run = start.run ?? 0;
    this.#profile = profile;
    this.#engine = createEngine(profile);
    this.#clock = clock;
    this.#onStep = onStep;
    this.#state = this.#engine.begin(start);
  }

  /** Aborted when the run is over. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  get state(): EngineState {
    return this.#state;
  }

  /** True for an agent that tells what it does. */
  get isReporting(): boolean {
    return this.#profile.dialogAfterMs !== undefined;
  }

  /** True while an agent that tells when it is ready has not done so yet. */
  get isStarting(): boolean {
    const { state, startedAt } = this.#state;
    return this.isReporting && state === 'unknown' && startedAt !== undefined;
  }

  /** Resolves once it is known what the agent does, or once the run is over. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  /** Resolves with true once the agent is not at rest, and with false when `signal` is aborted or the run is over before. */
  leavesIdle(signal: AbortSignal): Promise<boolean> {
    if (this.#state.state !== 'idle') return Promise.resolve(true);
    return new Promise((resolve) => {
      const done = (hasLeft: boolean) => {
        this.#leaving.delete(done);
        resolve(hasLeft);
      };
      this.#leaving.add(done);
      for (const end of [signal, this.over]) end.addEventListener('abort', () => done(false), { once: true, signal });
    });
  }

  /** The program's output is read by `bridge` from now on. */
  listenTo(bridge: PtyBridge): void {
    this.#bridge = bridge;
    this.#prepare();
  }

  /** Takes in what the agent said. Late signals are put in order by their time. */
  take(signals: readonly AgentSignal[]): void {
    for (const signal of signals) this.#step(this.#engine.advance(this.#state, signal, this.#clock.now()));
  }

  /** A program status or a title came in the output. */
  tell(event: ProgramEvent): void {
    const context: SignalContext = { at: this.#clock.now(), run: this.run, agent_session: this.#state.agent_session };
    if (event.type === 'status') {
      this.take(programStatusSignals(event.status, context));
      this.#onStatus?.();
    } else if (this.agent !== undefined) this.take(titleSignals(this.agent, event.title, context));
  }

  /** Calls `listener` behind every program status. */
  whenStatus(listener: () => void): void {
    this.#onStatus = listener;
  }

  /** What a client said of the session, whatever the sources say. */
  assert(told: Told, at: number): void {
    this.#step(this.#engine.assert(this.#state, told, at));
  }

  /** What {@link assert} would make of it. */
  wouldShow(told: Told, at: number): Activity | undefined {
    return shownActivity(this.#engine.assert(this.#state, told, at).state);
  }

  /** The user has seen that the work is done. */
  seen(): void {
    this.#step({ state: this.#engine.seen(this.#state) });
  }

  /** The run is over. Nothing is told from now on. */
  end(): void {
    this.#over.abort();
    this.#begun.resolve();
    clearTimeout(this.#timer);
    this.#bridge = undefined;
  }

  #step(step: Advanced): void {
    if (this.#over.signal.aborted) return;
    const isNews = step.state !== this.#state;
    this.#state = step.state;
    if (isNews) this.#onStep(step);
    if (step.state.state !== 'unknown') this.#begun.resolve();
    if (step.state.state !== 'idle') for (const tell of [...this.#leaving]) tell(true);
    this.#prepare();
  }

  /** Sets the one timer, and asks for the next output where that would be news. */
  #prepare(): void {
    if (this.#over.signal.aborted) return;
    clearTimeout(this.#timer);
    const due = this.#engine.dueAt(this.#state);
    if (due !== undefined) this.#timer = setTimeout(() => this.#tick(), this.#timeUntil(due)).unref();
    if (this.#bridge === undefined || this.#awaitsOutput || !this.#engine.wantsOutput(this.#state)) return;
    this.#awaitsOutput = true;
    this.#bridge.whenNextOutput(() => {
      this.#awaitsOutput = false;
      this.take([{ source: 'output', at: this.#clock.now(), run: this.run }]);
    });
  }

  #timeUntil(due: number): number {
    return Math.min(LONGEST_TIMER_MS, Math.max(1, due - this.#clock.now()));
  }

  #tick(): void {
    this.#step(this.#engine.tick(this.#state, this.#clock.now(), this.#bridge?.lastOutputAt));
  }
}
