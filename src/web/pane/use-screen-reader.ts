import { useEffect } from 'react';
import { usePageParts } from '../app/parts-context.js';
import { useStore } from '../parts/store.js';
import type { TerminalScreen } from '../terminal/terminal-screen.js';

/** Has the terminal tell a screen reader what it shows, while the person wants that. */
export function useScreenReader(screen: TerminalScreen | undefined): void {
  const isOn = useStore(usePageParts().preferences.screenReader);
  useEffect(() => {
    if (screen !== undefined) screen.terminal.options.screenReaderMode = isOn;
  }, [screen, isOn]);
}
