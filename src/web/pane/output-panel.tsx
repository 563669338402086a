import { useEffect, useRef } from 'react';
import type { Session } from '../../protocol/index.js';
import { navigate, sessionHref } from '../app/route.js';
import { formatBytes } from '../changes/file-words.js';
import { useLeaveKey } from '../changes/use-changes-keys.js';
import type { PageCommands } from '../keys/page-commands.js';
import { Icon } from '../parts/icon.js';
import { text } from '../text/text.js';
import { StoredScreen } from './stored-screen.js';
import { useStoredOutput } from './use-stored-screen.js';

export interface OutputPanelProps {
  readonly session: Session;
  readonly commands: PageCommands;
}

/** All of a session's output that is stored, to read and to save, whether its program runs or not. */
export function OutputPanel({ session, commands }: OutputPanelProps) {
  const panel = useRef<HTMLElement>(null);
  const stored = useStoredOutput(session);
  const words = text.pane.stored;
  const leave = () => navigate(sessionHref(session.id));
  useLeaveKey(leave);
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  return (
    <section ref={panel} className="panel output" aria-label={text.pane.actions.output} tabIndex={-1}>
      <header className="pane__head">
        <Icon name="history" small quiet />
        <h2 className="pane__title clip">
          {stored.data === undefined ? text.pane.actions.output : words.title(formatBytes(stored.data.length))}
        </h2>
        <span className="grow" />
        {session.status === 'running' && (
          <button type="button" className="btn btn--ghost btn--sm" disabled={stored.isFetching} onClick={() => void stored.refetch()}>
            {words.reread}
          </button>
        )}
        <button type="button" className="btn btn--ghost btn--sm" onClick={() => commands.run('download')}>
          <Icon name="download" small />
          {words.save}
        </button>
        <button type="button" className="btn btn--ghost btn--sm btn--icon" aria-label={words.back} title={words.back} onClick={leave}>
          <Icon name="x" />
        </button>
      </header>
      <StoredScreen session={session} commands={commands} quiet={false} active />
    </section>
  );
}
