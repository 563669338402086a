import type { ITheme } from '@xterm/xterm';
import { mixColors } from './mix-colors.js';

const COLORS = {
  background: '--t-bg',
  foreground: '--t-fg',
  cursor: '--t-cursor',
  cursorAccent: '--t-bg',
  selectionBackground: '--t-select',
  black: '--t-black',
  red: '--t-red',
  green: '--t-green',
  yellow: '--t-yellow',
  blue: '--t-blue',
  magenta: '--t-magenta',
  cyan: '--t-cyan',
  white: '--t-white',
  brightBlack: '--t-bright-black',
  brightRed: '--t-red',
  brightGreen: '--t-green',
  brightYellow: '--t-yellow',
  brightBlue: '--t-blue',
  brightMagenta: '--t-magenta',
  brightCyan: '--t-cyan',
  brightWhite: '--t-fg',
  overviewRulerBorder: '--t-bg',
} as const satisfies Record<string, `--t-${string}`>;

/** How much of the ink a background has. */
const HIGHLIGHT_SHARE = 0.1;

/** The terminal colours in force at `element`. They are registered properties, so the browser answers resolved colours. */
export function readTheme(element: Element): ITheme {
  const style = getComputedStyle(element);
  return Object.fromEntries(Object.entries(COLORS).map(([name, property]) => [name, style.getPropertyValue(property).trim()]));
}

/** How far text of any colour is at least from what it stands on, as WCAG counts contrast. */
export function readContrast(element: Element): number {
  return Number(getComputedStyle(element).getPropertyValue('--t-contrast')) || 1;
}

/** The colours of output that {@link monochrome} has been over. */
export function readQuietTheme(element: Element): ITheme {
  const theme = readTheme(element);
  return { ...theme, extendedAnsi: [mixColors(theme.foreground ?? '', theme.background ?? '', HIGHLIGHT_SHARE)] };
}

/** Calls `listener` whenever the document's colours, or the terminal's font, may have changed. Answers what ends that. */
export function watchTheme(listener: () => void): () => void {
  const stop = new AbortController();
  for (const query of ['(prefers-color-scheme: dark)', '(prefers-contrast: more)']) {
    matchMedia(query).addEventListener('change', listener, { signal: stop.signal });
  }
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'data-terminal', 'data-font'] });
  return () => {
    stop.abort();
    observer.disconnect();
  };
}
