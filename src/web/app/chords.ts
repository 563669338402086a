/** True on Apple's keyboards, where the page's own chords use Cmd, which no terminal sends. */
export const IS_APPLE = typeof navigator !== 'undefined' && /^(Mac|iP)/.test(navigator.platform);

export const MOD_KEY = IS_APPLE ? '⌘' : 'Ctrl';

/** What the page does by keyboard, and the key behind the leader for it. */
export const LEADER_ACTIONS = {
  c: 'new',
  n: 'next_waiting',
  j: 'jump',
  f: 'find',
  b: 'sidebar',
  g: 'changes',
  r: 'restart',
  x: 'kill',
  y: 'copy_attach',
  s: 'stop',
  ',': 'rename',
  '?': 'keys',
} as const;

export type PageAction = (typeof LEADER_ACTIONS)[keyof typeof LEADER_ACTIONS];

/** The leader of the host's configuration, such as `C-b`. */
export interface Leader {
  readonly key: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
}

/** Undefined for a leader that a page cannot recognise; then the page has none. */
export function parseLeader(text: string | undefined): Leader | undefined {
  const match = /^((?:[CM]-)+)([ -~])$/.exec(text ?? '');
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  return { key: match[2].toLowerCase(), ctrl: match[1].includes('C-'), alt: match[1].includes('M-') };
}

/** As tmux users write it: `^B`. */
export function leaderLabel({ key, ctrl, alt }: Leader): string {
  return `${alt ? 'Alt+' : ''}${ctrl ? '^' : ''}${key.toUpperCase()}`;
}

/** The keys of an action, for labels: `^B c`. */
export function leaderChord(action: PageAction, leader: Leader | undefined): string | undefined {
  const key = Object.entries(LEADER_ACTIONS).find(([, name]) => name === action)?.[0];
  return leader === undefined || key === undefined ? undefined : `${leaderLabel(leader)} ${key}`;
}

/** What of a keyboard event the chords look at. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

export function isLeader({ key, ctrlKey, altKey, metaKey }: KeyPress, leader: Leader): boolean {
  return key.toLowerCase() === leader.key && ctrlKey === leader.ctrl && altKey === leader.alt && !metaKey;
}

/** A page action that has a chord of its own, without the leader. Others belong to the program in the terminal. */
export function directAction({ key, ctrlKey, altKey, metaKey, shiftKey }: KeyPress, isApple: boolean): PageAction | undefined {
  if (altKey) return undefined;
  const name = key.toLowerCase();
  if (isApple && metaKey && !ctrlKey && !shiftKey) return name === 'f' ? 'find' : name === 'k' ? 'jump' : undefined;
  return !isApple && ctrlKey && shiftKey && !metaKey && name === 'f' ? 'find' : undefined;
}

export function findChord(isApple: boolean): string {
  return isApple ? '⌘F' : 'Ctrl Shift F';
}

/** `Shift` and the like alone are no answer to a leader. */
export function isModifierKey({ key }: KeyPress): boolean {
  return ['Shift', 'Control', 'Alt', 'Meta', 'CapsLock', 'AltGraph'].includes(key);
}
