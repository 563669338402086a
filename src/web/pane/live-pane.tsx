import { type ReactNode, useRef, useState } from 'react';
import type { Session } from '../../protocol/index.js';
import { type PageCommands, useCommands } from '../app/page-commands.js';
import { useConnection } from '../app/parts-context.js';
import { Icon } from '../parts/icon.js';
import { useStore, type Watchable } from '../parts/store.js';
import { FindBar } from '../terminal/find-bar.js';
import { KeyBar } from '../terminal/key-bar.js';
import { LinkTip } from '../terminal/link-tip.js';
import type { LiveState } from '../terminal/live-terminal.js';
import { CutOffBanner } from './cut-off-banner.js';
import { SessionWarning } from './session-warning.js';
import { SizeBar } from './size-bar.js';
import { StatusLine } from './status-line.js';
import { useLate } from './use-late.js';
import { type LiveParts, type ScreenSigns, useLiveTerminal } from './use-live-terminal.js';

interface LivePaneProps {
  readonly session: Session;
  readonly name: string;
  readonly commands: PageCommands;
  /** The leader, while it waits for its key. */
  readonly leading: string | undefined;
}

/** How long a cut may last before it is worth a banner, in milliseconds. */
const CUT_OFF_MS = 600;

const UNCONNECTED: Watchable<LiveState | undefined> = { value: undefined, subscribe: () => () => {} };

/** The running session's terminal. */
export function LivePane({ session, name, commands, leading }: LivePaneProps) {
  const frame = useRef<HTMLDivElement>(null);
  const { parts, signs, dismissLink } = useLiveTerminal(frame, session);
  const state = useStore<LiveState | undefined>(parts?.live ?? UNCONNECTED);
  const notLive = state === undefined || state.pty.kind === 'live' ? undefined : state.pty;
  const isLate = useLate(notLive !== undefined, CUT_OFF_MS);
  const cutOff = isLate || (state?.refused ?? 0) > 0 ? notLive : undefined;
  return (
    <section className={`panel${signs.focused ? ' is-keys' : ''}`} aria-label={name}>
      <SessionWarning text={session.warning} />
      <div className={`term${state?.letterboxed ? ' is-letterboxed' : ''}${cutOff === undefined ? '' : ' is-stale'}`}>
        <div ref={frame} className="term__frame" />
        {cutOff !== undefined && <CutOffBanner state={cutOff} refused={state?.refused ?? 0} onRetry={() => parts?.live.nudge()} />}
        {parts !== undefined && <OverTerminal parts={parts} signs={signs} commands={commands} onDismissLink={dismissLink} />}
      </div>
      {parts !== undefined && state !== undefined && (
        <UnderTerminal parts={parts} state={state}>
          {(size) => <StatusLine session={session} title={signs.title} leading={leading} {...size} />}
        </UnderTerminal>
      )}
    </section>
  );
}

interface OverTerminalProps {
  readonly parts: LiveParts;
  readonly signs: ScreenSigns;
  readonly commands: PageCommands;
  readonly onDismissLink: () => void;
}

/** What floats above the text. */
function OverTerminal({ parts: { screen }, signs, commands, onDismissLink }: OverTerminalProps) {
  const [finding, setFinding] = useState(false);
  useCommands(commands, { find: () => setFinding(true) });
  const closeFind = () => {
    setFinding(false);
    screen.focus();
  };
  return (
    <>
      {finding && <FindBar search={screen.search} onClose={closeFind} />}
      {signs.link !== undefined && <LinkTip link={signs.link} onDismiss={onDismissLink} />}
      {signs.linesBelow > 0 && (
        <button type="button" className="pill-end" onClick={() => screen.terminal.scrollToBottom()}>
          <Icon name="end" small />
          <span className="num">{signs.linesBelow === 1 ? '1 line below' : `${signs.linesBelow} lines below`}</span>
        </button>
      )}
    </>
  );
}

interface SizeProps {
  readonly size: LiveState['size'];
  readonly whose: string;
  readonly onTakeOver: (() => void) | undefined;
}

interface UnderTerminalProps {
  readonly parts: LiveParts;
  readonly state: LiveState;
  readonly children: (size: SizeProps) => ReactNode;
}

function UnderTerminal({ parts: { screen, live, latch }, state: { size, owner, letterboxed }, children }: UnderTerminalProps) {
  const { toasts } = useConnection();
  const takeOver = () => {
    live.takeOver();
    screen.focus();
  };
  const whose = owner === true ? 'sized by you' : letterboxed ? 'sized elsewhere' : '';
  return (
    <>
      {letterboxed && <SizeBar size={size} onTakeOver={takeOver} />}
      <KeyBar screen={screen} latch={latch} onPasteProblem={(text) => toasts.say(text, { isError: true })} />
      {children({ size, whose, onTakeOver: letterboxed ? takeOver : undefined })}
    </>
  );
}
