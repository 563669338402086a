import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Session } from '../../protocol/index.js';
import { useConnection, usePageParts } from '../app/parts-context.js';
import { isKeyboardInUse } from '../parts/field-in-use.js';
import { PHONE } from '../parts/phone.js';
import { LiveTerminal, type LiveTerminalOptions } from '../terminal/live-terminal.js';
import { ModifierLatch } from '../terminal/modifier-latch.js';
import { AT_END, type LinesBelow } from '../terminal/new-lines.js';
import type { TerminalScreenEvents } from '../terminal/screen-events.js';
import { nextLink, type TerminalLink } from '../terminal/terminal-links.js';
import { TerminalScreen, type TerminalScreenOptions } from '../terminal/terminal-screen.js';
import { watchTheme } from '../terminal/terminal-theme.js';
import { text } from '../text/text.js';

export interface LiveParts {
  readonly screen: TerminalScreen;
  readonly live: LiveTerminal;
  readonly latch: ModifierLatch;
}

export interface ScreenSigns {
  readonly link: TerminalLink | undefined;
  readonly title: string;
  readonly below: LinesBelow;
  readonly focused: boolean;
  /** Files are held over it. */
  readonly fileOver: boolean;
}

const NO_SIGNS: ScreenSigns = { link: undefined, title: '', below: AT_END, focused: false, fileOver: false };

/** What the terminal wants of the pane around it. */
export type PaneWishes = Required<Pick<TerminalScreenEvents, 'onTransfer' | 'onClipboard'>>;

interface LiveTerminalUse {
  /** Of several terminals this one has the keyboard. */
  readonly active: boolean;
  readonly wishes: PaneWishes;
}

/** A terminal in `frame` that is connected with the session, and what it shows beside its text. */
export function useLiveTerminal(frame: RefObject<HTMLElement | null>, session: Session, { active, wishes }: LiveTerminalUse) {
  const { client, madeHere, replays, toasts } = useConnection();
  const { copyOnSelect } = usePageParts().preferences;
  const [parts, setParts] = useState<LiveParts>();
  const [signs, setSigns] = useState(NO_SIGNS);
  const now = useRef({ session, wishes });
  now.current = { session, wishes };
  const { id } = session;
  useEffect(() => {
    const host = frame.current;
    if (host === null) return;
    const claimsSize = !matchMedia(PHONE).matches || madeHere.has(id);
    const onRefused = (reason = text.terminal.tooMuchWaits) => toasts.say(reason, { isError: true });
    const target = { client, replays, sessionId: id, size: now.current.session.size, claimsSize, onRefused };
    const sign = (change: Partial<ScreenSigns>) =>
      setSigns((old) => ({ ...old, ...change, link: 'link' in change ? nextLink(old.link, change.link) : old.link }));
    const made: LiveParts = connect(host, target, {
      onSettled: () => made.live.roomChanged(),
      onLink: (link) => sign({ link }),
      onTitle: (title) => sign({ title }),
      onScroll: (below) => sign({ below }),
      onFocus: (focused) => sign({ focused }),
      onFileOver: (fileOver) => sign({ fileOver }),
      onTransfer: (transferred) => now.current.wishes.onTransfer(transferred),
      onClipboard: (text) => now.current.wishes.onClipboard(text),
      copiesSelection: () => copyOnSelect.value,
      isPrompt: () => now.current.session.activity !== undefined,
    });
    setParts(made);
    const observer = new ResizeObserver(() => made.live.roomChanged());
    observer.observe(host);
    const stopWatching = watchTheme(() => made.live.roomChanged()); // the font may be another one
    return () => {
      observer.disconnect();
      stopWatching();
      made.live.dispose();
      made.screen.dispose();
      setParts(undefined);
      setSigns(NO_SIGNS);
    };
  }, [frame, client, replays, madeHere, toasts, copyOnSelect, id]);
  useActive(parts, active);
  return { parts, signs, dismissLink: () => setSigns((old) => ({ ...old, link: undefined })) };
}

/** The one that has the keyboard is also the one that new sessions are made as large as. */
function useActive(parts: LiveParts | undefined, active: boolean): void {
  const { room } = useConnection();
  useEffect(() => {
    if (parts === undefined || !active) return;
    const leaveRoom = room.enter(() => parts.screen.fittingSize());
    const stop = matchMedia(PHONE).matches ? () => {} : focusOnceLive(parts);
    return () => {
      leaveRoom();
      stop();
    };
  }, [parts, active, room]);
}

/** A terminal that takes no keys yet does not look as if it did. Who has gone to a field or a menu meanwhile goes on there. */
function focusOnceLive({ live, screen }: LiveParts): () => void {
  const focus = () => {
    if (live.value.pty.kind !== 'live') return;
    stop();
    if (!isKeyboardInUse()) screen.focus();
  };
  const stop = live.subscribe(focus);
  focus();
  return stop;
}

type Target = Omit<LiveTerminalOptions, 'screen'>;
type Events = TerminalScreenEvents & Required<Pick<TerminalScreenOptions, 'copiesSelection' | 'isPrompt'>>;

function connect(host: HTMLElement, target: Target, events: Events): LiveParts {
  const latch = new ModifierLatch();
  const screen: TerminalScreen = new TerminalScreen(host, {
    ...events,
    size: target.size,
    onText: (text) => live.type(latch.apply(text)),
    onKey: (text) => live.type(text),
    onBinary: (bytes) => live.send(bytes),
  });
  const live = new LiveTerminal({ ...target, screen });
  return { screen, live, latch };
}
