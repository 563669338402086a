import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Session } from '../../protocol/index.js';
import { useConnection } from '../app/parts-context.js';
import { LiveTerminal, type LiveTerminalOptions } from '../terminal/live-terminal.js';
import { ModifierLatch } from '../terminal/modifier-latch.js';
import { nextLink, type TerminalLink } from '../terminal/terminal-links.js';
import { TerminalScreen } from '../terminal/terminal-screen.js';

/** In such a window the page asks for no size by itself, or the terminal on a desk would change: only for a session made here. */
export const PHONE = '(max-width: 640px)';

export interface LiveParts {
  readonly screen: TerminalScreen;
  readonly live: LiveTerminal;
  readonly latch: ModifierLatch;
}

export interface ScreenSigns {
  readonly link: TerminalLink | undefined;
  readonly title: string;
  readonly linesBelow: number;
  readonly focused: boolean;
}

const NO_SIGNS: ScreenSigns = { link: undefined, title: '', linesBelow: 0, focused: false };

/** A terminal in `frame` that is connected with the session, and what it shows beside its text. */
export function useLiveTerminal(frame: RefObject<HTMLElement | null>, session: Session) {
  const { client, room, madeHere } = useConnection();
  const [parts, setParts] = useState<LiveParts>();
  const [signs, setSigns] = useState(NO_SIGNS);
  const size = useRef(session.size);
  size.current = session.size;
  const { id } = session;
  useEffect(() => {
    const host = frame.current;
    if (host === null) return;
    const claimsSize = !matchMedia(PHONE).matches || madeHere.has(id);
    const target = { client, sessionId: id, size: size.current, claimsSize };
    const sign = (change: Partial<ScreenSigns>) =>
      setSigns((now) => ({ ...now, ...change, link: 'link' in change ? nextLink(now.link, change.link) : now.link }));
    const made = connect(host, target, sign);
    const leaveRoom = room.enter(() => made.screen.fittingSize());
    setParts(made);
    if (!matchMedia(PHONE).matches) focusOnceLive(made);
    const observer = new ResizeObserver(() => made.live.roomChanged());
    observer.observe(host);
    return () => {
      observer.disconnect();
      leaveRoom();
      made.live.dispose();
      made.screen.dispose();
      setParts(undefined);
      setSigns(NO_SIGNS);
    };
  }, [frame, client, room, madeHere, id]);
  return { parts, signs, dismissLink: () => setSigns((now) => ({ ...now, link: undefined })) };
}

/** A terminal that takes no keys yet does not look as if it did. */
function focusOnceLive({ live, screen }: LiveParts): void {
  const stop = live.subscribe(() => {
    if (live.value.pty.kind !== 'live') return;
    stop();
    screen.focus();
  });
}

type Target = Omit<LiveTerminalOptions, 'screen'>;

function connect(host: HTMLElement, target: Target, sign: (change: Partial<ScreenSigns>) => void): LiveParts {
  const latch = new ModifierLatch();
  const screen: TerminalScreen = new TerminalScreen(host, {
    size: target.size,
    onText: (text) => live.type(latch.apply(text)),
    onKey: (text) => live.type(text),
    onBinary: (bytes) => live.send(bytes),
    onLink: (link) => sign({ link }),
    onTitle: (title) => sign({ title }),
    onScroll: (linesBelow) => sign({ linesBelow }),
    onFocus: (focused) => sign({ focused }),
  });
  const live = new LiveTerminal({ ...target, screen });
  return { screen, live, latch };
}
