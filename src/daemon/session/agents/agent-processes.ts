import type { ReportRequest } from '../../../protocol/index.js';
import { type Ancestor, judgeReporter } from '../../agents/sources/reporting-process.js';
import type { ProcessTree } from '../../panes/process-tree.js';

/** A run of a session whose pane is there. */
export interface PaneOfRun {
  readonly sessionId: string;
  readonly run: number;
  /** The pid of the pane's wrapper. */
  readonly root: number;
}

/** Agents whose plugin reports from their own process, and not from one that they start for it. */
const REPORTS_ITSELF: ReadonlySet<string> = new Set(['opencode']);

/** Which process is the agent of each session, by who has reported from its pane so far. */
export class AgentProcesses {
  readonly #processes: ProcessTree;
  readonly #agents = new Map<string, { readonly run: number; readonly pid: number | undefined }>();

  constructor(processes: ProcessTree) {
    this.#processes = processes;
  }

  /** The agent's own process, once it has reported. */
  agentOf(sessionId: string, run: number): number | undefined {
    const known = this.#agents.get(sessionId);
    return known?.run === run ? known.pid : undefined;
  }

  /** Why a report is not of the agent that runs in the pane, or undefined if it is. */
  async whyForeign(pane: PaneOfRun, report: ReportRequest): Promise<string | undefined> {
    const { sessionId, run, root } = pane;
    const agent = this.agentOf(sessionId, run);
    const judged = judgeReporter({ ancestors: await this.#lineOf(report), root, agent });
    if (judged.from === 'foreign') return `process ${report.pid}, which reports it, is not below the session's pane`;
    if (judged.from === 'nested') return 'it is of an agent that the session’s agent started';
    this.#agents.set(sessionId, { run, pid: judged.agent });
    return undefined;
  }

  /** True for a process of the pane that the session's agent did not start. */
  async owns(pane: PaneOfRun, pid: number): Promise<boolean> {
    if (!(await this.#processes.isWithin(pid, pane.root))) return false;
    const agent = this.agentOf(pane.sessionId, pane.run);
    return agent === undefined || pid === agent || !(await this.#processes.isWithin(pid, agent));
  }

  /** What runs below a pane, the wrapper included. */
  async below(pane: PaneOfRun): Promise<readonly number[]> {
    return (await this.#processes.processesUnder(pane.root)).map(({ pid }) => pid);
  }

  forget(sessionId: string): void {
    this.#agents.delete(sessionId);
  }

  /** The agent and all above it. A reporter that could read no more than its parent is asked about while it waits for the answer. */
  async #lineOf({ agent, pid, ancestors }: ReportRequest): Promise<readonly Ancestor[]> {
    const [parent, ...others] = ancestors;
    const line = parent !== undefined && others.length === 0 && parent.pid > 1 ? await this.#readLine(parent) : ancestors;
    return REPORTS_ITSELF.has(agent) ? [{ pid, name: agent }, ...line] : line;
  }

  async #readLine(parent: Ancestor): Promise<readonly Ancestor[]> {
    const above = await this.#processes.ancestorsOf(parent.pid);
    return [parent, ...above.map(({ pid, name }) => ({ pid, name: name ?? '' }))];
  }
}
