import { useEffect, useRef, useState } from 'react';
import { chordAction, directAction, IS_APPLE, isLeader, isModifierKey, type Leader } from './chords.js';
import { SESSION_KEY } from './key-bindings.js';
import type { PageCommands } from './page-commands.js';

interface PageChords {
  readonly leader: Leader | undefined;
  /** A digit behind the leader: the session of that number in the list. */
  readonly onNumber: (number: number) => void;
}

/**
 * Listens for the leader and the page's chords, ahead of the terminal. True while the leader waits for its key. The leader pressed twice
 * goes to the program once; any other key that has no meaning is dropped, as tmux does.
 */
export function usePageChords(commands: PageCommands, { leader, onNumber }: PageChords): boolean {
  const [pending, setPending] = useState(false);
  const isPending = useRef(false);
  const goTo = useRef(onNumber);
  goTo.current = onNumber;
  useEffect(() => {
    const become = (value: boolean) => {
      isPending.current = value;
      setPending(value);
    };
    /** Answers whether the key was the page's. */
    const take = (event: KeyboardEvent): boolean => {
      const wasPending = isPending.current;
      const again = leader !== undefined && isLeader(event, leader);
      if (wasPending) become(false);
      if (again) become(!wasPending);
      if (again) return !wasPending;
      if (!wasPending || leader === undefined) return runDirect(commands, event);
      if (SESSION_KEY.test(event.key) && !event.ctrlKey && !event.metaKey) goTo.current(Number(event.key));
      const action = chordAction(event, leader);
      if (action !== undefined) commands.run(action);
      return true;
    };
    const press = (event: KeyboardEvent) => {
      if (event.isComposing || isModifierKey(event) || document.querySelector('dialog[open]') !== null || !take(event)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', press, { capture: true });
    return () => window.removeEventListener('keydown', press, { capture: true });
  }, [commands, leader]);
  return pending;
}

function runDirect(commands: PageCommands, event: KeyboardEvent): boolean {
  // What AltGr writes is text.
  if (event.getModifierState('AltGraph')) return false;
  const inTerminal = event.target instanceof Element && event.target.closest('.xterm') !== null;
  const action = directAction(event, { isApple: IS_APPLE, inTerminal });
  return action !== undefined && commands.run(action);
}
