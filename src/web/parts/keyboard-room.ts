/** Less of the page than this is no keyboard but a browser's bar, in pixels. */
const KEYBOARD_HEIGHT = 100;

/**
 * Keeps the page above a keyboard on the screen, where the browser does not (the viewport's `interactive-widget` is not known to all):
 * while one is open, `--room-height` is the height that is left.
 */
export function stayAboveKeyboard(root: HTMLElement): void {
  const viewport = window.visualViewport;
  viewport?.addEventListener('resize', () => {
    const isCovered = viewport.scale === 1 && window.innerHeight - viewport.height > KEYBOARD_HEIGHT;
    if (isCovered) root.style.setProperty('--room-height', `${viewport.height}px`);
    else root.style.removeProperty('--room-height');
    if (isCovered) window.scrollTo(0, 0);
  });
}
