import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { useVariables, type Variables } from './use-variables.js';

interface SeparatorProps {
  readonly label: string;
  /** How the line stands: `vertical` is between what is left and right of it. */
  readonly orientation: 'vertical' | 'horizontal';
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly className: string;
  /** Where it is. */
  readonly variables?: Variables;
  /** It is dragged, and is so many pixels from where it was. */
  readonly onDrag: (pixels: number) => void;
  /** The drag is over; `kept` is false where it was given up. */
  readonly onDrop: (kept: boolean) => void;
  /** An arrow key: one step back or forth. */
  readonly onStep: (direction: -1 | 1) => void;
  /** Back to how it is by itself. */
  readonly onReset: () => void;
}

const STEPS: Readonly<Record<SeparatorProps['orientation'], Readonly<Record<string, -1 | 1>>>> = {
  vertical: { ArrowLeft: -1, ArrowRight: 1 },
  horizontal: { ArrowUp: -1, ArrowDown: 1 },
};

/** A line between two parts of the page that moves by the pointer and by arrow keys. A double click, and Home, reset it. */
export function Separator({ label, orientation, value, min, max, className, variables = {}, ...moves }: SeparatorProps) {
  const line = useRef<HTMLDivElement>(null);
  useVariables(line, variables);
  const drag = useDrag(orientation, moves);
  const press = (event: KeyboardEvent) => {
    const step = STEPS[orientation][event.key];
    if (event.key === 'Escape') drag.giveUp();
    else if (event.key === 'Home') moves.onReset();
    else if (step !== undefined) moves.onStep(step);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved.
    <div
      ref={line}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={orientation}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      className={className}
      onKeyDown={press}
      onDoubleClick={moves.onReset}
      {...drag.handlers}
    />
  );
}

type Moves = Pick<SeparatorProps, 'onDrag' | 'onDrop'>;

function useDrag(orientation: SeparatorProps['orientation'], { onDrag, onDrop }: Moves) {
  const from = useRef<number>(undefined);
  const place = (event: PointerEvent) => (orientation === 'vertical' ? event.clientX : event.clientY);
  const end = (kept: boolean) => {
    if (from.current === undefined) return;
    from.current = undefined;
    onDrop(kept);
  };
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      from.current = place(event);
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent) => {
      if (from.current !== undefined) onDrag(place(event) - from.current);
    },
    onPointerUp: () => end(true),
    onPointerCancel: () => end(false),
    onLostPointerCapture: () => end(true),
  };
  return { handlers, giveUp: () => end(false) };
}
