import { createHash } from 'node:crypto';
import { MaestroError, type ReportRequest } from '../../../protocol/index.js';
import type { AgentSignal } from '../../agents/activity/agent-signal.js';
import type { ReportKey } from '../../store/report-key.js';
import type { ReportSpool } from '../../store/report-spool.js';
import type { ActivityTracker } from '../activity/activity-tracker.js';
import type { SessionActivities } from '../activity/session-activities.js';
import { conversationReported, speakingRun } from '../agent-record.js';
import { messageOf } from '../record-keeper.js';
import type { SessionContext } from '../session-context.js';
import type { SessionEntry } from '../session-entry.js';
import type { AgentProcesses } from './agent-processes.js';
import { translatorOf } from './agent-translators.js';

interface AgentReportsParts {
  readonly context: SessionContext;
  readonly activities: SessionActivities;
  readonly key: ReportKey;
  readonly spool: ReportSpool;
  readonly processes: AgentProcesses;
}

/** What one report came to. */
export interface ReportOutcome {
  readonly believed: boolean;
  /** Why not. */
  readonly why?: string;
}

/** Reports of the last while that came, so that one which was both delivered and spooled counts once. */
const REMEMBERED = 500;

/**
 * Takes what agents report of themselves from inside their sessions. A report is believed when it bears the token of the session's run,
 * and comes from the agent that runs in the session's pane: not from one that another session started, nor from an agent that the agent
 * started itself.
 */
export class AgentReports {
  readonly #parts: AgentReportsParts;
  #recent = new Set<string>();

  constructor(parts: AgentReportsParts) {
    this.#parts = parts;
  }

  /**
   * Resolves once what follows from the report is on disk. Throws `unauthorized` for a wrong token, `not_found` for an unknown session,
   * `invalid_request` for an agent that reports nothing that Maestro understands.
   */
  async take(id: string, report: ReportRequest, token: string | undefined): Promise<ReportOutcome> {
    const { registry } = this.#parts.context;
    if (token === undefined || !this.#parts.key.accepts(token, id, report.run)) {
      throw new MaestroError('unauthorized', 'a report bears the MAESTRO_REPORT_TOKEN of its session and run', { details: { id } });
    }
    const translate = translatorOf(report.agent);
    if (translate === undefined) {
      const details = { field: 'agent', value: report.agent };
      throw new MaestroError('invalid_request', `agent: nothing is known of reports by ${JSON.stringify(report.agent)}`, { details });
    }
    // It may be the first thing that the program does, before the session is there for anybody else.
    await registry.find(id)?.born;
    const entry = registry.need(id);
    if (this.#isRepeated(id, report)) return { believed: false, why: 'it has come before' };
    const signals = translate(report.payload, { at: report.at, run: report.run, agent_session: entry.record.agent_session });
    const why = await this.#believe(entry, report, signals);
    await this.#parts.activities.noted(id);
    if (why === undefined) return { believed: true };
    this.#parts.activities.refuse(id, `${report.agent} ${signals[0]?.event ?? 'report'}`, why);
    return { believed: false, why };
  }

  /** Takes in what cannot be delivered from now on, as it comes. */
  watchSpool(signal: AbortSignal): void {
    this.#parts.spool.watch(() => this.#parts.context.background.start(() => this.drain()), signal);
  }

  /** Takes in what could not be delivered. What the disk does not let be taken in is kept. Never rejects. */
  async drain(): Promise<void> {
    const { log } = this.#parts.context;
    const { spool } = this.#parts;
    await spool
      .drain(async ({ token, id, ...report }) => {
        await this.take(id, report, token).catch((error: unknown) => {
          if (error instanceof MaestroError && error.code === 'storage_failed') throw error;
          log.debug({ session: id, error: messageOf(error) }, 'a spooled report was dropped');
        });
      })
      .catch((error: unknown) => log.warn({ error: messageOf(error) }, 'reports that were spooled cannot be read; tried again later'));
  }

  /** Answers why it is not believed. */
  async #believe(entry: SessionEntry, report: ReportRequest, signals: readonly AgentSignal[]): Promise<string | undefined> {
    const { record, live } = entry;
    if (report.run < speakingRun(record)) return `it is of run ${report.run}, and this is run ${record.run}`;
    const tracker = this.#parts.activities.find(entry.id);
    if (tracker?.run !== report.run || live === undefined) return this.#late(entry, report, signals);
    const why =
      foreignAgent(tracker, report.agent) ??
      (await this.#parts.processes.whyForeign({ sessionId: entry.id, run: report.run, root: live.pane.pid }, report));
    if (why === undefined) tracker.take(signals);
    return why;
  }

  /** The program is gone, and what it was doing with it; but which conversation it was in is still worth knowing (R3). */
  async #late(entry: SessionEntry, { run }: ReportRequest, signals: readonly AgentSignal[]): Promise<string | undefined> {
    const conversation = signals.findLast(({ scope, begins, agent_session }) => scope !== 'sub_agent' && begins && agent_session);
    const { agent_session = entry.record.agent_session } = conversation ?? {};
    if (agent_session === undefined || agent_session === entry.record.agent_session) return undefined;
    const { keeper, clock, registry } = this.#parts.context;
    await keeper.commit(entry, (record) => conversationReported(record, { run, agent_session }, clock.now()));
    registry.publish(entry);
    return undefined;
  }

  #isRepeated(id: string, { run, pid, at, payload }: ReportRequest): boolean {
    // A hash, as payloads are large and many are remembered.
    const mark = createHash('sha256')
      .update(JSON.stringify([id, run, pid, at, payload]))
      .digest('base64');
    if (this.#recent.has(mark)) return true;
    if (this.#recent.size >= REMEMBERED) this.#recent = new Set([...this.#recent].slice(REMEMBERED / 2));
    this.#recent.add(mark);
    return false;
  }
}

/** A session whose agent is known hears no other: that one was started by it. */
function foreignAgent({ agent }: ActivityTracker, reporter: string): string | undefined {
  return agent === undefined || agent === reporter ? undefined : `it is of ${reporter}, and the session runs ${agent}`;
}
