import type { PaneInfo } from '../panes/panes.js';
import { adoptSession } from './adopt-session.js';
import { rearmPipe } from './rearm-pipe.js';
import { messageOf } from './record-keeper.js';
import { killAgain } from './recovered-worktrees.js';
import type { SessionContext } from './session-context.js';
import { paneEnded, paneLost, removeDeadPane, unreachedEnded } from './session-end.js';
import type { Phase, SessionEntry } from './session-entry.js';
import { endedInReboot, lostInReboot, resumeConfirmed } from './session-record.js';
import { abandonPane } from './session-remains.js';
import { finishStop } from './stop-session.js';

/** Every so many looks, tmux is asked for all that it knows: what no pulse shows must not stay unseen for ever. */
const WHOLE_LOOK_BEATS = 60;

/** Something about the session is to be tried or noted with the next look, whatever tmux says. */
function isWaiting({ phase, record }: SessionEntry): boolean {
  if (phase.kind === 'resting') return record.status === 'running';
  return phase.kind === 'running' && (phase.live.isPipeBroken || phase.live.isOutputMissing || record.intent?.kind === 'resume');
}

/**
 * A program that runs has a living pane, and no dead one is left of a session that rests. What is on its way from one to the other is
 * looked at again: a program that ends before its create is told has nobody yet who would be told of its end.
 */
function isAsItShouldBe({ kind }: Phase, info: PaneInfo | undefined): boolean {
  return kind === 'running' ? info?.dead === false : kind === 'resting' && info?.dead !== true;
}

/**
 * Holds what tmux says against what the sessions say. Asked when tmux tells of a death and, as that can be missed, every so often; the
 * questions coalesce, so that a slow tmux is asked once at a time.
 */
export class LivenessWatcher {
  readonly #context: SessionContext;
  /** What tmux's pulse was before the last whole answer; undefined when the next look has to be a whole one. */
  #pulse: string | undefined;
  #beats = 0;
  #asking: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(context: SessionContext) {
    this.#context = context;
  }

  /**
   * The look that is taken every so often. As long as tmux's pulse is what it was and no session waits for anything, it costs one short
   * question; now and then a whole one is asked all the same.
   */
  async beat(): Promise<void> {
    this.#beats = (this.#beats + 1) % WHOLE_LOOK_BEATS;
    if (this.#pulse === undefined || this.#beats === 0 || this.#context.registry.entries().some(isWaiting)) return this.poll();
    try {
      if ((await this.#context.panes.pulse()) === this.#pulse) return;
    } catch (error) {
      this.#context.log.debug({ error: messageOf(error) }, 'tmux does not answer; every session stays as it is');
      return;
    }
    await this.poll();
  }

  /** Resolves once an answer that was asked for after this call is in. What follows from it goes on in the background. */
  poll(): Promise<void> {
    if (this.#asking !== undefined) {
      this.#next ??= this.#asking.then(() => {
        this.#next = undefined;
        return this.poll();
      });
      return this.#next;
    }
    this.#asking = this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** tmux's server has ended: every pane is gone, and who had just died unasked went down with the host. */
  tmuxLost(): void {
    const { registry, clock, log, background, tmuxLoss } = this.#context;
    tmuxLoss.at = clock.now();
    const entries = registry.entries();
    log.warn({ running: entries.filter((entry) => entry.phase.kind === 'running').length }, 'the tmux server is gone');
    for (const entry of entries) background.start(() => this.#lose(entry, clock.now()));
  }

  async #lose(entry: SessionEntry, lostAt: number): Promise<void> {
    // An end that is being taken in belongs to the host's going down as much as one that has been.
    if (entry.phase.kind === 'ending') await entry.phase.live.whenSettled();
    if (entry.phase.kind === 'running') await paneLost(this.#context, entry);
    else if (entry.phase.kind === 'resting' && endedInReboot(entry.record, lostAt)) {
      await this.#context.keeper.observe(entry, (record) => lostInReboot(record, lostAt));
      this.#context.registry.publish(entry);
    }
  }

  async #ask(): Promise<void> {
    const { registry, panes, log, background } = this.#context;
    // A pane that is made while tmux answers is not in the answer, and not missing.
    const asked = new Map(registry.entries().map((entry) => [entry, entry.phase]));
    let infos: PaneInfo[];
    let pulse: string;
    this.#pulse = undefined;
    try {
      pulse = await panes.pulse();
      infos = await panes.listSessions();
    } catch (error) {
      log.debug({ error: messageOf(error) }, 'tmux does not answer; every session stays as it is');
      return;
    }
    const found = new Map(infos.filter((info) => info.marked).map((info) => [info.sessionId, info]));
    let isSettled = true;
    for (const [entry, phase] of asked) {
      const info = found.get(entry.id);
      if (entry.phase === phase) background.start(() => this.#compare(entry, info));
      isSettled &&= entry.phase === phase && isAsItShouldBe(phase, info);
    }
    // What is not as it should be is looked at again, whether or not the pulse changes.
    if (isSettled) this.#pulse = pulse;
    for (const info of found.values()) {
      if (!registry.find(info.sessionId)) background.start(() => this.#endStray(info));
    }
  }

  async #compare(entry: SessionEntry, info: PaneInfo | undefined): Promise<void> {
    if (entry.phase.kind === 'resting') return this.#reach(entry, info);
    if (entry.phase.kind !== 'running') return;
    if (info === undefined) await paneLost(this.#context, entry);
    else if (info.dead) await paneEnded(this.#context, entry, info);
    else await this.#living(entry, info);
  }

  /** A program that recovery could not take over is still to be, and a dead pane that could not be taken out of tmux as well. */
  async #reach(entry: SessionEntry, info: PaneInfo | undefined): Promise<void> {
    if (entry.record.status !== 'running') {
      if (info?.dead === true) await removeDeadPane(this.#context, info);
      return;
    }
    if (info !== undefined && !info.dead) await adoptSession(this.#context, entry, info);
    else await unreachedEnded(this.#context, entry, info);
    // What recovery could not ask for again without the session in hand.
    finishStop(this.#context, entry);
    killAgain(this.#context, entry.id);
  }

  async #living(entry: SessionEntry, info: PaneInfo): Promise<void> {
    entry.live?.compareOutput(info.printedAt, this.#context.clock.monotonic());
    if (entry.live?.isPipeBroken === true) await rearmPipe(this.#context, entry);
    await this.#confirm(entry);
  }

  /** A resumed program that still runs after `resume_confirm` has come back. */
  async #confirm(entry: SessionEntry): Promise<void> {
    if (entry.record.intent?.kind !== 'resume' || !entry.live) return;
    if (this.#context.clock.monotonic() - entry.live.since < this.#context.confirmMs) return;
    await this.#context.keeper.observe(entry, resumeConfirmed);
  }

  /** A pane whose session was killed while tmux did not answer. */
  async #endStray(info: PaneInfo): Promise<void> {
    if (await this.#context.tombstones.has(info.sessionId)) await abandonPane(this.#context, info);
  }
}
