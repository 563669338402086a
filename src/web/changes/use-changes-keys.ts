import { useEffect, useRef } from 'react';
import { text } from '../text/text.js';

/** What is done by keyboard here, and the key for it. */
const ACTIONS = {
  j: 'nextFile',
  k: 'previousFile',
  n: 'nextChange',
  p: 'previousChange',
  e: 'expand',
  v: 'turn',
  '/': 'filter',
  r: 'refresh',
} as const;

type ChangesAction = (typeof ACTIONS)[keyof typeof ACTIONS];

/** Keys and what they do, for people. */
export function changesKeys(): readonly (readonly [key: string, meaning: string])[] {
  const { keys, backToTerminal } = text.changes;
  return [...Object.entries(ACTIONS).map(([key, action]) => [key, keys[action]] as const), ['Esc', backToTerminal]];
}

type Actions = Readonly<Record<ChangesAction, () => void>>;

/** Listens while the changes are shown and nothing else on the page has the keyboard. */
export function useChangesKeys(actions: Actions): void {
  const current = useRef(actions);
  current.current = actions;
  useKeys((key) => {
    const action = Object.hasOwn(ACTIONS, key) ? ACTIONS[key as keyof typeof ACTIONS] : undefined;
    if (action !== undefined) current.current[action]();
    return action !== undefined;
  });
}

/** Escape, however the view stands. */
export function useLeaveKey(leave: () => void): void {
  useKeys((key) => {
    if (key === 'Escape') leave();
    return key === 'Escape';
  });
}

/** `press` answers whether the key meant something. */
function useKeys(press: (key: string) => boolean): void {
  const current = useRef(press);
  current.current = press;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (event.defaultPrevented || ctrlKey || metaKey || altKey || event.isComposing || !isHere(target)) return;
      if (current.current(key)) event.preventDefault();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}

function isHere(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement || document.querySelector('dialog[open]') !== null) return false;
  return target === document.body || (target instanceof Element && target.closest('.changes, .output') !== null);
}
