import type { PageCommands } from '../keys/page-commands.js';
import { sessionName } from '../session/session-name.js';
import type { SessionView } from '../session/session-state.js';
import { LivePane } from './live-pane.js';
import { StoredPane } from './stored-pane.js';

export interface SessionTerminalProps {
  readonly view: SessionView;
  readonly commands: PageCommands;
  /** The leader, while it waits for its key. */
  readonly leading: string | undefined;
  /** Of several terminals this one has the keyboard. */
  readonly active?: boolean;
  /** It got the focus, or was pressed. */
  readonly onActive?: () => void;
  readonly onRemove: () => void;
}

/** A session's terminal while it runs, else its last output and the way back. */
export function SessionTerminal({ view: { session }, onRemove, leading, ...shared }: SessionTerminalProps) {
  const name = sessionName(session);
  if (session.status === 'running') return <LivePane session={session} name={name} leading={leading} {...shared} />;
  return <StoredPane session={session} name={name} onRemove={onRemove} {...shared} />;
}
