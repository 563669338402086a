import { join } from 'node:path';
import { claudeStatusFileSignals } from '../../agents/activity/claude-status-file.js';
import { ClaudeStatusWatch } from '../../agents/sources/claude-status-watch.js';
import { openCodexConversation } from '../../agents/sources/codex-conversation.js';
import type { Clock } from '../../clock.js';
import type { Log } from '../../log.js';
import type { Sidecar } from '../../store/sidecar.js';
import type { RunningAgent } from '../activity/session-activities.js';
import type { Background } from '../background.js';
import { messageOf } from '../record-keeper.js';
import type { AgentProcesses, PaneOfRun } from './agent-processes.js';

interface AgentSourcesParts {
  readonly processes: AgentProcesses;
  /** The whole environment of a session's program. */
  readonly environmentOf: (record: Sidecar) => Record<string, string>;
  readonly home: string;
  readonly clock: Clock;
  readonly background: Background;
  readonly log: Log;
}

/** What tells of agents beside their reports and their output: a status file of Claude's, and the conversations that Codex has open. */
export class AgentSources implements Disposable {
  readonly #parts: AgentSourcesParts;
  readonly #statuses: ClaudeStatusWatch;

  constructor(parts: AgentSourcesParts) {
    this.#parts = parts;
    this.#statuses = new ClaudeStatusWatch({
      onProblem: (directory, error) => parts.log.warn({ directory, error: messageOf(error) }, "Claude's status files cannot be watched"),
    });
  }

  follow(record: Sidecar, running: RunningAgent): void {
    const { tracker, pane, signal } = running;
    const place: PaneOfRun = { sessionId: record.id, run: record.run, root: pane.pid };
    signal.addEventListener('abort', () => this.#parts.processes.forget(record.id), { once: true });
    if (tracker.agent === 'claude') this.#followStatus(record, running, place);
    if (tracker.agent === 'codex') this.#followConversation(running, place);
  }

  [Symbol.dispose](): void {
    this.#statuses.close();
  }

  #followStatus(record: Sidecar, { tracker, signal }: RunningAgent, place: PaneOfRun): void {
    const { processes, environmentOf, home, clock } = this.#parts;
    const env = environmentOf(record);
    this.#statuses.follow({
      directory: env.CLAUDE_CONFIG_DIR || join(env.HOME ?? home, '.claude'),
      owns: (pid) => processes.owns(place, pid),
      onStatus: (file) => {
        const { agent_session } = tracker.state;
        tracker.take(claudeStatusFileSignals(file, { at: clock.now(), run: tracker.run, agent_session }));
      },
      signal,
    });
  }

  /** Codex tells of its conversation only by the file that it has open. It is looked for whenever it says that it does something else. */
  #followConversation({ tracker, signal }: RunningAgent, place: PaneOfRun): void {
    const { processes, background, clock } = this.#parts;
    let isLooking = false;
    let isAskedAgain = false;
    const look = async (): Promise<void> => {
      do {
        isAskedAgain = false;
        const agent_session = await openCodexConversation(await processes.below(place));
        if (agent_session === undefined || agent_session === tracker.state.agent_session) continue;
        const begins = tracker.state.agent_session === undefined ? 'startup' : 'clear';
        const event = `conversation ${agent_session} is open`;
        tracker.take([{ source: 'program_status', at: clock.now(), run: tracker.run, agent_session, begins, scope: 'root', event }]);
      } while (isAskedAgain && !signal.aborted);
    };
    tracker.whenStatus(() => {
      isAskedAgain = true;
      if (isLooking) return;
      isLooking = true;
      background.start(() =>
        look().finally(() => {
          isLooking = false;
        }),
      );
    });
  }
}
