import { readAncestors } from './ancestors.js';
import { composeReport } from './compose-report.js';
import type { Json } from './prune.js';
import { ReportQueue } from './report-queue.js';
import { type SessionEnv, sessionEnv } from './session-env.js';

const TOLD = /^(?:session\.(?:created|status|idle|error)|permission\..+|question\..+)$/;

interface OpenCodeEvent {
  readonly type: string;
  readonly properties?: unknown;
}

interface OpenCodeHooks {
  event?(input: { readonly event: OpenCodeEvent }): Promise<void>;
  'chat.message'?(input: unknown): Promise<void>;
}

/**
 * The plugin that OpenCode loads, in its own process. It tells the daemon of the events that say what OpenCode does; nothing of it waits,
 * and nothing is thrown. OpenCode calls every function that this module exports.
 */
export const MaestroPlugin = async (): Promise<OpenCodeHooks> => {
  const session = sessionEnv(process.env);
  if (session === undefined) return {};
  const tell = teller(session);
  tell({ type: 'init' });
  return {
    event: async ({ event }) => {
      if (TOLD.test(event.type)) tell({ type: event.type, properties: event.properties });
    },
    'chat.message': async (input) => tell({ type: 'chat.message', properties: input }),
  };
};

/** What is told is written down at once, as OpenCode may change it later. No two reports have the same time. */
function teller(session: SessionEnv): (event: OpenCodeEvent) => void {
  const queue = new ReportQueue(session);
  const ancestors = readAncestors();
  let at = 0;
  return (event) => {
    try {
      at = Math.max(at + 1, Date.now());
      const payload = JSON.parse(JSON.stringify(event)) as Json;
      const report = composeReport({ agent: 'opencode', run: session.run, at, pid: process.pid, ancestors }, payload);
      if (report !== undefined) queue.push(report);
    } catch {
      // What is no JSON is none of the events that count.
    }
  };
}
