import { useEffect, useState } from 'react';
import { NoCode } from '../app/no-code.js';
import type { Route } from '../app/route.js';
import { useFeed } from '../app/use-sessions.js';
import { useLateCode } from '../parts/late-code.js';
import { PHONE } from '../parts/phone.js';
import { Skeleton } from '../parts/skeleton.js';
import { whenIdle } from '../parts/when-idle.js';
import { sessionName } from '../session/session-name.js';
import { text } from '../text/text.js';
import type { OutputPanelProps } from './output-panel.js';
import type { SessionTerminalProps } from './session-terminal.js';

const loadTerminal = () => import('./session-terminal.js').then(({ SessionTerminal }) => ({ SessionTerminal }));
const loadOutput = () => import('./output-panel.js').then(({ OutputPanel }) => ({ OutputPanel }));

/** Fetches the code of terminals beside all else that the page begins with, where its address leads to one. */
export function fetchTerminalFor(route: Route): void {
  const isWanted = route.page === 'session' || route.page === 'split' || (route.page === 'list' && !matchMedia(PHONE).matches);
  if (isWanted) void loadTerminal().catch(() => undefined); // who shows it, sees that as well
}

/** Fetches the code of terminals once the sessions are listed and nothing else is to be done. */
export function useTerminalPrefetch(): void {
  const isListed = useFeed().state !== 'connecting';
  const [wanted, setWanted] = useState(false);
  useLateCode('terminal', loadTerminal, { wanted });
  useEffect(() => (isListed ? whenIdle(() => setWanted(true)) : undefined), [isListed]);
}

/** A session's terminal, whose code is fetched behind that of the page. */
export function LateTerminal(props: SessionTerminalProps) {
  const { code, failed, retry } = useLateCode('terminal', loadTerminal);
  if (code !== undefined) return <code.SessionTerminal {...props} />;
  return <InItsPlace name={sessionName(props.view.session)} onRetry={failed ? retry : undefined} onActive={props.onActive} />;
}

/** A session's stored output, whose code is that of terminals. */
export function LateOutput(props: OutputPanelProps) {
  const { code, failed, retry } = useLateCode('output', loadOutput);
  if (code !== undefined) return <code.OutputPanel {...props} />;
  return <InItsPlace name={text.pane.actions.output} onRetry={failed ? retry : undefined} />;
}

interface InItsPlaceProps {
  readonly name: string;
  /** Set where it did not come. */
  readonly onRetry: (() => void) | undefined;
  readonly onActive?: (() => void) | undefined;
}

function InItsPlace({ name, onRetry, onActive }: InItsPlaceProps) {
  return (
    <section className="panel" aria-label={name} aria-busy={onRetry === undefined} onFocus={onActive} onPointerDown={onActive}>
      {onRetry !== undefined ? (
        <NoCode title={text.workspace.notLoaded.terminal} onRetry={onRetry} />
      ) : (
        <div className="panel__wait">
          <Skeleton rows={9} label={text.workspace.loading} />
        </div>
      )}
    </section>
  );
}
