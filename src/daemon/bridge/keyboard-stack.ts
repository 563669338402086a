import type { KeyboardStack } from './terminal-modes.js';

/** Terminals keep at least this many. */
const MOST_FLAGS = 16;

/** What `CSI > flags u`, `CSI < times u` or `CSI = flags ; how u` makes of the flags of the kitty keyboard protocol. */
export function keyboardAfter(stack: KeyboardStack, prefix: number, [first, second]: readonly [number, number]): KeyboardStack {
  switch (String.fromCharCode(prefix)) {
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
