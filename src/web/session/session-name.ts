import { NAME_KEY, type Session } from '../../protocol/index.js';
import { visibleText } from '../parts/visible-text.js';
import { text } from '../text/text.js';

/** What a session is called on the page: its display name, else what it runs. */
export function sessionName(session: Session): string {
  const name = session.metadata[NAME_KEY];
  if (typeof name === 'string' && name.trim() !== '') return name;
  return session.preset ?? firstLine(session.command);
}

function firstLine(command: string): string {
  const line = command.trim().split('\n', 1)[0] ?? '';
  return line === '' ? text.session.unnamed : visibleText(line);
}
