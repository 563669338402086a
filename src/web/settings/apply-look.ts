import type { Preferences } from './preferences.js';

/** Lines are this much higher than the letters, as the tokens have it. */
const LINE_SHARE = 17 / 13;

/** Keeps the document in the chosen look; the styles do the rest. */
export function applyLook(preferences: Preferences, root: HTMLElement): void {
  const { theme, palette, motion, termFont, termSize } = preferences;
  const apply = () => {
    set(root, 'theme', theme.value === 'system' ? undefined : theme.value);
    applyToBrowser(theme.value);
    set(root, 'motion', motion.value === 'system' ? undefined : motion.value);
    set(root, 'terminal', palette.value);
    applyFont(root, fontName(termFont.value), termSize.value);
  };
  for (const preference of [theme, palette, motion, termFont, termSize]) preference.subscribe(apply);
  apply();
}

/** The browser's own bars go with the page: of its two colours for them the one of the theme counts. */
function applyToBrowser(theme: Preferences['theme']['value']): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const own = meta.dataset.theme;
    meta.media = theme === 'system' ? `(prefers-color-scheme: ${own})` : own === theme ? 'all' : 'not all';
  }
}

/** As it can stand between quotes in a style. */
export function fontName(typed: string): string {
  return typed.replace(/["'\\;{}]|\p{Cc}/gu, '').trim();
}

/** `data-font` changes last, as terminals look at the rest when it does. */
function applyFont(root: HTMLElement, family: string, size: number): void {
  property(root, '--term-font', family === '' ? undefined : `"${family}", var(--mono)`);
  property(root, '--term-fs', size === 0 ? undefined : `${size}px`);
  property(root, '--term-lh', size === 0 ? undefined : `${Math.round(size * LINE_SHARE)}px`);
  set(root, 'font', `${family} ${size}`);
}

function set({ dataset }: HTMLElement, name: string, value: string | undefined): void {
  if (value === undefined) delete dataset[name];
  else if (dataset[name] !== value) dataset[name] = value;
}

function property({ style }: HTMLElement, name: string, value: string | undefined): void {
  if (value === undefined) style.removeProperty(name);
  else style.setProperty(name, value);
}
