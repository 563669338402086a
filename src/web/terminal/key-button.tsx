import { type PointerEvent, type ReactNode, useEffect, useRef } from 'react';
import { useStore } from '../parts/store.js';
import type { LatchStates, ModifierLatch } from './modifier-latch.js';

interface KeyProps {
  readonly label?: string;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

/** A key of the key bar. Touching it leaves the keyboard as it is. */
export function Key({ label, onPress, children }: KeyProps) {
  return (
    <button type="button" className="key" aria-label={label} onPointerDown={keepFocus} onClick={onPress}>
      {children}
    </button>
  );
}

/** A key that does something else when it is held. */
export function HoldKey({ label, onPress, onHold, children }: KeyProps & { readonly onHold: () => void }) {
  const hold = useHold();
  return (
    <button type="button" className="key" aria-label={label} onClick={() => hold.wasHeld() || onPress()} {...hold.events(onHold)}>
      {children}
    </button>
  );
}

/** How long a press must last to count as held, in milliseconds. */
const HOLD_MS = 450;
const REPEAT_MS = 80;

/** A key that goes on while it is held, as keys of a keyboard do. */
export function RepeatKey({ label, onPress, children }: KeyProps) {
  const hold = useHold();
  const repeat = () => {
    onPress();
    hold.again(repeat, REPEAT_MS);
  };
  return (
    <button type="button" className="key" aria-label={label} onClick={() => hold.wasHeld() || onPress()} {...hold.events(repeat)}>
      {children}
    </button>
  );
}

/** A modifier: a tap is for one key, holding it locks it. */
export function LatchKey({ name, label, latch }: { name: keyof LatchStates; label: string; latch: ModifierLatch }) {
  const state = useStore(latch)[name];
  const hold = useHold();
  return (
    <button
      type="button"
      className={`key${state === 'locked' ? ' is-locked' : ''}`}
      aria-pressed={state !== 'off'}
      onClick={() => hold.wasHeld() || latch.tap(name)}
      {...hold.events(() => latch.hold(name))}
    >
      {label}
    </button>
  );
}

/** Tells a press that is held from one that is over at once, whose click comes behind it. */
function useHold() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const held = useRef(false);
  const release = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  const again = (then: () => void, ms: number) => {
    timer.current = setTimeout(then, ms);
  };
  const events = (onHold: () => void) => ({
    onPointerDown: (event: PointerEvent) => {
      keepFocus(event);
      release();
      held.current = false;
      again(() => {
        held.current = true;
        onHold();
      }, HOLD_MS);
    },
    onPointerUp: release,
    onPointerCancel: release,
    onPointerLeave: release,
    onContextMenu: (event: { preventDefault(): void }) => event.preventDefault(),
  });
  return { events, again, wasHeld: () => held.current };
}

function keepFocus(event: PointerEvent): void {
  event.preventDefault();
}
