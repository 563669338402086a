import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Session } from '../../protocol/index.js';
import type { PageCommands } from '../app/page-commands.js';
import { LateChanges } from '../changes/late-changes.js';
import { focusTerminal } from '../parts/focus-terminal.js';
import { PHONE } from './use-live-terminal.js';

interface SessionStageProps {
  readonly session: Session;
  readonly showsChanges: boolean;
  readonly commands: PageCommands;
  /** The pane. */
  readonly children: ReactNode;
}

/**
 * The pane, or the changes in front of it. The pane stays as it is and as large as it is behind them, so that a terminal is neither
 * resized nor attached anew; it is first made when it is first looked at.
 */
export function SessionStage({ session, showsChanges, commands, children }: SessionStageProps) {
  const [wasShown, setShown] = useState(!showsChanges);
  const wasBehind = useRef(showsChanges);
  useEffect(() => {
    if (!showsChanges) setShown(true);
    if (!showsChanges && wasBehind.current && !matchMedia(PHONE).matches) focusTerminal();
    wasBehind.current = showsChanges;
  }, [showsChanges]);
  return (
    <div className="stage">
      {(wasShown || !showsChanges) && (
        <div className={`stage__pane${showsChanges ? ' is-behind' : ''}`} inert={showsChanges}>
          {children}
        </div>
      )}
      {showsChanges && <LateChanges session={session} commands={commands} />}
    </div>
  );
}
