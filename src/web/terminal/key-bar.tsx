import { type PointerEvent, type ReactNode, useRef } from 'react';
import { Icon } from '../parts/icon.js';
import { useStore } from '../parts/store.js';
import { type ArrowKey, arrowSequence, withModifiers } from './key-sequence.js';
import type { LatchStates, ModifierLatch } from './modifier-latch.js';
import type { TerminalScreen } from './terminal-screen.js';

interface KeyBarProps {
  readonly screen: TerminalScreen;
  readonly latch: ModifierLatch;
  readonly onPasteProblem: (text: string) => void;
}

/** The keys that a phone's keyboard lacks. Touching one leaves the keyboard as it is. */
export function KeyBar({ screen, latch, onPasteProblem }: KeyBarProps) {
  const arrow = (key: ArrowKey) => screen.send(arrowSequence(key, latch.take(), screen.terminal.modes.applicationCursorKeysMode));
  const send = (text: string) => screen.send(withModifiers(text, latch.take()));
  return (
    <div className="keybar" role="toolbar" aria-label="Terminal keys">
      <div className="keys">
        <Key onPress={() => send('\u001b')}>Esc</Key>
        <Key onPress={() => send('\t')}>Tab</Key>
        <LatchKey name="ctrl" label="Ctrl" latch={latch} />
        <LatchKey name="alt" label="Alt" latch={latch} />
        <Key label="Control C" onPress={() => screen.send('\u0003')}>
          ^C
        </Key>
        <Key label="Paste" onPress={() => void paste(screen, onPasteProblem)}>
          <Icon name="paste" />
        </Key>
        <Key label="Keyboard" onPress={() => toggleKeyboard(screen)}>
          <Icon name="keyboard" />
        </Key>
      </div>
      <div className="keys">
        <Key label="Left" onPress={() => arrow('left')}>
          ←
        </Key>
        <Key label="Down" onPress={() => arrow('down')}>
          ↓
        </Key>
        <Key label="Up" onPress={() => arrow('up')}>
          ↑
        </Key>
        <Key label="Right" onPress={() => arrow('right')}>
          →
        </Key>
        <Key onPress={() => send('1')}>1</Key>
        <Key onPress={() => send('2')}>2</Key>
        <Key wide onPress={() => send('\r')}>
          Enter
        </Key>
      </div>
    </div>
  );
}

interface KeyProps {
  readonly label?: string;
  readonly wide?: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

function Key({ label, wide = false, onPress, children }: KeyProps) {
  return (
    <button type="button" className={`key${wide ? ' key--wide' : ''}`} aria-label={label} onPointerDown={keepFocus} onClick={onPress}>
      {children}
    </button>
  );
}

/** How long a press must last to lock a modifier, in milliseconds. */
const HOLD_MS = 450;

function LatchKey({ name, label, latch }: { name: keyof LatchStates; label: string; latch: ModifierLatch }) {
  const state = useStore(latch)[name];
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const held = useRef(false);
  const press = (event: PointerEvent) => {
    keepFocus(event);
    held.current = false;
    timer.current = setTimeout(() => {
      held.current = true;
      latch.hold(name);
    }, HOLD_MS);
  };
  const release = () => clearTimeout(timer.current);
  return (
    <button
      type="button"
      className={`key${state === 'locked' ? ' is-locked' : ''}`}
      aria-pressed={state !== 'off'}
      onPointerDown={press}
      onPointerUp={release}
      onPointerCancel={release}
      onContextMenu={(event) => event.preventDefault()}
      onClick={() => held.current || latch.tap(name)}
    >
      {label}
    </button>
  );
}

function keepFocus(event: PointerEvent): void {
  event.preventDefault();
}

function toggleKeyboard(screen: TerminalScreen): void {
  const { textarea } = screen.terminal;
  if (document.activeElement === textarea) textarea?.blur();
  else screen.focus();
}

async function paste(screen: TerminalScreen, onProblem: (text: string) => void): Promise<void> {
  try {
    screen.paste(await navigator.clipboard.readText());
  } catch {
    onProblem('This browser lets the page read no clipboard. Hold the terminal and choose Paste.');
  }
}
