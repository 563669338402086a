/** Less of the page than this is no keyboard but a browser's bar, in pixels. */
const KEYBOARD_HEIGHT = 100;

/**
 * Keeps the page above a keyboard on the screen, where the browser does not (the viewport's `interactive-widget` is not known to all):
 * while one is open, `--room-height` is the height that is left. Such browsers also move the page up to show the field with the focus, which
 * is in view already.
 */
export function stayAboveKeyboard(root: HTMLElement): void {
  const viewport = window.visualViewport;
  const adjust = () => {
    if (viewport === null) return;
    const isCovered = viewport.scale === 1 && window.innerHeight - viewport.height > KEYBOARD_HEIGHT;
    if (isCovered) root.style.setProperty('--room-height', `${viewport.height}px`);
    else root.style.removeProperty('--room-height');
    if (isCovered && (viewport.offsetTop > 0 || window.scrollY > 0)) window.scrollTo(0, 0);
  };
  viewport?.addEventListener('resize', adjust);
  viewport?.addEventListener('scroll', adjust);
}
