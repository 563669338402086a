import { hostname } from 'node:os';
import type { PaneSnapshot } from '../pane-snapshot.js';
import { modesAfter } from './mode-tracker.js';
import {
  inputModes,
  type MouseTracking,
  preamble,
  pushKeyboard,
  RESET_MODES,
  regionSequence,
  type TerminalModes,
} from './terminal-modes.js';

const MOUSE: Readonly<Record<PaneSnapshot['modes']['mouse'], MouseTracking>> = { off: 0, standard: 1000, button: 1002, any: 1003 };
const MOUSE_SGR = 1006;
/** How `capture-pane` tells overline, which terminals take for blinking: SGR 53, with its digits apart as if it were a kind of underline. */
const TOLD_OVERLINE = /(?<=\x1b\[(?:[\d:]+;)*)5:3(?=[;m])/g;
const LINE_FEED = 0x0a;
const SHIFT_OUT = 0x0e;

/**
 * The output that makes a terminal of the pane's size show what `snapshot` tells: history, screen, modes and cursor. It goes ahead of the
 * live bytes of an adopted pane. What is on the terminal before goes above, into its history.
 *
 * `known` is what this life has put out so far, as far as it is stored, or the modes it led to: tmux does not tell all modes.
 */
export function seedFrom(snapshot: PaneSnapshot, known: Buffer | TerminalModes = RESET_MODES): Buffer {
  const modes = modesOf(snapshot, Buffer.isBuffer(known) ? modesAfter(known) : known);
  const { cursor, size, normal, alternate } = snapshot;
  const { keyboard } = modes;
  const parts = [
    preamble({ ...RESET_MODES, title: modes.title, colors: modes.colors, keyboard }),
    clearScreen(size.rows),
    tabStops(snapshot, modes),
    screenOf(normal),
    alternate === undefined ? '' : cursorBehind(snapshot),
    alternate === undefined ? '' : `\x1b[?${modes.alternate}h${pushKeyboard(keyboard.alternate)}\x1b[H`,
    alternate === undefined ? '' : screenOf(alternate),
    // Behind the last column, the next character wraps. The last line ends like that by itself.
    cursor.column >= size.cols && cursor.row === size.rows - 1 ? '' : moveFromFoot(size.rows - 1 - cursor.row, cursor.column + 1),
    scrollRegion(modes, size.rows),
    inputModes(modes),
    modes.origin ? `\x1b[?6h\x1b[${cursor.row - snapshot.modes.scrollRegion.top + 1};${cursor.column + 1}H` : '',
  ];
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

/**
 * The output that makes a reset terminal show what `snapshot` tells in the midst of a stream that has led to `modes`: the next character
 * is drawn as the program has it.
 */
export function repaintFrom(snapshot: PaneSnapshot, modes: TerminalModes): Buffer {
  const { charsets, shift, pen, link } = modes;
  return Buffer.concat([seedFrom(snapshot, modes), preamble({ ...RESET_MODES, charsets, shift, pen, link })]);
}

/** The same for a pane whose program has ended: only what it says, without the empty lines below. */
export function seedFromCapture(capture: Buffer): Buffer {
  let end = capture.length;
  while (end > 0 && capture[end - 1] === LINE_FEED) end -= 1;
  return end === 0 ? Buffer.alloc(0) : screenOf(capture.subarray(0, end));
}

function modesOf({ modes, title, cursor, alternate }: PaneSnapshot, known: TerminalModes): TerminalModes {
  return {
    ...known,
    applicationCursor: modes.applicationCursor,
    applicationKeypad: modes.applicationKeypad,
    wrap: modes.wrap,
    insert: modes.insert,
    origin: modes.origin,
    cursorVisible: cursor.visible,
    mouse: MOUSE[modes.mouse],
    mouseEncodings: [...known.mouseEncodings.filter((encoding) => encoding !== MOUSE_SGR), ...(modes.mouseSgr ? [MOUSE_SGR] : [])],
    scrollRegion: { top: modes.scrollRegion.top + 1, bottom: modes.scrollRegion.bottom + 1 },
    alternate: alternate === undefined ? 0 : known.alternate || 1049,
    title: title === hostname() ? known.title : title, // tmux's own title, where the program sets none
  };
}

/** Scrolls off what the screen shows, without a line more, and goes to its top. */
export function clearScreen(rows: number): string {
  return `${'\n'.repeat(rows - 1)}\x1b[2J\x1b[H`;
}

/** Captured lines, as written to a screen by a program. Line drawing is captured as the character set G1. */
function screenOf(capture: Buffer): Buffer {
  const lines = capture.toString('latin1').replaceAll('\n', '\r\n').replaceAll(TOLD_OVERLINE, '53');
  const drawn = capture.includes(SHIFT_OUT) ? `\x1b)0${lines}\x0f\x1b)B` : lines;
  return Buffer.from(`${drawn}\x1b[m`, 'latin1');
}

/** From the end of the normal screen. Where it is not told, it is taken to be on the first line that is blank to the end. */
function cursorBehind({ behind, normal, size }: PaneSnapshot): string {
  if (behind === undefined || behind.row >= size.rows) return moveFromFoot(Math.max(0, blankLinesAtEnd(normal) - 1), 1);
  return moveFromFoot(size.rows - 1 - behind.row, Math.min(behind.column, size.cols - 1) + 1);
}

function blankLinesAtEnd(capture: Buffer): number {
  let end = capture.length;
  while (end > 0 && capture[end - 1] === LINE_FEED) end -= 1;
  return capture.length - end;
}

/** From the last line of the screen; `column` counts from 1. */
function moveFromFoot(up: number, column: number): string {
  return `${up > 0 ? `\x1b[${up}A` : ''}\x1b[${column}G`;
}

const TAB_WIDTH = 8;

/** Nothing where they are as a terminal has them, unless what was put out before has moved them. For a cursor at the top. */
function tabStops({ modes: { tabs }, size }: PaneSnapshot, { tabsMoved }: TerminalModes): string {
  if (tabs === undefined || (!tabsMoved && tabs.join() === everyTab(size.cols).join())) return '';
  return `\x1b[3g${tabs.map((column) => `\x1b[${column + 1}G\x1bH`).join('')}\r`;
}

function everyTab(cols: number): number[] {
  return Array.from({ length: Math.ceil(cols / TAB_WIDTH) - 1 }, (_, index) => (index + 1) * TAB_WIDTH);
}

/** Setting the region moves the cursor, so it is saved. */
function scrollRegion({ scrollRegion }: TerminalModes, rows: number): string {
  if (scrollRegion === undefined || (scrollRegion.top === 1 && scrollRegion.bottom === rows)) return '';
  return `\x1b7${regionSequence(scrollRegion)}\x1b8`;
}
