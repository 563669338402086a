/**
 * What a program may ask of the keyboard beyond what terminals of old tell: the kitty keyboard protocol and xterm's modifyOtherKeys. The
 * stream of a session carries it, and who types for a user, here or there, has to go by it.
 *
 * Sources: the kitty keyboard protocol, "Progressive enhancement"; XTerm Control Sequences, XTMODKEYS.
 */

/** The flags of the kitty keyboard protocol that are in force, last, and those pushed below; each screen has its own stack. */
export type KeyboardStack = readonly [number, ...number[]];

export const NO_KEYBOARD_FLAGS: KeyboardStack = [0];

/** Terminals keep at least this many. */
const MOST_FLAGS = 16;
/** The flag by which keys are told apart that old terminals send the same bytes for. */
const DISAMBIGUATE = 1;

/** What `CSI > flags u`, `CSI < times u` or `CSI = flags ; how u` makes of the stack; a parameter that is left out is 0. */
export function keyboardAfter(stack: KeyboardStack, prefix: string, [first, second]: readonly [number, number]): KeyboardStack {
  switch (prefix) {
    case '>':
      return bounded([...stack, first]);
    case '<':
      return bounded(stack.slice(0, Math.max(0, stack.length - Math.max(1, first))));
    default:
      return bounded([...stack.slice(0, -1), changed(stack.at(-1) ?? 0, first, second)]);
  }
}

/** How: 1 (or nothing) sets all flags, 2 adds, 3 takes away. */
function changed(flags: number, given: number, how: number): number {
  if (how === 2) return flags | given;
  return how === 3 ? flags & ~given : given;
}

function bounded(stack: readonly number[]): KeyboardStack {
  const [base = 0, ...pushed] = stack.slice(-MOST_FLAGS);
  return [base, ...pushed];
}

/** What is held with a key. */
export interface HeldModifiers {
  readonly shift: boolean;
  readonly alt: boolean;
  readonly ctrl: boolean;
}

/** As terminals count: 1, and 1 for Shift, 2 for Alt, 4 for Ctrl. */
export function modifierCode({ shift, alt, ctrl }: HeldModifiers): number {
  return 1 + Number(shift) + 2 * Number(alt) + 4 * Number(ctrl);
}

interface AskedKeys {
  /** Of the screen that is shown. */
  readonly stack: KeyboardStack;
  readonly modifyOtherKeys: number;
}

/** What the key with this code sends to a program that asked for keys to be told apart: as kitty tells them, or as xterm does. */
export function extendedKey(code: number, held: HeldModifiers, { stack, modifyOtherKeys }: AskedKeys): string | undefined {
  const modifiers = modifierCode(held);
  if (((stack.at(-1) ?? 0) & DISAMBIGUATE) !== 0) return `\u001b[${code};${modifiers}u`;
  return modifyOtherKeys > 0 ? `\u001b[27;${modifiers};${code}~` : undefined;
}
