import { type RefObject, useRef } from 'react';
import { Separator } from '../parts/separator.js';
import { text } from '../text/text.js';
import type { PaneEdge } from './split-boxes.js';
import { even, MIN_SHARE, moveEdge, type SplitLayout } from './split-layout.js';

interface SplitGuttersProps {
  /** Before a drag that is under way. */
  readonly layout: SplitLayout;
  /** Where the edges are now. */
  readonly edges: readonly PaneEdge[];
  readonly frame: RefObject<HTMLElement | null>;
  /** While an edge is dragged; undefined once it is not any more. */
  readonly onMove: (layout: SplitLayout | undefined) => void;
  readonly onResize: (layout: SplitLayout) => void;
}

/** In percent. */
const STEP = 3;

/** What panes are made larger and smaller by. */
export function SplitGutters({ layout, edges, frame, onMove, onResize }: SplitGuttersProps) {
  const moved = useRef<SplitLayout>(undefined);
  return edges.map((edge) => {
    const isColumn = edge.row === undefined;
    const drag = (pixels: number) => {
      const whole = isColumn ? frame.current?.clientWidth : frame.current?.clientHeight;
      moved.current = withEdge(layout, edge, { percent: (100 * pixels) / Math.max(1, whole ?? 1) });
      onMove(moved.current);
    };
    const drop = (kept: boolean) => {
      if (kept && moved.current !== undefined) onResize(moved.current);
      moved.current = undefined;
      onMove(undefined);
    };
    return (
      <Separator
        key={`${edge.column} ${edge.row ?? 'column'}`}
        className={isColumn ? 'gutter' : 'gutter gutter--row'}
        variables={{ '--x': edge.x, '--y': edge.y, '--length': edge.length }}
        label={isColumn ? text.views.columnWidth : text.views.paneHeight}
        orientation={isColumn ? 'vertical' : 'horizontal'}
        value={edge.value}
        min={MIN_SHARE}
        max={edge.room - MIN_SHARE}
        onDrag={drag}
        onDrop={drop}
        onStep={(direction) => onResize(withEdge(layout, edge, { percent: STEP * direction }))}
        onReset={() => onResize(withEdge(layout, edge, 'even'))}
      />
    );
  });
}

type EdgeChange = { readonly percent: number } | 'even';

function withEdge(layout: SplitLayout, { column, row }: PaneEdge, change: EdgeChange): SplitLayout {
  const moved = <T extends { readonly share: number }>(parts: readonly T[], at: number) =>
    change === 'even' ? even(parts) : moveEdge(parts, at, change.percent);
  if (row === undefined) return moved(layout, column);
  return layout.map((one, index) => (index === column ? { ...one, panes: moved(one.panes, row) } : one));
}
