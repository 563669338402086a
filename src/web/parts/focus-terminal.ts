/** Gives the keyboard to the terminal on the page, if there is one. */
export function focusTerminal(): void {
  document.querySelector<HTMLElement>('.xterm-helper-textarea')?.focus({ preventScroll: true });
}
