import { type InputRequest, MaestroError } from '../../protocol/index.js';
import type { SessionContext } from './session-context.js';
import type { SessionEntry } from './session-entry.js';
import { labelOf } from './session-view.js';

/**
 * Throws `waiting` when text would not be taken for a prompt: an agent that asks something takes a pasted text and its Enter for the answer,
 * and so runs what nobody has allowed. One that has not said yet that it is ready may be asking too, so nothing is submitted to it.
 */
export function requireListening(
  { activities }: SessionContext,
  entry: SessionEntry,
  request: Extract<InputRequest, { text: string }>,
): void {
  const label = labelOf(entry.record);
  const details = { id: entry.id };
  if (entry.record.activity?.state === 'waiting') {
    const text = `${label} waits for an answer, and text could be taken for one; answer it with keys first`;
    throw new MaestroError('waiting', text, { details });
  }
  if (request.submit !== true) return;
  if (activities.find(entry.id)?.isStarting !== true) return;
  const text = `${label} has not said yet that it is ready, and a dialog could take the text for its answer; try again in a moment, or send keys`;
  throw new MaestroError('waiting', text, { details });
}
