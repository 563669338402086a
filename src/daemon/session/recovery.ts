import type { PaneInfo } from '../panes/panes.js';
import { type Sidecar, SidecarSchema } from '../store/sidecar.js';
import type { SidecarProblem } from '../store/sidecar-store.js';
import { adoptSession } from './adopt-session.js';
import { inParallel } from './in-parallel.js';
import { isStorageFailure, storeLastScreen } from './last-screen.js';
import { rebuildWorktrees } from './rebuilt-worktree.js';
import { messageOf } from './record-keeper.js';
import { finishWorktrees, killAgain } from './recovered-worktrees.js';
import { planRecovery, type RecoveryFacts, type RecoveryStep } from './recovery-plan.js';
import type { SessionContext } from './session-context.js';
import { removeDeadPane } from './session-end.js';
import { SessionEntry } from './session-entry.js';
import { ended, killed, lost, lostInReboot, resumeUndone } from './session-record.js';
import { abandonPane, discard, endProcesses } from './session-remains.js';
import { finishStop } from './stop-session.js';

/** Sessions that are taken back at the same time. More only makes tmux's queue longer. */
const PARALLEL = 8;

export interface RecoverySummary {
  readonly adopted: number;
  readonly dormant: number;
  readonly dead: number;
  /** The ids of the sessions that this recovery found to be lost. */
  readonly lost: readonly string[];
  readonly warnings: readonly string[];
}

/** Takes back every session that an earlier daemon knew, or that tmux still runs. Runs before the API listens. */
export class Recovery {
  readonly #context: SessionContext;
  readonly #facts: RecoveryFacts;
  readonly #lost: string[] = [];
  readonly #warnings: string[] = [];
  #readOnly: ReadonlySet<string> = new Set();

  constructor(context: SessionContext, facts: RecoveryFacts) {
    this.#context = context;
    this.#facts = facts;
  }

  async run(): Promise<RecoverySummary> {
    const { sidecars, scrollbacks, panes, tombstones, log, registry } = this.#context;
    const { worktrees, salvages } = this.#context;
    const [loaded, , ...notes] = await Promise.all([sidecars.load(), scrollbacks.load(), worktrees.load(), salvages.load()]);
    for (const note of notes.flat()) this.#warn('worktrees', note);
    this.#readOnly = new Set(loaded.readOnly.map((sidecar) => sidecar.id));
    for (const problem of loaded.problems) this.#warn(problem.path, problemText(problem));
    const known = new Map([...loaded.sidecars, ...loaded.readOnly].map((sidecar) => [sidecar.id, sidecar]));
    const found = new Map((await panes.listSessions()).map((pane) => [pane.sessionId, pane]));
    const buried = new Set(await tombstones.list());
    const ids = [...new Set([...known.keys(), ...found.keys(), ...buried])];
    log.info({ records: known.size, panes: found.size }, 'taking sessions back');
    let done = 0;
    await inParallel(ids, PARALLEL, async (id) => {
      const step = planRecovery({ id, sidecar: known.get(id), pane: found.get(id), buried: buried.has(id) }, this.#facts);
      await this.#take(id, step);
      done += 1;
      if (done % 100 === 0) log.info({ done, of: ids.length }, 'taking sessions back');
    });
    await finishWorktrees(this.#context);
    for (const problem of await rebuildWorktrees(this.#context)) this.#warn('worktrees', problem);
    const entries = registry.entries();
    await this.#context.fifos.sweep(new Set(entries.flatMap((entry) => (entry.live ? [entry.live.fifo] : []))));
    return this.#summary(entries);
  }

  async #take(id: string, step: RecoveryStep): Promise<void> {
    try {
      await this.#carryOut(step);
      killAgain(this.#context, id);
    } catch (error) {
      this.#warn(id, `a session could not be taken back: ${messageOf(error)}`);
      if ('sidecar' in step && !this.#context.registry.find(id)) this.#rest(step.sidecar);
    }
  }

  async #carryOut(step: RecoveryStep): Promise<void> {
    const { clock } = this.#context;
    switch (step.kind) {
      case 'adopt':
        return this.#adopt(step);
      case 'adopt_unknown':
        return this.#adoptUnknown(step.pane);
      case 'seal':
        return this.#seal(step.sidecar, step.pane);
      case 'lose':
        this.#lost.push(step.sidecar.id);
        return this.#settle(step.sidecar, (record) => lost(record, clock.now()));
      case 'reboot':
        this.#lost.push(step.sidecar.id);
        return this.#settle(step.sidecar, (record) => lostInReboot(record, clock.now()));
      case 'undo_resume':
        return this.#settle(step.sidecar, (record) => resumeUndone(record, clock.now()));
      case 'keep':
        this.#rest(step.sidecar);
        if (step.endPane) await removeDeadPane(this.#context, step.endPane);
        return;
      case 'killed':
        return this.#settle(step.sidecar, (record) => killed(record, clock.now()));
      case 'undo_create':
        await this.#context.worktrees.doom(step.id, 'salvage');
        return this.#bury(step.id, step.pane);
      case 'bury':
        return this.#bury(step.id, step.pane);
      case 'ignore':
        return;
    }
  }

  async #adopt(step: Extract<RecoveryStep, { kind: 'adopt' }>): Promise<void> {
    const entry = await this.#takeOver(step.sidecar, step.pane);
    if (step.finishStop) finishStop(this.#context, entry);
  }

  async #takeOver(sidecar: Sidecar, pane: PaneInfo, warning?: string): Promise<SessionEntry> {
    const entry = this.#rest(sidecar, warning);
    await adoptSession(this.#context, entry, pane);
    return entry;
  }

  /** The sidecar is gone, but the pane carries a copy of it. */
  async #adoptUnknown(pane: PaneInfo): Promise<void> {
    const record = await this.#recordOf(pane);
    if (record === undefined) {
      this.#warn(pane.sessionId, 'a pane carries our marker and no record that can be read; it is left alone');
      return;
    }
    const warning = 'Its record on disk was missing or unreadable; this one was kept with the pane and may be older.';
    this.#warn(pane.sessionId, warning);
    if (pane.dead) await this.#seal(record, pane, warning);
    else await this.#takeOver(record, pane, warning);
  }

  async #recordOf(pane: PaneInfo): Promise<Sidecar | undefined> {
    const text = await this.#context.panes.record(pane);
    if (text === undefined) return undefined;
    try {
      const parsed = SidecarSchema.safeParse(JSON.parse(text));
      if (!parsed.success || parsed.data.id !== pane.sessionId) return undefined;
      const { intent: _intent, ...record } = parsed.data;
      return { ...record, status: 'running' };
    } catch {
      return undefined;
    }
  }

  /**
   * A dead pane has no pipe any more; what it last showed is still in tmux. It goes last: until its end is written down it is all that
   * knows of that, and where the record is lost, all that knows of the session.
   */
  async #seal(sidecar: Sidecar, pane: PaneInfo, warning?: string): Promise<void> {
    const { clock, confirmMs } = this.#context;
    await storeLastScreen(this.#context, sidecar, pane).catch((error: unknown) => {
      if (isStorageFailure(error)) this.#warn(sidecar.id, messageOf(error));
      else throw error;
    });
    const end = { ...pane.exit, at: pane.deadAt ?? clock.now() };
    await this.#settle(sidecar, (record) => ended(record, end, { now: clock.now(), confirmMs }), warning);
    await removeDeadPane(this.#context, pane);
  }

  async #settle(sidecar: Sidecar, transition: (record: Sidecar) => Sidecar, warning?: string): Promise<void> {
    const entry = this.#rest(sidecar, warning);
    await this.#context.keeper.observe(entry, transition);
  }

  #rest(sidecar: Sidecar, warning?: string): SessionEntry {
    const entry = this.#entry(sidecar, warning);
    this.#context.registry.add(entry);
    return entry;
  }

  #entry(sidecar: Sidecar, warning?: string): SessionEntry {
    const readOnly = this.#readOnly.has(sidecar.id);
    const newer = readOnly ? 'It was written by a newer Maestro and is shown only.' : undefined;
    return new SessionEntry(sidecar, { kind: 'resting' }, { readOnly, warning: warning ?? newer });
  }

  async #bury(id: string, pane: PaneInfo | undefined): Promise<void> {
    const { tombstones } = this.#context;
    if (!(await tombstones.has(id))) await tombstones.bury(id);
    if (pane) await abandonPane(this.#context, pane);
    else await endProcesses(this.#context, id);
    await discard(this.#context, id);
  }

  #warn(subject: string, message: string): void {
    this.#context.log.warn({ subject }, message);
    this.#warnings.push(`${subject}: ${message}`);
  }

  #summary(entries: readonly SessionEntry[]): RecoverySummary {
    const count = (status: Sidecar['status']) => entries.filter((entry) => entry.record.status === status).length;
    return { adopted: count('running'), dormant: count('dormant'), dead: count('dead'), lost: this.#lost, warnings: this.#warnings };
  }
}

function problemText({ reason, movedTo }: SidecarProblem): string {
  return movedTo === undefined
    ? `a session record is not whole: ${reason}`
    : `a session record could not be used: ${reason}; it was kept as ${movedTo}`;
}
