import {
  type ActivityRequest,
  type Conversation,
  type CreateSessionRequest,
  type InputRequest,
  type InputResult,
  type KillQuery,
  type KillResult,
  MaestroError,
  type PatchSessionRequest,
  type ResumeRequest,
  type Session,
  type SessionEvent,
  type Size,
} from '../../protocol/index.js';
import { reported, shown } from './agent-record.js';
import { promptLineStands, submitPrompt } from './agents/prompting.js';
import { storedConversations } from './agents/stored-conversations.js';
import { createSession } from './create-session.js';
import { inParallel } from './in-parallel.js';
import { killSession } from './kill-session.js';
import { requireListening } from './listening.js';
import type { LiveSession } from './live-session.js';
import { prune } from './prune.js';
import { resumeSession } from './resume-session.js';
import type { SessionContext } from './session-context.js';
import { storeScrollback } from './session-end.js';
import type { SessionEntry } from './session-entry.js';
import { lookedAt, patched, resized } from './session-record.js';
import { eraseAgain } from './session-remains.js';
import { labelOf } from './session-view.js';
import { restartSession, stopSession } from './stop-session.js';
import { storedOutput } from './stored-output.js';
import { typedKeys } from './typed-keys.js';

/** Scrollbacks written at the same time: the disk gains nothing from more. */
const FLUSH_PARALLEL = 4;

export interface ScreenOptions {
  readonly ansi: boolean;
  readonly history: number;
}

/** What can be done with sessions: the daemon's functions, whoever asks for them. */
export class SessionManager {
  readonly #context: SessionContext;
  readonly #underWay = new Set<Promise<unknown>>();
  #closing = false;

  constructor(context: SessionContext) {
    this.#context = context;
  }

  list(): Session[] {
    return this.#context.registry.list();
  }

  get(id: string): Session {
    return this.#context.registry.need(id).view();
  }

  /** Calls `listener` with every change until `signal` aborts. */
  subscribe(listener: (event: SessionEvent) => void, signal: AbortSignal): void {
    this.#context.registry.subscribe(listener, signal);
  }

  create(request: CreateSessionRequest): Promise<Session> {
    return this.#track(() => createSession(this.#context, request));
  }

  resume(id: string, request: ResumeRequest = {}): Promise<Session> {
    return this.#track(() => resumeSession(this.#context, id, request));
  }

  stop(id: string): Promise<Session> {
    return this.#whenBorn(id, () => this.#track(() => stopSession(this.#context, id)));
  }

  restart(id: string): Promise<Session> {
    return this.#whenBorn(id, () => this.#track(() => restartSession(this.#context, id)));
  }

  kill(id: string, query: KillQuery = {}): Promise<KillResult> {
    return this.#whenBorn(id, () => this.#track(() => killSession(this.#context, id, query)));
  }

  patch(id: string, request: PatchSessionRequest): Promise<Session> {
    return this.#whenBorn(id, () => this.#change(id, (record, now) => patched(record, request.metadata, now)));
  }

  report(id: string, request: ActivityRequest): Promise<Session> {
    return this.#whenBorn(id, async () => {
      const tracker = this.#context.activities.find(id);
      let at: number | undefined;
      const session = await this.#change(id, (record, now) => {
        const next = reported(record, request, now);
        if (tracker === undefined || next.activity === record.activity) return next;
        at = now;
        return shown(next, tracker.wouldShow(request, now));
      });
      // Only now, as what cannot be written is not the case.
      if (at !== undefined) tracker?.assert(request, at);
      return session;
    });
  }

  /** The conversations that the session's agent keeps for its directory, the newest first. */
  conversations(id: string): Promise<Conversation[]> {
    return storedConversations(this.#context, id);
  }

  /** A user looks at the session: work that is done counts as seen. */
  async seen(id: string): Promise<Session> {
    const { activities, registry } = this.#context;
    registry.need(id);
    activities.find(id)?.seen();
    await activities.noted(id);
    return this.#change(id, lookedAt);
  }

  /** Sets the size without being a viewer; a viewer that comes into use later may set another. */
  async resize(id: string, size: Size): Promise<Session> {
    const entry = this.#context.registry.need(id);
    if (entry.live) entry.live.viewers.set(size);
    return this.#change(id, (record, now) => (sameSize(record.size, size) ? record : resized(record, size, now)));
  }

  /** A viewer has changed the size of a running session's pane. */
  noteSize(id: string, size: Size): void {
    const { registry, panes, keeper, clock, background } = this.#context;
    const entry = registry.find(id);
    if (!entry?.live) return;
    const { pane, viewers } = entry.live;
    background.start(async () => {
      await panes.resizeWindow(pane, size);
      // A size that came meanwhile is noted by its own resize, and may have been acknowledged already.
      if (sameSize(entry.record.size, size) || !sameSize(viewers.size, size)) return;
      await keeper.observe(entry, (record) => resized(record, size, clock.now()));
      registry.publish(entry);
    });
  }

  /** Resolves once it is typed. For a prompt that is submitted to an agent at rest, also tells whether that begins with it. */
  async input(id: string, request: InputRequest): Promise<InputResult> {
    const { live, entry } = this.#needLive(id);
    if ('keys' in request) {
      const keys = typedKeys(request.keys, { modes: live.bridge.modes, isAgent: entry.record.activity !== undefined });
      await this.#track(() => live.send({ keys }));
      return { delivered: true };
    }
    requireListening(this.#context, entry, request);
    const tracker = request.submit ? this.#context.activities.find(id) : undefined;
    if (tracker?.state.state !== 'idle' || !tracker.isReporting) {
      await this.#track(() => live.send(request));
      return { delivered: true };
    }
    await promptLineStands(tracker, live);
    requireListening(this.#context, entry, request);
    return { delivered: true, begun: await this.#track(() => submitPrompt(tracker, live, request.text)) };
  }

  /** The running session's bridge, input and viewers. Rejects with `not_running` where no program runs. */
  live(id: string): LiveSession {
    return this.#needLive(id).live;
  }

  /** What tmux shows of the running program. */
  screen(id: string, options: ScreenOptions): Promise<Buffer> {
    return this.#context.panes.capturePane(this.#needLive(id).live.pane, options);
  }

  /** What the session has put out, as far as it is kept: all of it, or its newest bytes, at most `tail`. */
  async scrollback(id: string, tail?: number): Promise<Buffer> {
    return storedOutput(this.#context, this.#context.registry.need(id), tail);
  }

  /** Writes the scrollback of every session that has new output, and does what the disk did not allow before. */
  async flush(): Promise<void> {
    const { registry, keeper, salvages } = this.#context;
    const entries = registry.entries();
    await Promise.all([keeper.retry(entries), salvages.retry(), eraseAgain(this.#context)]);
    await inParallel(entries, FLUSH_PARALLEL, async (entry) => {
      if (entry.phase.kind === 'running') await storeScrollback(this.#context, entry, entry.phase.live);
    });
  }

  /** Removes what has been dead for longer than `retentionMs`. */
  prune(retentionMs: number): Promise<void> {
    return prune(this.#context, retentionMs);
  }

  /**
   * Ends the daemon's part: nothing new is begun, what is under way is finished, scrollbacks are flushed, viewers are told. Panes and
   * programs live on.
   */
  async close(): Promise<void> {
    this.#closing = true;
    await Promise.allSettled(this.#underWay);
    this.#context.activities.close();
    await this.#context.background.idle();
    await this.flush();
    await Promise.all(this.#context.registry.entries().map((entry) => entry.live?.close()));
  }

  /** A program may ask something of its own session, be it to report or to end it, before the create is written down. */
  #whenBorn<T>(id: string, operation: () => Promise<T>): Promise<T> {
    const born = this.#context.registry.find(id)?.born;
    return born === undefined ? operation() : born.then(operation);
  }

  async #change(id: string, transition: (record: SessionEntry['record'], now: number) => SessionEntry['record']): Promise<Session> {
    const { registry, keeper, clock } = this.#context;
    const entry = registry.need(id);
    const before = entry.record;
    await keeper.commit(entry, (record) => transition(record, clock.now()));
    if (entry.phase.kind === 'removing') registry.need(id);
    if (entry.record !== before) {
      registry.publish(entry);
      await keeper.mirror(entry);
    }
    return entry.view();
  }

  #needLive(id: string): { entry: SessionEntry; live: LiveSession } {
    const entry = this.#context.registry.need(id);
    if (entry.phase.kind === 'running') return { entry, live: entry.phase.live };
    const hint = entry.record.status === 'running' ? 'is just starting or ending' : `is ${entry.record.status}; resume it first`;
    throw new MaestroError('not_running', `${labelOf(entry.record)} ${hint}`, { details: { id } });
  }

  async #track<T>(operation: () => Promise<T>): Promise<T> {
    if (this.#closing)
      throw new MaestroError('tmux_unavailable', 'Maestro is stopping; nothing new is begun. Start it again with `maestro up`');
    const running = operation();
    this.#underWay.add(running);
    try {
      return await running;
    } finally {
      this.#underWay.delete(running);
    }
  }
}

function sameSize(a: Size, b: Size): boolean {
  return a.cols === b.cols && a.rows === b.rows;
}
