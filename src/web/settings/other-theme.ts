import type { ThemeChoice } from './preferences.js';

/** Dark for light, and light for dark, whoever chose what the page has now. */
export function otherTheme(theme: ThemeChoice): ThemeChoice {
  const isDark = theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
  return isDark ? 'light' : 'dark';
}
