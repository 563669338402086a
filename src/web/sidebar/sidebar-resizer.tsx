import { useRef } from 'react';
import { usePageParts } from '../app/parts-context.js';
import { Separator } from '../parts/separator.js';
import { useStore } from '../parts/store.js';
import { text } from '../text/text.js';
import { SIDEBAR_WIDTH, widthWithin } from './sidebar-width.js';

const STEP = 16;

/** The sidebar's edge. */
export function SidebarResizer() {
  const { sidebarWidth } = usePageParts().preferences;
  const width = useStore(sidebarWidth) || SIDEBAR_WIDTH.usual;
  const moved = useRef<number>(undefined);
  /** While it is dragged only the layout follows. */
  const show = (next: number) => document.querySelector<HTMLElement>('.app')?.style.setProperty('--sidebar-w', `${next}px`);
  const drag = (pixels: number) => {
    moved.current = widthWithin(width + pixels);
    show(moved.current);
  };
  const drop = (kept: boolean) => {
    if (moved.current === undefined) return;
    if (kept) sidebarWidth.set(moved.current);
    else show(width);
    moved.current = undefined;
  };
  return (
    <Separator
      className="side__resize desk-only"
      label={text.sidebar.width}
      orientation="vertical"
      value={width}
      min={SIDEBAR_WIDTH.least}
      max={SIDEBAR_WIDTH.most}
      onDrag={drag}
      onDrop={drop}
      onStep={(direction) => sidebarWidth.set(widthWithin(width + direction * STEP))}
      onReset={() => sidebarWidth.set(0)}
    />
  );
}
