import type { Terminal } from '@xterm/xterm';

/** The mode in which a program is told when its terminal has the keyboard, and when not any more. */
const FOCUS_EVENTS = 1004;
const REPORTS = new Set(['\u001b[I', '\u001b[O']);

/**
 * Tells which of the terminal's words nobody has typed: xterm.js reports the focus whenever it reads that a program wants to know of it.
 * Each viewer would, also one that comes later and reads it in the past, when the program may long be another one.
 */
export function unaskedFocusReports(terminal: Terminal): (text: string) => boolean {
  let due = 0;
  terminal.parser.registerCsiHandler({ prefix: '?', final: 'h' }, (modes) => {
    due = modes.filter((mode) => mode === FOCUS_EVENTS).length;
    return false; // xterm.js sees to the mode itself, and reports at once
  });
  return (text) => {
    if (due === 0 || !REPORTS.has(text)) return false;
    due -= 1;
    return true;
  };
}
