import type { HostPreset, Session } from '../../protocol/index.js';
import { shortEnding } from './ending.js';
import { sessionName } from './session-name.js';

/** The words behind a session's name: what its agent says, how it ended, else what it runs. */
export function sessionNote(session: Session, presets: readonly HostPreset[] = []): string {
  if (session.status === 'dead' || session.exit?.reason === 'resume_failed') return shortEnding(session.exit);
  if (session.activity?.message !== undefined && session.activity.message !== '') return oneLine(session.activity.message);
  const what = programLabel(session, presets);
  return what === sessionName(session) ? '' : what;
}

/** What runs in a session: its preset's label, else its command. */
export function programLabel({ preset, command }: Session, presets: readonly HostPreset[] = []): string {
  if (preset !== undefined) return presets.find(({ id }) => id === preset)?.label ?? preset;
  return oneLine(command);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
