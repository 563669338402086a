import type { HostPreset, Session } from '../../protocol/index.js';
import { visibleText } from '../parts/visible-text.js';
import { shortEnding } from './ending.js';
import { sessionName } from './session-name.js';

/** The words behind a session's name: what its agent says, how it ended, else what it runs. */
export function sessionNote(session: Session, presets: readonly HostPreset[] = []): string {
  if (session.status === 'dead' || session.exit?.reason === 'resume_failed') return shortEnding(session.exit);
  const said = activityMessage(session);
  if (said !== '') return said;
  const what = programLabel(session, presets);
  return what === sessionName(session) ? '' : what;
}

/** What the session's agent says of itself, on one line and with nothing hidden in it. Empty where it says nothing. */
export function activityMessage({ activity }: Session): string {
  return oneLine(activity?.message ?? '');
}

/** What runs in a session: its preset's label, else its command. */
export function programLabel({ preset, command }: Session, presets: readonly HostPreset[] = []): string {
  if (preset !== undefined) return presets.find(({ id }) => id === preset)?.label ?? preset;
  return oneLine(command);
}

function oneLine(text: string): string {
  return visibleText(text.replace(/\s+/g, ' ').trim());
}
