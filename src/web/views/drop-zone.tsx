import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { useVariables, type Variables } from '../parts/use-variables.js';
import { draggedSession, isSessionDrag } from './session-drag.js';
import type { PaneSide } from './split-layout.js';

export interface Dropped {
  readonly id: string;
  /** Where it is to be shown; undefined for in place of what is there. */
  readonly side: PaneSide | undefined;
}

interface DropZoneProps {
  readonly className: string;
  /** Where the pane is. */
  readonly variables?: Variables;
  /** There is room for one more pane beside this one. */
  readonly canGrow: boolean;
  readonly onDrop: (dropped: Dropped) => void;
  /** The pane got the focus, or was pressed. */
  readonly onActive?: () => void;
  readonly children: ReactNode;
}

/** A pane that takes a session which is dragged onto it. */
export function DropZone({ className, variables = {}, canGrow, onDrop, onActive, children }: DropZoneProps) {
  const zone = useRef<HTMLDivElement>(null);
  useVariables(zone, variables);
  const [over, setOver] = useState<PaneSide | 'whole'>();
  const sideAt = (event: DragEvent) => (canGrow ? sideUnder(event) : undefined);
  const enter = (event: DragEvent) => {
    if (!isSessionDrag(event)) return;
    event.preventDefault();
    setOver(sideAt(event) ?? 'whole');
  };
  const drop = (event: DragEvent) => {
    const id = draggedSession(event);
    setOver(undefined);
    if (id === undefined) return;
    event.preventDefault();
    onDrop({ id, side: sideAt(event) });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is dropped here can also be chosen by keyboard.
    <div
      ref={zone}
      className={className}
      onDragOver={enter}
      onDragLeave={(event) => event.currentTarget.contains(event.relatedTarget as Node | null) || setOver(undefined)}
      onDrop={drop}
      onFocusCapture={onActive}
      onPointerDownCapture={onActive}
    >
      {children}
      {over !== undefined && <div className={`dropmark dropmark--${over}`} />}
    </div>
  );
}

/** How far from an edge the half along that edge is meant, as a part of the pane. */
const EDGE = 0.3;

function sideUnder({ currentTarget, clientX, clientY }: DragEvent): PaneSide | undefined {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  const [x, y] = [(clientX - left) / width, (clientY - top) / height];
  const distances: readonly (readonly [PaneSide, number])[] = [
    ['left', x],
    ['right', 1 - x],
    ['above', y],
    ['below', 1 - y],
  ];
  const [side, distance] = [...distances].sort(([, a], [, b]) => a - b)[0] ?? ['right', 1];
  return distance < EDGE ? side : undefined;
}
