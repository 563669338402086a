import type { Terminal } from '@xterm/xterm';
import { isStill } from '../parts/motion.js';
import { FingerTrace, Fling } from './fling.js';

/**
 * Lets a finger scroll, which xterm.js leaves to the page. Where the program has the wheel, or shows its alternate screen, the finger
 * turns the wheel; else it moves the scrollback. Lifted in motion, it flings.
 */
export function scrollByTouch(host: HTMLElement, terminal: Terminal, signal: AbortSignal): void {
  const scroll = new TouchScroll(host, terminal);
  host.addEventListener('touchstart', (event) => scroll.start(event), { signal, passive: true });
  host.addEventListener('touchmove', (event) => scroll.move(event), { signal, passive: false });
  host.addEventListener('touchend', (event) => scroll.lift(event), { signal, passive: true });
  host.addEventListener('touchcancel', () => scroll.stop(), { signal, passive: true });
  signal.addEventListener('abort', () => scroll.stop());
}

/** Where a finger is, or was last. */
interface Point {
  readonly x: number;
  readonly y: number;
}

class TouchScroll {
  readonly #host: HTMLElement;
  readonly #terminal: Terminal;
  readonly #trace = new FingerTrace();
  /** Of the only finger; undefined while there is none, or another one as well. */
  #finger: Point | undefined;
  /** Pixels that do not make up a line yet. */
  #rest = 0;
  /** It was the browser that moved with the finger's last step. */
  #isPanned = false;
  #frame: number | undefined;

  constructor(host: HTMLElement, terminal: Terminal) {
    this.#host = host;
    this.#terminal = terminal;
  }

  start({ touches, timeStamp }: TouchEvent): void {
    this.stop();
    const [touch] = touches;
    if (touch === undefined || touches.length > 1) return;
    this.#finger = { x: touch.clientX, y: touch.clientY };
    this.#trace.begin(touch.clientY, timeStamp);
    this.#rest = 0;
    this.#isPanned = false;
  }

  move(event: TouchEvent): void {
    const touch = event.touches[0];
    if (this.#finger === undefined || touch === undefined || event.touches.length > 1) return;
    const lines = this.#linesFor(this.#finger.y - touch.clientY);
    this.#finger = { x: touch.clientX, y: touch.clientY };
    this.#trace.move(touch.clientY, event.timeStamp);
    if (lines === 0) return;
    this.#isPanned = isPanning(this.#host, this.#terminal, lines);
    if (this.#isPanned) return;
    scroll(this.#host, this.#terminal, { lines, ...this.#finger });
    if (event.cancelable) event.preventDefault();
  }

  lift({ touches, timeStamp }: TouchEvent): void {
    const finger = this.#finger;
    this.stop();
    if (finger === undefined || touches.length > 0 || this.#isPanned || isStill()) return;
    const fling = Fling.from(-this.#trace.speedAt(timeStamp), performance.now());
    if (fling !== undefined) this.#fling(fling, finger);
  }

  /** Ends what a finger does, and what it has flung. */
  stop(): void {
    this.#finger = undefined;
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
  }

  /** Up to where it cannot go on: at an end, and where another one has moved the terminal, such as by a jump to its end. */
  #fling(fling: Fling, from: Point): void {
    const look = placeOf(this.#terminal);
    this.#frame = requestAnimationFrame(() => {
      this.#frame = undefined;
      const now = performance.now();
      if (hasLeft(look, placeOf(this.#terminal)) || fling.isOver(now)) return;
      const lines = this.#linesFor(fling.step(now));
      if (lines !== 0) scroll(this.#host, this.#terminal, { lines, ...from });
      if (!isAtEnd(this.#terminal, lines)) this.#fling(fling, from);
    });
  }

  /** Whole lines for this way and what was left of the last one. */
  #linesFor(pixels: number): number {
    const height = Math.max(1, (this.#host.querySelector('.xterm-screen')?.clientHeight ?? 0) / this.#terminal.rows);
    this.#rest += pixels;
    const lines = Math.trunc(this.#rest / height);
    this.#rest -= lines * height;
    return lines;
  }
}

/** What of a terminal tells that somebody else has moved it. */
interface Place {
  readonly isWheel: boolean;
  readonly type: string;
  readonly isLast: boolean;
}

function placeOf(terminal: Terminal): Place {
  const { type, viewportY, baseY } = terminal.buffer.active;
  return { isWheel: isProgramsWheel(terminal), type, isLast: viewportY === baseY };
}

function hasLeft(before: Place, now: Place): boolean {
  return before.isWheel !== now.isWheel || before.type !== now.type || (now.isLast && !before.isLast);
}

/** It cannot scroll on in this direction. Of what a program does with its wheel nobody knows the end. */
function isAtEnd(terminal: Terminal, lines: number): boolean {
  if (lines === 0 || isProgramsWheel(terminal)) return false;
  const { viewportY, baseY } = terminal.buffer.active;
  return lines < 0 ? viewportY === 0 : viewportY === baseY;
}

/** A terminal that is larger than its room is moved about by the browser first; at its top edge the scrollback goes on. */
function isPanning({ scrollTop, scrollHeight, clientHeight }: HTMLElement, { buffer }: Terminal, lines: number): boolean {
  if (scrollHeight <= clientHeight + 1) return false;
  return lines < 0 ? scrollTop > 0 : buffer.active.viewportY === buffer.active.baseY;
}

function isProgramsWheel({ modes, buffer }: Terminal): boolean {
  return modes.mouseTrackingMode !== 'none' || buffer.active.type === 'alternate';
}

function scroll(host: HTMLElement, terminal: Terminal, { lines, x, y }: Point & { readonly lines: number }): void {
  if (!isProgramsWheel(terminal)) {
    terminal.scrollLines(lines);
    return;
  }
  const turn = { deltaY: lines, deltaMode: WheelEvent.DOM_DELTA_LINE, clientX: x, clientY: y, bubbles: true, cancelable: true };
  host.querySelector('.xterm-screen')?.dispatchEvent(new WheelEvent('wheel', turn));
}
