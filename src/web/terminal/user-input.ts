import type { Terminal } from '@xterm/xterm';
import { takeCompositions } from './compositions.js';
import { unaskedFocusReports } from './focus-reports.js';
import { takeLineBreaks } from './line-breaks.js';
import type { TerminalScreenEvents } from './screen-events.js';
import { takeSoftKeys } from './soft-keys.js';
import { type Transferred, takeDrops, transferredOf } from './transferred-files.js';

interface UserInputOptions {
  readonly events: TerminalScreenEvents;
  readonly isPrompt: () => boolean;
  readonly signal: AbortSignal;
}

/** Tells what is typed into a terminal, pasted and dropped. */
export function takeUserInput(host: HTMLElement, terminal: Terminal, { events, isPrompt, signal }: UserInputOptions): void {
  const isUnasked = unaskedFocusReports(terminal);
  terminal.onData((text) => isUnasked(text) || events.onText?.(text));
  terminal.onBinary((text) => events.onBinary?.(Uint8Array.from(text, (character) => character.charCodeAt(0))));
  takeCompositions(host, terminal, signal);
  takeLineBreaks(host, terminal, { isPrompt, signal });
  takeSoftKeys(host, terminal, signal);
  const drops = {
    onOver: (isOver: boolean) => events.onFileOver?.(isOver),
    onDrop: (transferred: Transferred) => events.onTransfer?.(transferred),
  };
  takeDrops(host, drops, signal);
  const paste = (event: ClipboardEvent) => {
    event.preventDefault();
    event.stopPropagation();
    events.onTransfer?.(transferredOf(event.clipboardData));
  };
  host.addEventListener('paste', paste, { signal, capture: true });
}
