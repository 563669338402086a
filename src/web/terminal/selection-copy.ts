import type { Terminal } from '@xterm/xterm';
import { copyText } from '../parts/copy-text.js';

export interface SelectionCopyOptions {
  /** Whether what the pointer selects goes to the clipboard at once. */
  readonly isAutomatic: () => boolean;
  readonly signal: AbortSignal;
}

/** Copies what is selected in a terminal: with Ctrl+Shift+C, which no program can tell from Ctrl+C, and as soon as it is selected where that is wished. */
export function copySelections(host: HTMLElement, terminal: Terminal, { isAutomatic, signal }: SelectionCopyOptions): void {
  let isSelecting = false;
  host.addEventListener('mousedown', ({ button }) => (isSelecting = button === 0), { signal, capture: true });
  // xterm.js ends a selection at the same event, in a listener that comes first or later.
  window.addEventListener('mouseup', () => setTimeout(() => ended()), { signal });
  const ended = () => {
    if (isSelecting && isAutomatic() && !signal.aborted && terminal.hasSelection()) void copyText(terminal.getSelection());
    isSelecting = false;
  };
  terminal.attachCustomKeyEventHandler((event) => {
    const isCopy = event.code === 'KeyC' && event.ctrlKey && event.shiftKey && !event.altKey && !event.metaKey;
    if (!isCopy || !terminal.hasSelection()) return true;
    event.preventDefault();
    if (event.type === 'keydown') void copyText(terminal.getSelection());
    return false;
  });
}
