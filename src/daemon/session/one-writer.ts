import { MaestroError } from '../../protocol/index.js';
import { resumeCommand } from '../agents/presets.js';
import type { Sidecar } from '../store/sidecar.js';
import type { SessionContext } from './session-context.js';
import type { SessionEntry } from './session-entry.js';
import { labelOf } from './session-view.js';

/**
 * Throws `already_running` when a program would open the conversation that another session is in: agents do not expect two writers of one
 * transcript. That happens where one was opened by hand in a second session, which then reported it as its own.
 */
export function requireOnlyWriter(context: SessionContext, record: Sidecar): void {
  const conversation = conversationOf(context, record);
  if (conversation === undefined) return;
  const writer = context.registry
    .entries()
    .find((other) => other.id !== record.id && mayWrite(other) && conversationOf(context, other.record) === conversation);
  if (writer === undefined) return;
  throw new MaestroError(
    'already_running',
    `${labelOf(record)} would come back to the conversation that ${labelOf(writer.record)} is in; stop that one first`,
    { details: { id: writer.id } },
  );
}

/** Another text for every conversation of any agent; undefined for a program that begins anew each time. */
function conversationOf({ launches, presets }: SessionContext, record: Sidecar): string | undefined {
  const { agent_session, command } = record;
  if (agent_session === undefined) return undefined;
  const agent = launches.agentOf(record);
  if (agent !== undefined) return `${agent.adapter.id} ${agent_session}`;
  const resume = resumeCommand(record, presets);
  return resume === command ? undefined : resume;
}

/** True while the session has a program, also one that could not be taken over yet, or is about to have one. */
function mayWrite({ phase, record }: SessionEntry): boolean {
  return phase.kind !== 'removing' && (phase.kind !== 'resting' || record.status === 'running');
}
