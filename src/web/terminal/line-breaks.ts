import type { Terminal } from '@xterm/xterm';
import { ExtendedKeys } from './extended-keys.js';

interface LineBreakOptions {
  /** Whether an agent reads the keys. All that are known take a line feed, which is Ctrl+J, for a new line of the prompt. */
  readonly isPrompt: () => boolean;
  readonly signal: AbortSignal;
}

/**
 * Lets Shift+Enter begin a new line, where a terminal of old sends what Enter sends. A program that asks for more than old terminals tell
 * gets what it asks for, with Ctrl too; an agent gets a line feed, as some ask only where the terminal answers them, and tmux does not.
 */
export function takeLineBreaks(host: HTMLElement, terminal: Terminal, { isPrompt, signal }: LineBreakOptions): void {
  const keys = new ExtendedKeys(terminal);
  const sequenceOf = ({ shiftKey, altKey, ctrlKey }: KeyboardEvent): string | undefined => {
    const asked = keys.enter({ shift: shiftKey, alt: altKey, ctrl: ctrlKey });
    return asked ?? (isPrompt() && !altKey && !ctrlKey ? '\n' : undefined);
  };
  const take = (event: KeyboardEvent) => {
    const isMine = event.key === 'Enter' && (event.shiftKey || event.ctrlKey) && !event.metaKey && !event.isComposing;
    const sequence = isMine ? sequenceOf(event) : undefined;
    if (sequence === undefined) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    terminal.input(sequence, true);
  };
  host.addEventListener('keydown', take, { capture: true, signal });
}
