import { MaestroError } from '../../protocol/index.js';
import { resumeCommand } from '../agents/presets.js';
import type { SessionContext } from './session-context.js';
import type { SessionEntry } from './session-entry.js';
import { labelOf } from './session-view.js';

/**
 * Throws `already_running` when a resume would open the conversation that another session is in: agents do not expect two writers of one
 * transcript. That happens where one was opened by hand in a second session, which then reported it as its own.
 */
export function requireOnlyWriter({ registry, presets }: SessionContext, entry: SessionEntry): void {
  const { record } = entry;
  const command = resumeCommand(record, presets);
  if (record.agent_session === undefined || command === record.command) return;
  const writer = registry
    .entries()
    .filter((other) => other !== entry && mayWrite(other) && other.record.agent_session === record.agent_session)
    .find((other) => resumeCommand(other.record, presets) === command);
  if (writer === undefined) return;
  throw new MaestroError(
    'already_running',
    `${labelOf(record)} would come back to the conversation that ${labelOf(writer.record)} is in; stop that one first`,
    { details: { id: writer.id } },
  );
}

/** True while the session has a program, also one that could not be taken over yet, or is about to have one. */
function mayWrite({ phase, record }: SessionEntry): boolean {
  return phase.kind !== 'removing' && (phase.kind !== 'resting' || record.status === 'running');
}
