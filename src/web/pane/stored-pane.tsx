import { useQuery } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { Session } from '../../protocol/index.js';
import { type PageCommands, useCommands } from '../app/page-commands.js';
import { useConnection } from '../app/parts-context.js';
import { FindBar } from '../terminal/find-bar.js';
import { LinkTip } from '../terminal/link-tip.js';
import { monochrome } from '../terminal/monochrome.js';
import { nextLink, type TerminalLink } from '../terminal/terminal-links.js';
import { TerminalScreen } from '../terminal/terminal-screen.js';
import { RestingCard } from './resting-card.js';
import { SessionWarning } from './session-warning.js';
import { StatusLine } from './status-line.js';

interface StoredPaneProps {
  readonly session: Session;
  readonly name: string;
  readonly commands: PageCommands;
  readonly onRemove: () => void;
}

/** A session without a program: its last output, and the way back. */
export function StoredPane({ session, name, commands, onRemove }: StoredPaneProps) {
  const panel = useRef<HTMLElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const stored = useStoredOutput(session);
  const [link, setLink] = useState<TerminalLink>();
  const [finding, setFinding] = useState(false);
  const onLink = useCallback((next: TerminalLink | undefined) => setLink((now) => nextLink(now, next)), []);
  const screen = useStoredScreen(frame, { session, bytes: stored.data, onLink });
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  useCommands(commands, { find: () => setFinding(true) });
  return (
    <section ref={panel} className="panel" aria-label={name} tabIndex={-1}>
      <SessionWarning text={session.warning} />
      <div className={`term${session.status === 'dormant' ? ' is-dormant' : ''}${isShort(screen) ? ' term--top' : ''}`}>
        <div ref={frame} className="term__frame" />
        {stored.data?.length === 0 && <p className="term__empty">It printed nothing that was kept.</p>}
        {stored.isError && <p className="term__empty">The stored output cannot be read now.</p>}
        {finding && screen !== undefined && <FindBar search={screen.search} onClose={() => setFinding(false)} />}
        {link !== undefined && <LinkTip link={link} onDismiss={() => setLink(undefined)} />}
      </div>
      <RestingCard session={session} onRemove={onRemove} />
      <StatusLine session={session} size={session.size} whose="when last seen" />
    </section>
  );
}

function useStoredOutput({ id, exit, updated_at }: Session) {
  const { client } = useConnection();
  return useQuery({
    queryKey: ['scrollback', id, exit?.at ?? updated_at],
    queryFn: ({ signal }) => client.scrollback(id, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Output that does not fill the screen begins at its top. */
function isShort(screen: TerminalScreen | undefined): boolean {
  return screen !== undefined && screen.terminal.buffer.active.baseY === 0;
}

/** No cursor, and the wheel for the page: there is no program to have them. */
const AT_REST = '\u001b[?25l\u001b[?1000l\u001b[?1002l\u001b[?1003l';

interface StoredScreenOptions {
  readonly session: Session;
  readonly bytes: Uint8Array | undefined;
  readonly onLink: (link: TerminalLink | undefined) => void;
}

/** Draws stored output in `frame`; defined once it is drawn. */
function useStoredScreen(frame: RefObject<HTMLElement | null>, { session, bytes, onLink }: StoredScreenOptions) {
  const [shown, setShown] = useState<TerminalScreen>();
  const { room } = useConnection();
  const { cols, rows } = session.size;
  const { status } = session;
  useEffect(() => {
    const host = frame.current;
    if (host === null || bytes === undefined) return;
    const screen = new TerminalScreen(host, { size: { cols, rows }, readOnly: true, quiet: status === 'dormant', onLink });
    const leaveRoom = room.enter(() => screen.fittingSize());
    const fill = () => widen(screen, { cols, rows });
    screen.write(status === 'dormant' ? monochrome(bytes) : bytes);
    screen.write(new TextEncoder().encode(AT_REST), () => {
      fill();
      setShown(screen);
    });
    const observer = new ResizeObserver(fill);
    observer.observe(host);
    return () => {
      observer.disconnect();
      leaveRoom();
      screen.dispose();
      setShown(undefined);
    };
  }, [frame, bytes, cols, rows, status, onLink, room]);
  return shown;
}

/** Shows as many lines as there is room for. Never narrower than the program saw it: its lines would break elsewhere. */
function widen(screen: TerminalScreen, size: Session['size']): void {
  const room = screen.fittingSize();
  if (room !== undefined) screen.resize({ cols: Math.max(size.cols, room.cols), rows: room.rows });
}
