import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Session } from '../../protocol/index.js';
import type { SessionFront } from '../app/route.js';
import { LateChanges } from '../changes/late-changes.js';
import type { PageCommands } from '../keys/page-commands.js';
import { focusTerminal } from '../parts/focus-terminal.js';
import { PHONE } from '../parts/phone.js';
import { LateOutput } from './late-terminal.js';

interface SessionStageProps {
  readonly session: Session;
  readonly front: SessionFront | undefined;
  readonly commands: PageCommands;
  /** The pane. */
  readonly children: ReactNode;
}

/**
 * The pane, or what stands in front of it. The pane stays as it is and as large as it is behind that, so that a terminal is neither
 * resized nor attached anew; it is first made when it is first looked at.
 */
export function SessionStage({ session, front, commands, children }: SessionStageProps) {
  const isBehind = front !== undefined;
  const [wasShown, setShown] = useState(!isBehind);
  const wasBehind = useRef(isBehind);
  useEffect(() => {
    if (!isBehind) setShown(true);
    if (!isBehind && wasBehind.current && !matchMedia(PHONE).matches) focusTerminal();
    wasBehind.current = isBehind;
  }, [isBehind]);
  return (
    <div className="stage">
      {(wasShown || !isBehind) && (
        <div className={`stage__pane${isBehind ? ' is-behind' : ''}`} inert={isBehind}>
          {children}
        </div>
      )}
      {front === 'changes' && <LateChanges session={session} commands={commands} />}
      {front === 'output' && <LateOutput session={session} commands={commands} />}
    </div>
  );
}
