import type { Terminal } from '@xterm/xterm';

/** What the terminal repeats one by one, however often: REP, scrolling, lines in and out, tabs back. */
const REPEATING = ['b', 'S', 'T', 'L', 'M', 'Z'];

/** More often than any screen has lines or columns. */
const MOST_REPEATS = 10_000;

/**
 * Passes over what a program asks to be repeated absurdly often. The numbers go up to 2^31, and the terminal would stand still for hours,
 * the page with it; tmux stops at the edge of the screen.
 */
export function boundRepeats({ parser }: Pick<Terminal, 'parser'>): void {
  for (const final of REPEATING) parser.registerCsiHandler({ final }, ([count]) => typeof count === 'number' && count > MOST_REPEATS);
}
