/** The field that somebody types in now; a terminal is none. */
export function fieldInUse(): HTMLElement | undefined {
  const { activeElement } = document;
  const isField = activeElement instanceof HTMLElement && activeElement.matches('input, select, textarea:not(.xterm-helper-textarea)');
  return isField ? activeElement : undefined;
}

/** Somebody types into a field, or goes through a menu: nothing may take the keyboard from there by itself. */
export function isKeyboardInUse(): boolean {
  return fieldInUse() !== undefined || document.activeElement?.closest('[role="menu"]') != null;
}
