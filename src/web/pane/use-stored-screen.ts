import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useState } from 'react';
import type { Session } from '../../protocol/index.js';
import { useConnection } from '../app/parts-context.js';
import { monochrome } from '../terminal/monochrome.js';
import type { TerminalLink } from '../terminal/terminal-links.js';
import { TerminalScreen } from '../terminal/terminal-screen.js';
import { watchTheme } from '../terminal/terminal-theme.js';

/** What a session's programs wrote, as far as it is kept. */
export function useStoredOutput({ id, exit, updated_at }: Session) {
  const { client } = useConnection();
  return useQuery({
    queryKey: ['scrollback', id, exit?.at ?? updated_at],
    queryFn: ({ signal }) => client.scrollback(id, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Output that does not fill the screen begins at its top. */
export function isShort(screen: TerminalScreen | undefined): boolean {
  return screen !== undefined && screen.terminal.buffer.active.baseY === 0;
}

/** No cursor, and the wheel for the page: there is no program to have them. */
const AT_REST = '\u001b[?25l\u001b[?1000l\u001b[?1002l\u001b[?1003l';

interface StoredScreenOptions {
  readonly session: Session;
  readonly bytes: Uint8Array | undefined;
  readonly onLink: (link: TerminalLink | undefined) => void;
  /** In one ink: the program sleeps. */
  readonly quiet: boolean;
  /** New sessions are made in the size of its room. */
  readonly active: boolean;
}

/** Draws stored output in `frame`; defined once it is drawn. */
export function useStoredScreen(frame: RefObject<HTMLElement | null>, { session, bytes, onLink, quiet, active }: StoredScreenOptions) {
  const [shown, setShown] = useState<TerminalScreen>();
  const { room } = useConnection();
  const { cols, rows } = session.size;
  useEffect(() => {
    const host = frame.current;
    if (host === null || bytes === undefined) return;
    const screen = new TerminalScreen(host, { size: { cols, rows }, readOnly: true, quiet, onLink, onSettled: () => fill() });
    const fill = () => widen(screen, { cols, rows });
    screen.beginPast();
    screen.write(quiet ? monochrome(bytes) : bytes);
    screen.write(new TextEncoder().encode(AT_REST), () => {
      fill();
      setShown(screen);
    });
    screen.endPast();
    const observer = new ResizeObserver(fill);
    observer.observe(host);
    const stopWatching = watchTheme(fill); // the font may be another one
    return () => {
      observer.disconnect();
      stopWatching();
      screen.dispose();
      setShown(undefined);
    };
  }, [frame, bytes, cols, rows, quiet, onLink]);
  useEffect(() => (active && shown !== undefined ? room.enter(() => shown.fittingSize()) : undefined), [active, shown, room]);
  return shown;
}

/** Shows as many lines as there is room for. Never narrower than the program saw it: its lines would break elsewhere. */
function widen(screen: TerminalScreen, size: Session['size']): void {
  const room = screen.fittingSize();
  if (room !== undefined) screen.resize({ cols: Math.max(size.cols, room.cols), rows: room.rows });
}
