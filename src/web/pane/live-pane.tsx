import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Session } from '../../protocol/index.js';
import { useConnection } from '../app/parts-context.js';
import { type PageCommands, useCommands } from '../keys/page-commands.js';
import { Icon } from '../parts/icon.js';
import { useStore, type Watchable } from '../parts/store.js';
import { visibleText } from '../parts/visible-text.js';
import { FindBar } from '../terminal/find-bar.js';
import { KeyBar } from '../terminal/key-bar.js';
import { LinkTip } from '../terminal/link-tip.js';
import type { LiveState } from '../terminal/live-terminal.js';
import type { TerminalScreen } from '../terminal/terminal-screen.js';
import { text } from '../text/text.js';
import { CutOffBanner, type NotLive } from './cut-off-banner.js';
import { PaneNotes } from './pane-notes.js';
import { PasteDialog } from './paste-dialog.js';
import { SessionWarning } from './session-warning.js';
import { SizeBar } from './size-bar.js';
import { StatusLine } from './status-line.js';
import { useBarLeader } from './use-bar-leader.js';
import { useClipboardLeave } from './use-clipboard-leave.js';
import { useLate } from './use-late.js';
import { type LiveParts, type ScreenSigns, useLiveTerminal } from './use-live-terminal.js';
import { useScreenReader } from './use-screen-reader.js';
import { useTransfer } from './use-transfer.js';

interface LivePaneProps {
  readonly session: Session;
  readonly name: string;
  readonly commands: PageCommands;
  /** The leader, while it waits for its key. */
  readonly leading: string | undefined;
  /** Of several panes this one has the keyboard. */
  readonly active?: boolean;
  readonly onActive?: (() => void) | undefined;
}

/** How long a cut may last before it is worth a banner, in milliseconds. */
const CUT_OFF_MS = 600;

const UNCONNECTED: Watchable<LiveState | undefined> = { value: undefined, subscribe: () => () => {} };

/** The running session's terminal. */
export function LivePane({ session, name, commands, leading, active = true, onActive }: LivePaneProps) {
  const frame = useRef<HTMLDivElement>(null);
  const shown = useRef<TerminalScreen>(undefined);
  const transfer = useTransfer(session, () => shown.current);
  const clipboard = useClipboardLeave(session.id);
  const wishes = { onTransfer: transfer.take, onClipboard: clipboard.take };
  const { parts, signs, dismissLink } = useLiveTerminal(frame, session, { active, wishes });
  useShown(shown, parts?.screen);
  useScreenReader(parts?.screen);
  const state = useStore<LiveState | undefined>(parts?.live ?? UNCONNECTED);
  const cutOff = useCutOff(state);
  const takeOver = () => {
    parts?.live.takeOver();
    parts?.screen.focus();
  };
  return (
    <section className={`panel${signs.focused ? ' is-keys' : ''}`} aria-label={name} onFocus={onActive} onPointerDown={onActive}>
      <SessionWarning text={session.warning} />
      <div className={`term${state?.letterboxed ? ' is-letterboxed' : ''}${cutOff === undefined ? '' : ' is-stale'}`}>
        <div ref={frame} className="term__frame" />
        {cutOff !== undefined && <CutOffBanner state={cutOff} refused={state?.refused ?? 0} onRetry={() => parts?.live.nudge()} />}
        <PaneNotes clipboard={clipboard} files={transfer.files} />
        {signs.fileOver && <div className="dropcover">{text.pane.files.drop}</div>}
        {parts !== undefined && (
          <OverTerminal parts={parts} signs={signs} commands={commands} active={active} onDismissLink={dismissLink} />
        )}
      </div>
      {parts !== undefined && state !== undefined && (
        <SizeAndKeys parts={parts} state={state} commands={commands} onPaste={transfer.pasteText} onTakeOver={takeOver} />
      )}
      <StatusLine session={session} title={visibleText(signs.title)} leading={leading} {...sizeWords(session, state, takeOver)} />
      {transfer.asked !== undefined && <PasteDialog pasted={transfer.asked} onAnswer={transfer.answer} />}
    </section>
  );
}

/** The terminal, for what may come back after the pane is gone. */
function useShown(shown: RefObject<TerminalScreen | undefined>, screen: TerminalScreen | undefined): void {
  useEffect(() => {
    shown.current = screen;
    return () => {
      shown.current = undefined;
    };
  }, [shown, screen]);
}

/** Set where the terminal is not connected, and the user should know. */
function useCutOff(state: LiveState | undefined): NotLive | undefined {
  const notLive = state === undefined || state.pty.kind === 'live' ? undefined : state.pty;
  const isLate = useLate(notLive !== undefined, CUT_OFF_MS);
  return isLate || (state?.refused ?? 0) > 0 ? notLive : undefined;
}

interface OverTerminalProps {
  readonly parts: LiveParts;
  readonly signs: ScreenSigns;
  readonly commands: PageCommands;
  readonly active: boolean;
  readonly onDismissLink: () => void;
}

/** What floats above the text. */
function OverTerminal({ parts: { screen }, signs: { link, below }, commands, active, onDismissLink }: OverTerminalProps) {
  const [finding, setFinding] = useState(false);
  useCommands(commands, active ? { find: () => setFinding(true) } : {});
  const closeFind = () => {
    setFinding(false);
    screen.focus();
  };
  const jump = () => {
    screen.terminal.scrollToBottom();
    screen.focus();
  };
  return (
    <>
      {finding && <FindBar search={screen.search} onClose={closeFind} />}
      {link !== undefined && <LinkTip link={link} onDismiss={onDismissLink} />}
      {below.all > 0 && (
        <button
          type="button"
          className="pill-end"
          title={text.pane.jumpToEnd}
          onPointerDown={(event) => event.preventDefault()}
          onClick={jump}
        >
          <Icon name="end" small />
          <span className="num">{below.fresh > 0 ? text.pane.newLines(below.fresh) : text.pane.jumpToEnd}</span>
        </button>
      )}
    </>
  );
}

interface SizeAndKeysProps {
  readonly parts: LiveParts;
  readonly state: LiveState;
  readonly commands: PageCommands;
  readonly onPaste: (text: string) => void;
  readonly onTakeOver: () => void;
}

/** What a phone has under the terminal. */
function SizeAndKeys({ parts: { screen, latch }, state, commands, onPaste, onTakeOver }: SizeAndKeysProps) {
  const { toasts } = useConnection();
  const leader = useBarLeader(commands);
  return (
    <>
      {state.letterboxed && <SizeBar size={state.size} onTakeOver={onTakeOver} />}
      <KeyBar
        screen={screen}
        latch={latch}
        leader={leader}
        onPaste={onPaste}
        onPasteProblem={(problem) => toasts.say(problem, { isError: true })}
      />
    </>
  );
}

/** Whose size it is. The line is there before the terminal is, which would be a row too large else. */
function sizeWords(session: Session, state: LiveState | undefined, takeOver: () => void) {
  if (state === undefined) return { size: session.size, whose: '' };
  const { size, owner, letterboxed } = state;
  const whose = owner === true ? text.pane.size.byYou : letterboxed ? text.pane.size.elsewhere : '';
  return { size, whose, onTakeOver: letterboxed ? takeOver : undefined };
}
