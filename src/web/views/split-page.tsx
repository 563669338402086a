import { useEffect, useRef, useState } from 'react';
import { usePageParts } from '../app/parts-context.js';
import { navigate, type SplitRoute, sessionHref, splitHref } from '../app/route.js';
import { useMedia } from '../changes/use-media.js';
import type { Leader } from '../keys/chords.js';
import { type PageCommands, useCommands } from '../keys/page-commands.js';
import { PHONE } from '../parts/phone.js';
import type { Variables } from '../parts/use-variables.js';
import type { SessionView } from '../session/session-state.js';
import { SplitBar } from './split-bar.js';
import { boxesOf, edgesOf, type PaneBox } from './split-boxes.js';
import { SplitGutters } from './split-gutters.js';
import { panesOf, type SplitLayout } from './split-layout.js';
import { activatePane, growPane, showSplit } from './split-moves.js';
import { SplitPaneView } from './split-pane.js';

interface SplitPageProps {
  readonly route: SplitRoute;
  readonly views: readonly SessionView[];
  readonly leader: Leader | undefined;
  /** The leader waits for its key. */
  readonly leading: boolean;
  readonly commands: PageCommands;
}

/** Two to four terminals. On a phone there is room for one of them at a time. */
export function SplitPage({ route, views, leader, leading, commands }: SplitPageProps) {
  const { layout, active } = route;
  const frame = useRef<HTMLDivElement>(null);
  const isPhone = useMedia(PHONE);
  const panes = panesOf(layout);
  // An address that changed with each step of a drag would soon be refused by the browser.
  const [moved, setMoved] = useState<SplitLayout>();
  const boxes = boxesOf(moved ?? layout);
  useRemember(route);
  useSplitCommands(route, commands);
  return (
    <>
      <SplitBar route={route} views={views} leader={leader} leading={leading} commands={commands} />
      <div ref={frame} className="split">
        {panes.map((pane, at) => {
          if (isPhone && at !== active) return null;
          return (
            <SplitPaneView
              key={pane.id ?? `empty ${emptyBefore(panes, at)}`}
              route={route}
              at={at}
              variables={{ ...placeOf(boxes[at]), '--at': isPhone ? 0 : at, '--count': isPhone ? 1 : panes.length }}
              view={views.find(({ session }) => session.id === pane.id)}
              views={views}
              leader={leader}
              commands={commands}
            />
          );
        })}
        {!isPhone && (
          <SplitGutters
            layout={layout}
            edges={edgesOf(moved ?? layout)}
            frame={frame}
            onMove={setMoved}
            onResize={(resized) => showSplit({ layout: resized, active }, { replace: true })}
          />
        )}
      </div>
    </>
  );
}

function useSplitCommands(route: SplitRoute, commands: PageCommands): void {
  const { layout, active } = route;
  const panes = panesOf(layout);
  const id = panes[active]?.id;
  useCommands(commands, {
    split_right: () => growPane(route, active, 'right'),
    split_down: () => growPane(route, active, 'below'),
    next_pane: () => activatePane(route, (active + 1) % panes.length),
    ...(id === undefined ? {} : { single: () => navigate(sessionHref(id)) }),
  });
}

function useRemember(route: SplitRoute): void {
  const { lastSplit } = usePageParts().preferences;
  const href = splitHref(route);
  const hasSession = panesOf(route.layout).some(({ id }) => id !== undefined);
  useEffect(() => {
    if (hasSession) lastSplit.set(href);
  }, [lastSplit, href, hasSession]);
}

function emptyBefore(panes: ReturnType<typeof panesOf>, at: number): number {
  return panes.slice(0, at).filter(({ id }) => id === undefined).length;
}

function placeOf({ x, y, width, height }: PaneBox = WHOLE): Variables {
  return { '--x': x, '--y': y, '--w': width, '--h': height };
}

const WHOLE: PaneBox = { x: 0, y: 0, width: 1, height: 1 };
