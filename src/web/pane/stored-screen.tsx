import { useCallback, useRef, useState } from 'react';
import type { Session } from '../../protocol/index.js';
import { type PageCommands, useCommands } from '../keys/page-commands.js';
import { FindBar } from '../terminal/find-bar.js';
import { LinkTip } from '../terminal/link-tip.js';
import { nextLink, type TerminalLink } from '../terminal/terminal-links.js';
import { text } from '../text/text.js';
import { useScreenReader } from './use-screen-reader.js';
import { isShort, useStoredOutput, useStoredScreen } from './use-stored-screen.js';

interface StoredScreenProps {
  readonly session: Session;
  readonly commands: PageCommands;
  readonly quiet: boolean;
  readonly active: boolean;
}

/** A terminal that takes no keys, with all that is kept of a session's output. */
export function StoredScreen({ session, commands, quiet, active }: StoredScreenProps) {
  const frame = useRef<HTMLDivElement>(null);
  const stored = useStoredOutput(session);
  const [link, setLink] = useState<TerminalLink>();
  const [finding, setFinding] = useState(false);
  const onLink = useCallback((next: TerminalLink | undefined) => setLink((now) => nextLink(now, next)), []);
  const screen = useStoredScreen(frame, { session, bytes: stored.data, onLink, quiet, active });
  useScreenReader(screen);
  useCommands(commands, active ? { find: () => setFinding(true) } : {});
  return (
    <div className={`term${quiet ? ' is-dormant' : ''}${isShort(screen) ? ' term--top' : ''}`}>
      <div ref={frame} className="term__frame" />
      {stored.data?.length === 0 && <p className="term__empty">{text.pane.stored.empty}</p>}
      {stored.isError && <p className="term__empty">{text.pane.stored.unreadable}</p>}
      {finding && screen !== undefined && <FindBar search={screen.search} onClose={() => setFinding(false)} />}
      {link !== undefined && <LinkTip link={link} onDismiss={() => setLink(undefined)} />}
    </div>
  );
}
