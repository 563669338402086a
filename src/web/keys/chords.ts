import { type Chords, keyLabel, keyOf } from './key-bindings.js';
import type { PageAction } from './page-actions.js';

/** True on Apple's keyboards, where the page's own chords use Cmd, which no terminal sends. */
export const IS_APPLE = typeof navigator !== 'undefined' && /^(Mac|iP)/.test(navigator.platform);

export const MOD_KEY = IS_APPLE ? '⌘' : 'Ctrl';

/** The leader of the host's configuration, such as `C-b`. */
export interface LeaderKey {
  readonly key: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
}

/** The leader, and what the keys behind it do. */
export interface Leader extends LeaderKey {
  readonly chords: Chords;
}

/** Undefined for a leader that a page cannot recognise; then the page has none. */
export function parseLeader(text: string | undefined): LeaderKey | undefined {
  const match = /^((?:[CM]-)+)([ -~])$/.exec(text ?? '');
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  return { key: match[2].toLowerCase(), ctrl: match[1].includes('C-'), alt: match[1].includes('M-') };
}

/** As tmux users write it: `^B`. */
export function leaderLabel({ key, ctrl, alt }: LeaderKey): string {
  return `${alt ? 'Alt+' : ''}${ctrl ? '^' : ''}${key.toUpperCase()}`;
}

/** The keys of an action, for labels: `^B c`. */
export function leaderChord(action: PageAction, leader: Leader | undefined): string | undefined {
  const key = leader && keyOf(leader.chords, action);
  return leader === undefined || key === undefined ? undefined : `${leaderLabel(leader)} ${keyLabel(key)}`;
}

/** What of a keyboard event the chords look at. */
export interface KeyPress {
  readonly key: string;
  readonly code?: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

export function isLeader({ key, ctrlKey, altKey, metaKey }: KeyPress, leader: LeaderKey): boolean {
  return key.toLowerCase() === leader.key && ctrlKey === leader.ctrl && altKey === leader.alt && !metaKey;
}

/** What the key means behind the leader. With Ctrl or Cmd held it is none: that is meant for the browser, or a slip. */
export function chordAction({ key, ctrlKey, altKey, metaKey }: KeyPress, { chords }: Leader): PageAction | undefined {
  // Layouts write some characters with AltGr, which browsers tell as Ctrl and Alt.
  return metaKey || (ctrlKey && !altKey) ? undefined : chords.get(key);
}

/** The letters behind Ctrl and Alt that are the page's own, also while a terminal has the keyboard. */
const CTRL_ALT: Readonly<Record<string, PageAction>> = { k: 'palette', n: 'next_waiting' };

interface Surroundings {
  readonly isApple: boolean;
  /** A terminal has the keyboard. */
  readonly inTerminal: boolean;
}

/** A page action that has a chord of its own, without the leader. Others belong to the program in the terminal. */
export function directAction(press: KeyPress, { isApple, inTerminal }: Surroundings): PageAction | undefined {
  const { ctrlKey, altKey, metaKey, shiftKey } = press;
  const letter = letterOf(press);
  if (altKey) return ctrlKey && !metaKey && !shiftKey ? CTRL_ALT[letter] : undefined;
  if (isApple && metaKey && !ctrlKey && !shiftKey) return letter === 'f' ? 'find' : letter === 'k' ? 'palette' : undefined;
  if (isApple || !ctrlKey || metaKey) return undefined;
  if (shiftKey) return letter === 'f' ? 'find' : undefined;
  // In a terminal it belongs to the shell, which deletes to the end of the line with it.
  return letter === 'k' && !inTerminal ? 'palette' : undefined;
}

/** With Alt held, a layout may write another character than the letter. */
function letterOf({ key, code = '' }: KeyPress): string {
  return (/^[a-z]$/i.test(key) ? key : code.replace(/^Key/, '')).toLowerCase();
}

export function findChord(isApple: boolean): string {
  return isApple ? '⌘F' : 'Ctrl Shift F';
}

/** Where the keys of the palette are shown: those that work everywhere. */
export function paletteChord(leader: Leader | undefined): string {
  return IS_APPLE ? '⌘K' : (leaderChord('palette', leader) ?? 'Ctrl Alt K');
}

/** `Shift` and the like alone are no answer to a leader. */
export function isModifierKey({ key }: KeyPress): boolean {
  return ['Shift', 'Control', 'Alt', 'Meta', 'CapsLock', 'AltGraph'].includes(key);
}
