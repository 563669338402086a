import { useEffect, useRef } from 'react';
import type { Session } from '../../protocol/index.js';
import type { PageCommands } from '../keys/page-commands.js';
import { isKeyboardInUse } from '../parts/field-in-use.js';
import { text } from '../text/text.js';
import { RestingCard } from './resting-card.js';
import { SessionWarning } from './session-warning.js';
import { StatusLine } from './status-line.js';
import { StoredScreen } from './stored-screen.js';

interface StoredPaneProps {
  readonly session: Session;
  readonly name: string;
  readonly commands: PageCommands;
  readonly onRemove: () => void;
  /** Of several panes this one has the keyboard. */
  readonly active?: boolean;
  readonly onActive?: () => void;
}

/** A session without a program: its last output, and the way back. */
export function StoredPane({ session, name, commands, onRemove, active = true, onActive }: StoredPaneProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (active && !isKeyboardInUse()) panel.current?.focus({ preventScroll: true });
  }, [active]);
  return (
    <section ref={panel} className="panel" aria-label={name} tabIndex={-1} onFocus={onActive} onPointerDown={onActive}>
      <SessionWarning text={session.warning} />
      <StoredScreen session={session} commands={commands} quiet={session.status === 'dormant'} active={active} />
      <RestingCard session={session} active={active} onRemove={onRemove} />
      <StatusLine session={session} size={session.size} whose={text.pane.size.lastSeen} />
    </section>
  );
}
