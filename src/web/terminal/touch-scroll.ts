import type { Terminal } from '@xterm/xterm';

/**
 * Lets a finger scroll, which xterm.js leaves to the page. Where the program has the wheel, or shows its alternate screen, the finger
 * turns the wheel; else it moves the scrollback.
 */
export function scrollByTouch(host: HTMLElement, terminal: Terminal, signal: AbortSignal): void {
  let lastY: number | undefined;
  let rest = 0;
  host.addEventListener(
    'touchstart',
    ({ touches }) => {
      lastY = touches.length === 1 ? touches[0]?.clientY : undefined;
      rest = 0;
    },
    { signal, passive: true },
  );
  host.addEventListener(
    'touchmove',
    (event) => {
      const touch = event.touches[0];
      if (lastY === undefined || touch === undefined || event.touches.length > 1) return;
      rest += lastY - touch.clientY;
      lastY = touch.clientY;
      const rowHeight = host.querySelector('.xterm-screen')?.clientHeight ?? 0;
      const lines = Math.trunc(rest / Math.max(1, rowHeight / terminal.rows));
      if (lines === 0) return;
      rest -= lines * (rowHeight / terminal.rows);
      if (isPanning(host, terminal, lines)) return;
      scroll(host, terminal, { lines, x: touch.clientX, y: touch.clientY });
      if (event.cancelable) event.preventDefault();
    },
    { signal, passive: false },
  );
}

/** A terminal that is larger than its room is moved about by the browser first; at its top edge the scrollback goes on. */
function isPanning({ scrollTop, scrollHeight, clientHeight }: HTMLElement, { buffer }: Terminal, lines: number): boolean {
  if (scrollHeight <= clientHeight + 1) return false;
  return lines < 0 ? scrollTop > 0 : buffer.active.viewportY === buffer.active.baseY;
}

function scroll(host: HTMLElement, terminal: Terminal, { lines, x, y }: { lines: number; x: number; y: number }): void {
  const isProgramsWheel = terminal.modes.mouseTrackingMode !== 'none' || terminal.buffer.active.type === 'alternate';
  if (!isProgramsWheel) {
    terminal.scrollLines(lines);
    return;
  }
  const turn = { deltaY: lines, deltaMode: WheelEvent.DOM_DELTA_LINE, clientX: x, clientY: y, bubbles: true, cancelable: true };
  host.querySelector('.xterm-screen')?.dispatchEvent(new WheelEvent('wheel', turn));
}
