import { type ReactNode, useEffect, useRef } from 'react';
import { type SessionState, stateLabel } from '../session/session-state.js';

const SHAPES: Readonly<Record<SessionState, ReactNode>> = {
  waiting: <path d="M7 1.6 12.4 7 7 12.4 1.6 7Z" />,
  dead: <path d="m3 3 8 8M11 3l-8 8" />,
  failed: (
    <>
      <circle className="disc" cx="7" cy="7" r="6" />
      <path className="tick" d="M7 3.7v3.9M7 10.2v.1" />
    </>
  ),
  done: (
    <>
      <circle className="disc" cx="7" cy="7" r="6" />
      <path className="tick" d="m4.3 7.2 1.9 1.9 3.5-4" />
    </>
  ),
  working: (
    <>
      <circle className="trk" cx="7" cy="7" r="5" />
      <path className="arc" d="M7 2a5 5 0 0 1 1.29 9.83" />
    </>
  ),
  starting: <circle cx="7" cy="7" r="4.75" />,
  idle: <circle cx="7" cy="7" r="4.25" />,
  dormant: <path d="M8.9 1.6A5.7 5.7 0 1 0 12.6 9 4.75 4.75 0 0 1 8.9 1.6Z" />,
};

interface GlyphProps {
  readonly state: SessionState;
  /** A dead one that ended well, or was seen: its cross is grey. */
  readonly quiet?: boolean;
  readonly large?: boolean;
  /** Says more than the name of the state. */
  readonly label?: string;
  /** True where words beside the glyph say the same. */
  readonly decorative?: boolean;
}

/** A session's state as a shape and a colour, with a name for who sees neither. */
export function Glyph({ state, quiet = false, large = false, label = stateLabel(state), decorative = false }: GlyphProps) {
  const ref = useRef<SVGSVGElement>(null);
  useSharedTempo(ref, state);
  const name = decorative ? ({ 'aria-hidden': true } as const) : ({ role: 'img', 'aria-label': label } as const);
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it has a label, or is decoration; a title would show as a tooltip.
    <svg ref={ref} className={`g g--${state}${quiet ? ' is-quiet' : ''}${large ? ' g--lg' : ''}`} viewBox="0 0 14 14" {...name}>
      {SHAPES[state]}
    </svg>
  );
}

/** All working glyphs turn in phase: an ensemble, not a flicker. */
function useSharedTempo(ref: { readonly current: SVGSVGElement | null }, state: SessionState): void {
  useEffect(() => {
    if (state !== 'working') return;
    for (const animation of ref.current?.getAnimations({ subtree: true }) ?? []) animation.startTime = 0;
  }, [ref, state]);
}
